"""The quick start of docs/integrator.md, followed word by word in a shell, against a real server."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tests.browser.server import WORKER, Server

PAGE = Path(settings.BASE_DIR) / "docs" / "integrator.md"
STAFF_SEE = (
    "Porque de la fotosíntesis vienen la comida y el oxígeno que respiramos.\nACCEPT\n",
    "mastered\nFood and oxygen: both reasons.\n1\n",
)
PLANNED = [
    *("Search hotels in Paris for 2 nights", "price <= 200"),
    *("False", "Quality below threshold (5 < 7)", "hotel_selected.total", "failure"),
    "accuracy >= 0.7",
]
REFLECTED = [
    *("accepted", "staff", "Seven is not enough for this guest.", "quality >= 8"),
    *("metacognition.reflection.quality_score_avg", "0.8"),
]
CONSULTED = [
    *("['transition', 'market']", "high", "excedencia", "['tax']"),
    *("¿Es buen momento para solicitar excedencia en CGI?", "True", "2"),
]
TOKEN = """
from accounts.models import User
from accounts.sign_in.scopes import scopes_of
from accounts.services import token_issue
staff = User.objects.get(username="staff")
print(token_issue(user=staff, name="quick start", scopes=scopes_of(staff), days=1)[1])
"""


@pytest.fixture
def server() -> Iterator[Server]:
    worker = os.environ.get("PYTEST_XDIST_WORKER", "alone")
    server = Server(settings.DATABASE_URL, f"quickstart_{worker}", Path(settings.VAR_DIR) / "browser")
    try:
        server.prepare()
        server.start()
        with server.background(*WORKER):  # which reflects on failures
            yield server
    finally:
        server.kill()
        server.drop()


def blocks() -> list[str]:
    """The page's shell blocks in order."""
    return re.findall(r"```sh\n(.*?)```", PAGE.read_text(), re.S)


@pytest.mark.hard
def test_a_stranger_can_follow_the_quick_start(server: Server, tmp_path: Path) -> None:
    token = server.python(TOKEN).strip()
    own, *rest = blocks()
    assert re.fullmatch(r"ANDAMIO=\S+\nTOKEN=andamio_\.\.\.\n", own), "the two lines that everybody fills in"
    script = "\n".join(["set -eu -o pipefail", f"ANDAMIO={server.url}", f"TOKEN={token}", *rest])
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, env={"PATH": path})
    assert done.returncode == 0, done.stderr + done.stdout
    assert done.stderr == ""
    said = done.stdout
    for expected in (
        '"slug": "fotosintesis"',
        "Toma aire",
        "That's right.",
        "open.",
        "100\nopen\n2500000\n",
        "session.started\n4\n",
        *STAFF_SEE,
    ):
        assert expected in said, f"{expected}:\n{said}"
    assert '"event":"session.finished"' in said
    labelled, left, *rest = said.splitlines()[-4 - len(PLANNED) - len(REFLECTED) - len(CONSULTED) :]
    assert '"label":"accept"' in labelled
    assert left == "150"
    analysis, adjustments = (rest.pop(len(PLANNED)) for _ in range(2))
    assert "quality" in analysis
    assert "quality >= 7" in adjustments
    assert rest == [*PLANNED, *REFLECTED, *CONSULTED]
    learners = server.rows("SELECT pseudonym FROM accounts_user WHERE managed_by_id IS NOT NULL")
    assert learners == [("learner-7",)]
    status = server.rows("SELECT status, state->'asks'->'importancia'->>'outcome' FROM lesson_engine_session")
    assert status == [("finished", "mastered")]
