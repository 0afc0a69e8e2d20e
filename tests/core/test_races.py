"""Where two at once are expected to insert the same row, the database has no error to log."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from django.conf import settings
from django.db import DataError, connection, transaction

from accounts.models import Role, User
from accounts.services import account_sign_up, learner_of
from core.errors import RowThere
from core.models import Heartbeat
from core.services import heartbeat_record, row_insert
from lesson_engine.contracts import Reply
from lesson_engine.errors import TurnStillRunning
from lesson_engine.models import Session, Turn
from lesson_engine.services import turns
from lesson_engine.services.sessions import session_enter
from routing.services.asking import question_ask
from tests.conftest import LessonMaker
from tests.hands import as_role
from tests.lesson_engine.services.threads import at_once

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not settings.EMBEDDED, reason="the log of another server is not here"),
]
Errors = Callable[[], list[str]]


@pytest.fixture
def errors() -> Iterator[Errors]:
    """What went wrong in this database since, by PostgreSQL's log, which is told to keep it for once."""
    log = Path(settings.VAR_DIR) / "postgres" / "log"
    begin = log.stat().st_size
    database = connection.ops.quote_name(connection.settings_dict["NAME"])
    with as_role(), connection.cursor() as cursor:
        cursor.execute(f"ALTER DATABASE {database} SET log_min_messages = 'error'")
    connection.close()
    yield lambda: [line for line in log.read_bytes()[begin:].decode(errors="replace").splitlines() if " ERROR:" in line]
    with as_role(), connection.cursor() as cursor:
        cursor.execute(f"ALTER DATABASE {database} RESET log_min_messages")
    connection.close()


def signed_up(name: str) -> bool:
    try:
        account_sign_up(username=name, password="correct horse battery")
    except RowThere:
        return False
    return True


def answer(session: Session) -> None:
    with suppress(TurnStillRunning):  # the others wait for the first, but not for long
        turns.session_answer(session=session, version=1, key="a", reply=Reply(text="sugar"))


def test_the_log_would_show_an_error(errors: Errors) -> None:
    with pytest.raises(DataError), transaction.atomic():
        connection.cursor().execute("SELECT 1 / 0")
    assert [line.partition("ERROR:")[2].strip() for line in errors()] == ["division by zero"]


def test_ten_at_once_are_one_and_no_error(errors: Errors, make_lesson: LessonMaker, learner: User) -> None:
    lesson, inge = make_lesson().lesson, User.objects.create_user("inge", role=Role.INTEGRATOR)
    assert sorted(at_once([partial(signed_up, name) for name in ["Marta", "marta"] * 5])) == [False] * 9 + [True]
    learners = at_once([partial(learner_of, integrator=inge, pseudonym="p") for _ in range(10)])
    assert len({one.pk for one in learners}) == 1
    entries = at_once([partial(session_enter, user=learner, lesson=lesson) for _ in range(10)])
    assert [entry.created for entry in entries].count(True) == 1
    question_ask(user=learner, message="Is rent deductible?")  # the first one loads what all need
    asked = [partial(question_ask, user=learner, message="Is rent deductible?", request_key="k") for _ in range(10)]
    assert len({plan.pk for plan in at_once(asked)}) == 1
    session = Session.objects.select_related("lesson").get()
    turns.session_continue(session=session, version=0, key="c")
    session.refresh_from_db()
    at_once([partial(answer, session) for _ in range(10)])
    assert Turn.objects.filter(kind="answer").count() == 1
    at_once([partial(heartbeat_record, name="worker") for _ in range(10)])
    assert errors() == []


def test_a_row_that_is_there_ends_no_transaction() -> None:
    row = User(username="eva", password="x")
    row_insert(row)
    assert User.objects.get(pk=row.pk).username == "eva"
    with transaction.atomic():
        with pytest.raises(RowThere):
            row_insert(User(username="EVA", password="x"))
        assert not Heartbeat.objects.exists()
