"""What a learner sees of a turn that was left behind, and what becomes of one that cannot be finished."""

import pytest
from django.db import IntegrityError, connection
from django.test import Client

from config.database_roles import OWNER
from lesson_engine.contracts import Reply
from lesson_engine.errors import StaleSession
from lesson_engine.models import Mode, Session, Turn
from lesson_engine.services import turns
from lesson_engine.services.turns import state_of, turn_take_up
from lesson_engine.services.words import words_erase
from tests.hands import as_role
from tests.lesson_engine.learn.pages import Page
from tests.lesson_engine.services.conftest import turn_begun


def test_looking_at_the_page_finishes_what_a_killed_server_left(asking: Session, client: Client) -> None:
    turn_begun(asking, "They need it to sleep", lease=turns.LEASE * -1)
    client.force_login(asking.user, backend="django.contrib.auth.backends.ModelBackend")
    page = Page(client.get(f"/sessions/{asking.pk}/"))
    assert page.attempt.startswith("Attempt 2")
    assert "still being checked" not in page.words


def test_looking_at_the_page_says_that_an_answer_is_being_checked(asking: Session, client: Client) -> None:
    turn_begun(asking, "They need it to sleep", lease=turns.LEASE)
    client.force_login(asking.user, backend="django.contrib.auth.backends.ModelBackend")
    assert "still being checked" in Page(client.get(f"/sessions/{asking.pk}/")).words


def test_a_turn_that_failed_too_often_ends_without_being_counted(asking: Session) -> None:
    turn = turn_begun(asking, "They need it to sleep", lease=turns.LEASE * -1)
    Turn.objects.filter(pk=turn.pk).update(takes=turns.MOST_TAKES)
    assert turn_take_up(turn=Turn.objects.get(pk=turn.pk))
    assert Turn.objects.filter(pk=turn.pk, verdict__rule="grader.failed").exists()
    asking.refresh_from_db()
    assert state_of(asking).record("ASK_001").attempts == 0


@pytest.mark.django_db(transaction=True)
def test_a_fault_of_ours_is_not_taken_for_a_second_click(asking: Session) -> None:
    with as_role(OWNER), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE lesson_engine_learnertext ADD CONSTRAINT never CHECK (text <> 'sugar')")
    try:
        with pytest.raises(IntegrityError, match="never"):
            turns.session_answer(session=asking, version=asking.version, key="k", reply=Reply(text="sugar"))
        with pytest.raises(StaleSession):
            turns.session_answer(session=asking, version=asking.version - 1, key="k2", reply=Reply(text="sugar"))
    finally:
        with as_role(OWNER), connection.cursor() as cursor:
            cursor.execute("ALTER TABLE lesson_engine_learnertext DROP CONSTRAINT never")


def test_words_erased_while_a_click_is_under_way_do_not_come_back(asking: Session) -> None:
    told = turns.session_answer(
        session=asking, version=asking.version, key="k", reply=Reply(text="Plants do not make sugar with light")
    )
    read_before = Session.objects.select_related("lesson").get(pk=told.pk)
    words_erase(user_id=told.user_id)
    with pytest.raises(StaleSession):
        turns.session_set_mode(session=read_before, mode=Mode.ADAPTIVE, key="m")
    assert "details" not in (Session.objects.get(pk=told.pk).state["notice"]["verdict"])
