"""Erasing a learner: their words and name are gone from every row, and the chains stay whole."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from io import StringIO
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from accounts.errors import EraseRefused
from accounts.models import ApiToken, Role, Scope, User
from accounts.services import guest_absorb, guest_create, learner_erase, learner_of, token_issue
from accounts.services.people import account_sign_up
from core.models import IdempotentRequest
from lesson_engine.errors import StaleSession, TurnStillRunning
from lesson_engine.models import LearnerText, QuestionReport, Session, Turn
from lesson_engine.services.questions import question_report
from lesson_engine.services.words import late_words_erase
from telemetry.models import Chain, Event
from tests.accounts.conftest import PASSWORD
from tests.api.sessions import Program
from tests.conftest import LessonMaker
from tests.lesson_engine.admin.conftest import Walk
from tests.lesson_engine.services.threads import at_once

NAME, WORDS = "quintilla", "pomegranate juice"


@pytest.fixture
def quintilla(db: None) -> User:
    """Somebody whose name is written wherever it can be."""
    user = User.objects.create_user(
        NAME, f"{NAME}@example.org", PASSWORD, first_name=NAME.title(), last_name=NAME.upper()
    )
    Client().post("/account/sign-in/", {"username": NAME.title(), "password": "wrong"})
    return user


@pytest.fixture
def session(quintilla: User, make_lesson: LessonMaker) -> Session:
    """Their walk, with answers, a comment, and what the API keeps for a repeated request."""
    walk = Walk(quintilla, make_lesson()).go_on()
    walk.answer(f"It is for {WORDS}.")
    answer = Program(quintilla).start("light").send("answers", text=WORDS)
    assert answer.status == 200, answer.text
    session = Session.objects.select_related("lesson").get()
    question_report(
        session=session, version=session.version, key="r", kind=QuestionReport.Kind.OTHER, comment=f"I like {WORDS}"
    )
    return Session.objects.get()


def everywhere() -> Iterator[tuple[str, str]]:
    """Every row of every table, as JSON."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT row_to_json(t)::text FROM "{table}" t')
            yield from ((table, row) for (row,) in cursor.fetchall())


def found(*words: str) -> set[str]:
    """Tables that still hold one of these, in any case, or in bytes."""
    wanted = [word.lower() for word in words] + [word.encode().hex() for word in words]
    return {table for table, row in everywhere() if any(word in row.lower() for word in wanted)}


def chains_are_whole() -> bool:
    out = StringIO()
    call_command("audit_verify", stdout=out)
    return True


def test_name_and_words_are_in_no_row_of_any_table(quintilla: User, session: Session, staff: User) -> None:
    token_issue(user=quintilla, name=f"{NAME}'s laptop", scopes=[Scope.LESSONS_READ], days=1)
    LogEntry.objects.log_actions(staff.pk, [quintilla], CHANGE, "Changed.", single_object=True)
    tokens = list(ApiToken.objects.filter(user=quintilla))
    LogEntry.objects.log_actions(staff.pk, tokens, CHANGE, "Revoked.")
    before = found(NAME, WORDS)
    assert {"accounts_user", "accounts_apitoken", "axes_accessattempt", "django_admin_log"} <= before
    assert {"lesson_engine_learnertext", "lesson_engine_questionreport"} <= before
    assert IdempotentRequest.objects.exists()
    assert learner_erase(user=quintilla, by=staff)
    assert found(NAME, WORDS, NAME.title()) == set()
    assert not ApiToken.objects.exists()
    assert not IdempotentRequest.objects.exists()
    quintilla.refresh_from_db()
    assert quintilla.username.startswith("erased-")
    assert not quintilla.is_active
    assert not quintilla.has_usable_password()
    assert quintilla.erased_at is not None


def test_nothing_is_left_to_guess_the_words_from(quintilla: User, session: Session) -> None:
    learner_erase(user=quintilla)
    assert not LearnerText.objects.filter(salt__isnull=False).exists()
    assert not Turn.objects.filter(kind__in=("answer", "report")).exclude(fingerprint="").exists()


def test_what_they_did_stays_and_the_chains_are_whole(quintilla: User, session: Session) -> None:
    turns, events = Turn.objects.count(), Event.objects.filter(chain_id=str(session.pk)).count()
    verdicts = list(Turn.objects.order_by("version").values_list("result", flat=True))
    learner_erase(user=quintilla)
    assert Turn.objects.count() == turns
    assert list(Turn.objects.order_by("version").values_list("result", flat=True)) == verdicts
    last = Event.objects.filter(chain_id=str(session.pk)).order_by("seq").last()
    assert last is not None
    assert (last.seq, last.event, last.data) == (events + 1, "learner.erased", {})
    assert chains_are_whole()
    assert not Chain.objects.filter(broken_at__isnull=False).exists()


def test_nobody_is_signed_in_as_them_any_more(quintilla: User, session: Session) -> None:
    browser = Client()
    browser.post("/account/sign-in/", {"username": NAME, "password": PASSWORD})
    program = Program(quintilla)
    assert browser.get(f"/sessions/{session.pk}/").status_code == 200
    assert program.get("lessons/").status == 200
    learner_erase(user=quintilla)
    assert browser.get(f"/sessions/{session.pk}/").status_code == 404
    assert program.get("lessons/").status == 401
    again = Client().post("/account/sign-in/", {"username": NAME, "password": PASSWORD})
    assert again.status_code == 200
    form = {"username": NAME, "password1": PASSWORD, "password2": PASSWORD}
    assert Client().post("/account/sign-up/", form).status_code == 302, "the name is free"


