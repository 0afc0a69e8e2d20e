"""`make run` from the launcher on, for real: an empty folder, all processes, Ctrl-C, crashes."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from tests.lesson_engine.learn.pages import Node, Page, fields_of

pytestmark = pytest.mark.hard
PROJECT = Path(__file__).resolve().parent.parent.parent
READY = "Ctrl-C stops everything."
START_SECONDS, STOP_SECONDS = 240, 40


class Run:
    """A launcher started on a free port with a folder of its own."""

    def __init__(self, var: Path, **variables: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            self.port = server.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.var, self.output = var, ""
        kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "DEMO_PASSWORD")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "config.launcher", "--port", str(self.port)],
            cwd=PROJECT,
            env={**kept, "ANDAMIO_VAR": str(var), "WEB_CONCURRENCY": "1", **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def read_until(self, wanted: str) -> None:
        """Read what it prints up to the line with `wanted`; fails when it ends or takes too long before."""
        assert self.process.stdout is not None
        overdue = threading.Timer(START_SECONDS, self.process.kill)
        overdue.start()
        for line in self.process.stdout:
            self.output += line
            if wanted in line:
                overdue.cancel()
                return
        overdue.cancel()
        pytest.fail(f"It ended before {wanted!r}:\n{self.output}")

    def everything(self) -> list[psutil.Process]:
        """The launcher, its children and the database, also when the database was started by an earlier run."""
        launcher = psutil.Process(self.process.pid)
        server = psutil.Process(int((self.var / "postgres" / "postmaster.pid").read_text().splitlines()[0]))
        return [launcher, *launcher.children(recursive=True), server, *server.children()]

    def interrupt(self) -> None:
        """Ctrl-C: the whole process group of the terminal gets it."""
        os.killpg(self.process.pid, signal.SIGINT)

    def end(self) -> str:
        """Wait for its end and return the rest of what it printed."""
        return self.process.communicate(timeout=STOP_SECONDS)[0]

    def get(self, path: str) -> int:
        with urllib.request.urlopen(f"{self.address}{path}", timeout=30) as response:
            return int(response.status)

    def passwords(self) -> dict[str, str]:
        return dict(re.findall(r"^  (?:learner|staff) +(\w+) +(\S+)$", self.output, re.MULTILINE))


Starter = Callable[..., Run]


@pytest.fixture
def folder() -> Iterator[Path]:
    """Not in pytest's: run as root, PostgreSQL serves as another user, whom each new pytest shuts out of there."""
    folder = Path(tempfile.mkdtemp(prefix="andamio-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def before() -> Iterator[Path]:
    """What a first start leaves behind after Ctrl-C."""
    folder = Path(tempfile.mkdtemp(prefix="andamio-"))
    run = Run(folder / "var")
    run.read_until(READY)
    run.interrupt()
    run.end()
    yield folder / "var"
    shutil.rmtree(folder)


@pytest.fixture
def started_before(before: Path, folder: Path) -> None:
    """The folder had its first start. Owners are kept: PostgreSQL refuses data of somebody else."""
    subprocess.run(["cp", "-a", before, folder / "var"], check=True)


@pytest.fixture
def start(folder: Path) -> Iterator[Starter]:
    """Starts launchers on one folder; whatever the test leaves running is ended."""
    runs: list[Run] = []

    def start_one(ready: bool = True, **variables: str) -> Run:
        runs.append(Run(folder / "var", **variables))
        if ready:
            runs[-1].read_until(READY)
        return runs[-1]

    yield start_one
    for run in runs:
        if run.process.poll() is None:
            run.interrupt()
            run.end()


def assert_all_end(processes: list[psutil.Process]) -> None:
    _, left = psutil.wait_procs(processes, timeout=STOP_SECONDS)
    assert [process.cmdline() for process in left] == []


def test_ctrl_c_leaves_no_process_and_the_next_start_keeps_the_accounts(start: Starter) -> None:
    first = start(WEB_CONCURRENCY="2")
    assert set(first.passwords()) == {"demo", "staff"}
    assert first.address in first.output
    assert first.get("/readyz") == 200
    assert first.get("/") == 200
    processes = first.everything()
    first.interrupt()
    last_words = first.end()
    assert last_words.splitlines()[-1].startswith("Stopped; your data is kept in ")
    assert "Traceback" not in last_words
    assert first.process.returncode == 0
    assert_all_end(processes)

    second = start()
    assert second.passwords() == {}
    assert "migrations applied" not in second.output
    assert second.get("/readyz") == 200


def look(browser: httpx.Client, address: str) -> Page:
    page = Page(browser.get(address))
    assert page.status == 200
    return page


def press(browser: httpx.Client, form: Node) -> str:
    """Send the form as it stands, as a browser without scripts does; the address it led to."""
    (token,) = form.find("input", name="csrfmiddlewaretoken")
    fields = {**fields_of(form), "csrfmiddlewaretoken": token.attrs["value"]}
    answer = browser.post(form.attrs["action"], data=fields)
    assert answer.status_code == 200
    return answer.url.path


@pytest.mark.usefixtures("started_before")
def test_a_lesson_under_way_is_where_it_was_after_ctrl_c_and_a_second_start(start: Starter) -> None:
    first = start()
    with httpx.Client(base_url=first.address, follow_redirects=True) as browser:
        lesson = press(browser, look(browser, "/lessons/fotosintesis/").tree.one("form", class_="start"))
        before = look(browser, lesson)
        press(browser, before.form_of(id_="continue"))
        reached = look(browser, lesson)
        assert reached.step != before.step
        cookies = browser.cookies
    first.interrupt()
    first.end()

    with httpx.Client(base_url=start().address, cookies=cookies) as browser:
        again = look(browser, lesson)
    assert (again.step, again.phase) == (reached.step, reached.phase)
    assert again.words == reached.words


@pytest.mark.usefixtures("started_before")
def test_a_given_password_is_set_on_accounts_that_exist(start: Starter) -> None:
    run = start(DEMO_PASSWORD="a-word-of-ones-own")
    assert run.passwords() == dict.fromkeys(("demo", "staff"), "a-word-of-ones-own")


@pytest.mark.usefixtures("started_before")
def test_an_impatient_second_ctrl_c_still_stops_everything(start: Starter) -> None:
    run = start()
    processes = run.everything()
    run.interrupt()
    run.read_until("Stopping")
    run.interrupt()
    assert "Traceback" not in run.end()
    assert_all_end(processes)


@pytest.mark.parametrize("moment", ["embedded PostgreSQL", "Bringing the database", "Looking after"])
def test_ctrl_c_in_the_middle_of_a_start_leaves_nothing_and_the_next_start_works(start: Starter, moment: str) -> None:
    run = start(ready=False)
    run.read_until(moment)
    run.interrupt()
    last_words = run.end()
    assert "Traceback" not in last_words
    assert last_words.splitlines()[-1].startswith("Stopped; your data is kept in ")
    assert run.process.returncode == 0
    assert not (run.var / "postgres" / "postmaster.pid").exists()
    assert start().get("/readyz") == 200


@pytest.mark.usefixtures("started_before")
def test_a_killed_launcher_takes_everything_with_it_and_the_next_start_works(start: Starter) -> None:
    run = start()
    processes = run.everything()
    run.process.kill()
    run.process.wait()
    assert_all_end(processes[1:])
    assert start().get("/readyz") == 200


@pytest.mark.usefixtures("started_before")
def test_the_next_start_works_after_everything_was_killed_at_once(start: Starter) -> None:
    run = start()
    processes = run.everything()
    for process in processes:
        process.kill()
    run.process.wait()
    assert_all_end(processes[1:])
    again = start()
    assert again.passwords() == {}
    assert again.get("/readyz") == 200


@pytest.mark.usefixtures("started_before")
def test_a_child_that_dies_is_started_again(start: Starter) -> None:
    run = start(WEB_CONCURRENCY="2")
    launcher = psutil.Process(run.process.pid)
    for role, name in (("web", "web-1"), ("worker", "worker"), ("beat", "beat")):
        before = [child for child in launcher.children() if child.cmdline()[-1] == role]
        min(before, key=lambda child: child.pid).kill()
        run.read_until(f"The {name} ended unexpectedly")
        while len([child for child in launcher.children() if child.cmdline()[-1:] == [role]]) < len(before):
            gone, _ = psutil.wait_procs([launcher], timeout=0.2)
            assert not gone
    assert run.get("/readyz") == 200
