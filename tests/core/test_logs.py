"""Every log line: JSON, on standard error, at the level that was asked for."""

import json
from typing import Any

import pytest

from tests.each import each
from tests.operations.test_settings import run

SET_UP = "import logging, structlog, django; django.setup(); ours = structlog.get_logger('lesson_engine.tasks'); "


def logged(code: str, **variables: str) -> list[dict[str, Any]]:
    ended = run(SET_UP + code, **variables)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == ""
    return [json.loads(line) for line in ended.stderr.splitlines()]


def test_each_line_is_json_with_what_the_logger_was_given_and_an_exception_stays_in_its_line() -> None:
    fail = "ours.exception('failed'); logging.exception('failed too')"
    turn, ours, theirs = logged(
        f"ours.warning('a turn\\nwaits', turn=7)\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    {fail}"
    )
    assert turn.pop("timestamp").endswith("Z")
    assert turn == {"event": "a turn\nwaits", "turn": 7, "level": "warning", "logger": "lesson_engine.tasks"}
    assert ours["level"] == theirs["level"] == "error"
    assert "ZeroDivisionError: division by zero" in ours["exception"]
    assert "ZeroDivisionError: division by zero" in theirs["exception"]


@each(("level", "heard"), [("DEBUG", "diwe"), ("WARNING", "we")])
def test_the_level_holds_for_our_loggers_and_all_others(level: str, heard: str) -> None:
    names = ("lesson_engine.tasks", "django.request", "django.server", "uvicorn.error", "celery.worker", "sqlalchemy")
    say = "l.debug('d'); l.info('i'); l.warning('w'); l.error('e')"
    code = f"\nfor l in (ours, *map(logging.getLogger, {names[1:]})):\n    {say}"
    wanted = [(name, letter) for name in names for letter in heard]
    # With DEBUG the parts that start tell of themselves too; that is what it is for.
    lines = [(line["logger"], line["event"]) for line in logged(code, LOG_LEVEL=level)]
    assert [line for line in lines if line[1] in "diwe"] == wanted


@pytest.mark.hard
@pytest.mark.parametrize(
    "before",
    ["import uvicorn; uvicorn.Config('none'); ", "from config.celery_app import app; app.log.setup('DEBUG'); "],
)
def test_a_server_that_sets_up_its_own_logs_is_overruled(before: str) -> None:
    say = "[(l.info('i'), l.error('e')) for l in map(logging.getLogger, ('uvicorn.error', 'celery.worker'))]"
    if "uvicorn" in before:  # which comes first, as it imports the application
        ended = run(before + SET_UP + say)
        assert ended.returncode == 0, ended.stderr
        lines = [json.loads(line) for line in ended.stderr.splitlines()]
    else:
        lines = logged(before + say)
    assert [(line["logger"], line["event"]) for line in lines] == [("uvicorn.error", "e"), ("celery.worker", "e")]


def test_a_level_that_is_none_is_said_in_one_line() -> None:
    ended = run(SET_UP, LOG_LEVEL="loud")
    assert ended.stderr.splitlines()[-1].endswith(
        "LOG_LEVEL must be one of WARNING, DEBUG, INFO, ERROR, CRITICAL, not 'loud'"
    )


def test_what_an_error_of_the_database_quotes_is_left_out() -> None:
    code = """
import psycopg.errors as errors
from django.db import IntegrityError
from pydantic import TypeAdapter
class Quoting(errors.NotNullViolation):
    class diag: message_primary = 'null value in column "turn_id"'
for fail in (
    lambda: TypeAdapter(int).validate_python('my words'),
    lambda: (_ for _ in ()).throw(Quoting('null value in column "turn_id"\\\\nDETAIL:  (my words) is no row.')),
):
    try:
        try:
            fail()
        except errors.Error as error:
            raise IntegrityError(*error.args) from error
    except Exception as error:
        ours.exception('failed')
        logging.error('Task raised %r', error, exc_info=True)
"""
    lines = logged(f"\nexec({code!r})")
    assert len(lines) == 4
    assert "my words" not in str(lines)
    assert "1 errors in int" in lines[0]["exception"]
    assert lines[2]["exception"].count('null value in column "turn_id"') == 2
    assert "DETAIL" not in lines[3]["event"]
