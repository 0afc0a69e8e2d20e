"""What every command for people with files does, shown with `grade`: one line out for each line in, nothing else."""

import json
import os
import pty
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest
from django.core.management import get_commands, load_command_class

from config.batch import COMMANDS, command_of
from core.batch.command import BatchCommand
from tests.operations.batch import PROJECT, answers, as_lines, bare, command_line, run, run_here

QUESTION = "What do plants need light for?"
REFERENCE = "Plants use light to make sugar from water and carbon dioxide."


def row(answer: Any = REFERENCE, **changes: Any) -> dict[str, Any]:
    return {"question": QUESTION, "reference_answers": [REFERENCE], "student_answer": answer, **changes}


def hard(name: str) -> Any:
    return pytest.param(name, marks=pytest.mark.hard)


HOTEL = {"execution_result": {"hotel": {"quality": 8}}, "task": "Book hotel in Paris"}
TABLE = {"table": "sales", "columns": ["region", "price"], "sample": [["North", "10"], ["South", "20.5"]]}
ROWS: dict[str, dict[str, Any]] = {
    "grade": row(),
    "deviation": {"response": "sugar", "question": QUESTION, "objective": "Say what light is for"},
    "evaluate": {**HOTEL, "success_criteria": ["Hotel quality >= 7"]},
    "assess_reflection": {"analysis": "It failed", "strategy_adjustments": ["Remove step 2"], "task": "Book hotel"},
    "route": {"message": "¿Qué cuota de autónomos pagaré el primer año?"},
    "classify": {"message": "¿Qué cuota de autónomos pagaré el primer año?"},
    "requirements": {"question": "total price by region", "schema": TABLE},
    "narrow": {"question": "total price by region"},
    "analyze": {"question": "What is the total price?"},
}
"""A row for each command."""
OPTIONS = {"analyze": ["--data", str(PROJECT / "tests" / "data" / "sales.csv")]}
"""What a command cannot do without."""
CHANGING = ("timestamp", "timings")
"""Parts of an answer that say when it was made, or how long it took."""


def as_nearly(answers: list[Any]) -> Any:
    """With six decimals: the last ones of an embedding differ with what is embedded beside it."""
    return json.loads(json.dumps(answers), parse_float=lambda number: round(float(number), 6))


def start(tmp_path: Path, **streams: Any) -> subprocess.Popen[bytes]:
    piped = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        command_line("grade"), cwd=PROJECT, env=bare(tmp_path), preexec_fn=_hear_ctrl_c, **{**piped, **streams}
    )


def _hear_ctrl_c() -> None:
    """A shell that starts something in the background has it ignore Ctrl-C, and whatever that starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_the_settings_know_every_batch_command() -> None:
    found = {name for name, app in get_commands().items() if not app.startswith("django.")}
    loaded = {name: load_command_class(get_commands()[name], name) for name in found}
    batch = {name for name, command in loaded.items() if isinstance(command, BatchCommand)}
    assert batch
    assert batch == COMMANDS == set(ROWS)
    assert all(command_of(["manage.py", name]) == name for name in batch)


@pytest.mark.parametrize("arguments", [[], ["manage.py"], ["manage.py", "migrate"], ["pytest", "grade"]])
def test_all_others_start_what_they_need(arguments: list[str]) -> None:
    assert command_of(arguments) not in COMMANDS


def test_hostile_lines_get_an_error_each_and_the_others_their_answer() -> None:
    good = json.dumps(row()).encode()
    hostile = [
        b"",
        b"   ",
        b"{",
        b"null",
        b'{"question": "\xff"}',
        b"\x00\x00",
        b"[" * 100_000,
        b'{"question": NaN}',
        b'{"question": "\\ud800", "reference_answers": ["a"], "student_answer": "a"}',
        b'{"question": "' + b"x" * 10_000_000 + b'"}',
        json.dumps(row("x" * 4001)).encode(),
        json.dumps(row("", reference_answers=[])).encode(),
    ]
    source = b"\xef\xbb\xbf" + b"\r\n".join([good, *(line for bad in hostile for line in (bad, good))])
    found = run_here("grade", source=source)
    assert len(found) == 2 * len(hostile) + 1
    assert [list(answer) for answer in found[1::2]] == [["error"]] * len(hostile)
    assert {answer["label"] for answer in found[::2]} == {"accept"}


def test_no_input_gives_no_output() -> None:
    assert run_here("grade", source=b"") == []


@pytest.mark.hard
@pytest.mark.parametrize("command", sorted(ROWS))
def test_a_bare_clone_gives_the_same_answers_and_stays_bare(command: str, tmp_path: Path) -> None:
    source = as_lines(ROWS[command], 7)
    options = OPTIONS.get(command, [])
    there = answers(run(command, *options, source=source, environment=bare(tmp_path)))
    here = run_here(command, *options, source=source)
    for answer in (*there, *here):
        for part in CHANGING:
            answer.pop(part, None)
    assert as_nearly(there) == as_nearly(here)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.hard
def test_a_database_that_does_not_answer_is_done_without(tmp_path: Path) -> None:
    gone = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none", "SECRET_KEY": "k" * 50}
    ended = run("deviation", source=as_lines(ROWS["deviation"]), environment=bare(tmp_path) | gone)
    assert ended.returncode == 0
    assert [list(json.loads(line)) for line in ended.stdout.splitlines()] == [["deviation", "score"]]
    (said,) = [json.loads(line) for line in ended.stderr.splitlines()]
    assert said["event"] == "the embedding cache is left out for a while"


@pytest.mark.hard
def test_whoever_types_gets_an_answer_to_each_line(tmp_path: Path) -> None:
    process = start(tmp_path)
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        for answer in (REFERENCE, "I don't know", 7):
            process.stdin.write(as_lines(row(answer)))
            process.stdin.flush()
            assert json.loads(process.stdout.readline())
        process.stdin.close()
        assert process.wait(timeout=60) == 0


@pytest.mark.hard
def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    process = start(tmp_path)
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    with process:
        writer = threading.Thread(target=pour, args=(process.stdin, as_lines(*[row()] * 256), 400))
        writer.start()
        assert json.loads(process.stdout.readline())["label"] == "accept"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0
        writer.join()


def pour(stream: Any, block: bytes, times: int) -> None:
    try:
        for _ in range(times):
            stream.write(block)
        stream.close()
    except BrokenPipeError:
        pass


@pytest.mark.hard
def test_ctrl_c_ends_quietly_after_the_lines_that_were_answered(tmp_path: Path) -> None:
    process = start(tmp_path)
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        process.stdin.write(as_lines(row()) + b'{"half": ')
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["label"] == "accept"
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)  # before its input is closed, which would end the half line
        rest, errors = process.communicate()
        assert (rest, errors, process.returncode) == (b"", b"", 130)


@pytest.mark.hard
def test_progress_is_shown_on_a_terminal_and_leaves_standard_output_alone(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    ended = subprocess.run(
        command_line("grade"),
        cwd=PROJECT,
        env=bare(tmp_path),
        input=as_lines(*[row()] * 600),
        stdout=subprocess.PIPE,
        stderr=theirs,
        timeout=120,
        check=True,
    )
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)
    assert len(ended.stdout.splitlines()) == 600
    assert shown.splitlines()[-1].split("\r")[-1].startswith("600 rows, ")