def test_others_lose_nothing(quintilla: User, session: Session, learner: User) -> None:
    mine = Walk(learner, session.lesson_version).go_on().answer(WORDS)
    Client().post("/account/sign-in/", {"username": "ana", "password": "wrong"})
    token_issue(user=learner, name="mine", scopes=[Scope.LESSONS_READ], days=1)
    learner_erase(user=quintilla)
    assert LearnerText.objects.get(turn__session=mine.session, erased_at=None).text == WORDS
    assert AccessAttempt.objects.get().username == "ana"
    assert learner.api_tokens.exists()


def test_erasing_twice_is_as_once(quintilla: User, session: Session) -> None:
    assert learner_erase(user=quintilla)
    once = list(everywhere())
    assert not learner_erase(user=quintilla)
    assert list(everywhere()) == once


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_one_erases(quintilla: User, session: Session) -> None:
    assert sorted(at_once([lambda: learner_erase(user=quintilla)] * 3)) == [False, False, True]
    assert Event.objects.filter(event="learner.erased").count() == 1
    assert chains_are_whole()


@pytest.mark.django_db(transaction=True)
def test_answers_that_come_while_they_are_erased_leave_no_words(quintilla: User, make_lesson: LessonMaker) -> None:
    walks = [Walk(quintilla, make_lesson(meta=meta(number))).go_on() for number in range(3)]

    def answers(walk: Walk) -> None:
        with suppress(StaleSession, TurnStillRunning):
            for _ in range(2):
                walk.answer(WORDS)

    works: list[Callable[[], object]] = [partial(answers, walk) for walk in walks]
    at_once([*works, lambda: learner_erase(user=quintilla)])
    late_words_erase()
    assert found(NAME, WORDS) == set()
    assert chains_are_whole()


def meta(number: int) -> dict[str, Any]:
    about = {"title": "Light", "language": "en", "summary": "Light.", "objectives": ["Light"]}
    return {"slug": f"light-{number}", **about}


@pytest.mark.parametrize(
    "rights", [{"role": Role.STAFF}, {"role": Role.STAFF, "is_staff": True}, {"is_superuser": True}]
)
def test_staff_is_not_erased(learner: User, rights: dict[str, Any]) -> None:
    User.objects.filter(pk=learner.pk).update(**rights)
    with pytest.raises(EraseRefused, match="Take their role away"):
        learner_erase(user=learner)
    learner.refresh_from_db()
    assert learner.username == "ana"


def test_what_an_integrators_program_asked_for_a_learner_goes_with_them(make_lesson: LessonMaker, db: None) -> None:
    make_lesson()
    integrator = User.objects.create_user("ines", role=Role.INTEGRATOR)
    program = Program(integrator)
    body = {"lesson": "light", "learner": NAME}
    program.post("sessions/", body, **{"Idempotency-Key": "k" * 16})
    learner_erase(user=learner_of(integrator=integrator, pseudonym=NAME))
    assert not IdempotentRequest.objects.exists()
    assert found(NAME) == set()


@pytest.mark.django_db
def test_a_guest_who_was_erased_stays_so(learner: User) -> None:
    guest = guest_create()
    learner_erase(user=guest)
    made = account_sign_up(username="dora", password=PASSWORD, guest=guest)
    assert made.pk != guest.pk
    guest_absorb(guest=guest, account=learner)
    guest.refresh_from_db()
    assert guest.erased_at is not None


def erase(*arguments: str) -> str:
    out = StringIO()
    call_command("erase_learner", *arguments, stdout=out)
    return out.getvalue().strip()


def test_the_command_erases_after_the_name_was_typed(
    quintilla: User, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    for typed in ("", "no", NAME.upper()):
        monkeypatch.setattr("builtins.input", lambda _, typed=typed: typed)
        with pytest.raises(CommandError, match="no account was erased"):
            erase(NAME)
    monkeypatch.setattr("builtins.input", lambda _: NAME)
    assert erase(NAME.upper()) == "erased"
    quintilla.refresh_from_db()
    assert erase(quintilla.username, "--yes") == "had been erased before"
    assert found(NAME, WORDS) == set()


def test_the_command_refuses_in_words(staff: User) -> None:
    with pytest.raises(CommandError, match="no user is called"):
        erase("nobody", "--yes")
    with pytest.raises(CommandError, match="Staff cannot be erased"):
        erase("carla", "--yes")


def test_every_place_that_names_a_person_is_looked_at() -> None:
    """Whoever gives a row to a person says here what becomes of it when they are erased."""
    known = {
        "accounts.ApiToken.user": "deleted",
        "accounts.User.managed_by": "erased first",
        "admin.LogEntry.user": "staff",
        "gateway.Alert.seen_by": "staff",
        "gateway.Entry.by": "staff",
        "gateway.Hold.user": "stays, without the text",
        "gateway.Price.by": "staff",
        "lesson_engine.LessonVersion.uploaded_by": "staff",
        "lesson_engine.Publication.by": "staff",
        "lesson_engine.QuestionReport.resolved_by": "staff",
        "lesson_engine.QuestionVoid.by": "staff",
        "lesson_engine.VerdictReview.by": "staff",
        "lesson_engine.Session.user": "stays, without words",
        "memory.Episode.user": "deleted",
        "memory.MemoryRoom.user": "deleted",
        "memory.Preference.user": "deleted",
        "memory.StrategyAdjustment.user": "deleted",
        "planning.Plan.user": "deleted",
        "reflection.Attempt.by": "staff",
        "reflection.Pattern.user": "deleted",
        "reflection.ReflectionReview.by": "staff",
        "routing.LabelledExample.reviewed_by": "staff",
        "routing.Question.user": "stays, without words",
        "otp_static.StaticDevice.user": "deleted",
        "otp_totp.TOTPDevice.user": "deleted",
    }
    there = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if field.is_relation and field.concrete and field.related_model is User and not field.many_to_many
    }
    assert there == set(known)
