"""One word, said through every door that stores, is in no column of no table once its learner is erased."""

from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.test import Client
from django.urls import reverse

from accounts.models import Role, Scope, User
from accounts.services import learner_erase, token_issue
from evaluation.models import Evaluation
from gateway.models import CallText
from lesson_engine.models import Session, Turn
from lesson_engine.tasks import evaluate_goals
from memory.services import episode_store, preference_set
from routing.models import Question
from tests.accounts.conftest import PASSWORD
from tests.accounts.test_erasing import chains_are_whole, found
from tests.api.sessions import LEARNING, Program, integrator_create
from tests.conftest import LessonMaker
from tests.lesson_engine.learn.pages import Person
from tests.planning.api_plans import HOTEL, PLANNING
from tests.provider import Provider, says
from tests.reflection.api_rows import reflect_all

WORD = "zarzaparrilla"
SCOPES = (*LEARNING, *PLANNING, Scope.QUERY_PLANS_READ, Scope.QUERY_PLANS_WRITE, Scope.AUDIT_READ)
REJECTED = {"hotel_selected": {"quality": 5, "price": 80, "name": WORD}, "user_feedback": f"rejected - {WORD}"}
CONFIRMED = {"hotel_selected": {"quality": 8, "price": 150, WORD: WORD}, "user_feedback": "confirmed"}


def by_api(program: Program, **whom: str) -> None:
    """Every operation of the API that keeps something of a body or of a key."""

    def post(path: str, body: object, key: str) -> Any:
        answer = program.post(path, body, idempotency_key=f"{WORD}-{key}-{program!r}"[:60].replace(" ", ""))
        assert answer.status in (200, 201), answer.text
        return answer.json

    walk = program.start("light", **whom)
    while walk.now["phase"] != "asking":
        walk.now = walk.send("continue", key=f"{WORD}-{walk.now['version']}").json
    for action, body in (("hint", {}), ("answers", {"text": f"It is {WORD}."}), ("answers", {"text": WORD * 3})):
        walk.now = walk.send(action, key=f"{WORD}-{walk.now['version']}", **body).json
    long_key = f"{WORD}-{'x' * 100}"
    assert walk.send("report", key=long_key, kind="other", comment=f"I like {WORD}").status == 200
    walk.look()
    walk.send("continue", key=f"{WORD}-last")
    for number, result in enumerate((REJECTED, CONFIRMED)):
        task = f"Book hotel {WORD.title()} in Paris, {number + 2} nights"
        plan = post("plans/", {"task": task, "criteria": [*HOTEL, f"{WORD} = yes"], **whom}, f"p{number}")
        post(f"plans/{plan['id']}/evaluations/", {"execution_result": result}, f"e{number}")
    post("plans/", {"task": f"Buy {WORD} for the party", "task_type": WORD, **whom}, "t")
    asked = post("query-plans/", {"message": f"¿Es buen momento para {WORD}?", **whom}, "q")
    post(f"query-plans/{asked['id']}/corrections/", {"domain": "tax"}, "c")


def by_pages(browser: Client) -> None:
    """Pages of a guest, who signs up under the word."""
    person = Person(browser)
    person.start("light")
    person.go_to_question()
    person.answer(f"{WORD} and light", key=f"{WORD}-click")
    person.hint()
    asked = browser.post(reverse("routing:ask"), {"message": f"Where does {WORD} grow?", "key": WORD})
    assert asked.status_code == 302
    form = {"username": WORD.title(), "password1": PASSWORD, "password2": PASSWORD}
    assert browser.post("/account/sign-up/", form).status_code == 302
    name = {"username": WORD.upper(), "password": "wrong"}
    Client(headers={"User-Agent": WORD}).post(f"/account/sign-in/?next=/{WORD}", name)


def notes_of_staff(person: User, staff: User) -> None:
    """What the administration's history says of them and of their tokens, the only rows of people that it tells of."""
    User.objects.filter(pk=person.pk).update(email=f"{WORD}@example.org", last_name=WORD)
    person.refresh_from_db()
    for row in (person, *person.api_tokens.all()):
        LogEntry.objects.log_actions(staff.pk, [row], CHANGE, f"Changed {WORD}.", single_object=True)


def played(browser: Client, staff: User) -> User:
    by_pages(browser)
    person = User.objects.get(username__iexact=WORD)
    User.objects.filter(pk=person.pk).update(role=Role.INTEGRATOR)
    person.refresh_from_db()
    by_api(Program(person, scopes=SCOPES))
    episode_store(user=person, content=f"{WORD} was liked", task_type="hotel_booking", outcome="success")
    preference_set(user=person, text=f"{WORD} over price")
    reflect_all()
    evaluate_goals()
    token_issue(user=person, name=f"{WORD} laptop", scopes=[Scope.LESSONS_READ], days=1)
    notes_of_staff(person, staff)
    return person


@pytest.fixture(autouse=True)
def _a_lesson_and_its_model(make_lesson: LessonMaker, provider: Provider, settings: Any) -> None:
    settings.MODEL_TEXT_LOG = True
    provider.always(says(f'{{"verdict": "PARTIAL", "confidence": "high", "feedback": "{WORD}"}}'))
    make_lesson()


@pytest.mark.hard
@pytest.mark.django_db(transaction=True)
def test_of_an_account_nothing_is_left(client: Client, staff: User) -> None:
    person = played(client, staff)
    Turn.objects.filter(version=1).update(key=f"{WORD} as it was stored before")
    everywhere = found(WORD)
    assert {"lesson_engine_learnertext", "lesson_engine_turn", "lesson_engine_questionreport"} <= everywhere
    assert {"planning_plan", "planning_criterion", "evaluation_evaluation", "memory_episode"} <= everywhere
    assert {"routing_question", "core_idempotentrequest", "django_admin_log", "axes_accessattempt"} <= everywhere
    assert {"accounts_user", "accounts_apitoken", "reflection_attempt"} <= everywhere
    assert CallText.objects.exists()
    assert learner_erase(user=person, by=staff)
    assert found(WORD, WORD[:-1]) == set()
    assert not Evaluation.objects.exists()
    assert not Question.objects.exclude(request_key="").exists()
    assert Session.objects.exists()
    assert {turn.key[:7] for turn in Turn.objects.all()} == {"erased "}
    assert chains_are_whole()


@pytest.mark.hard
@pytest.mark.django_db(transaction=True)
def test_of_a_managed_learner_nothing_is_left(staff: User) -> None:
    program = Program(integrator_create(), scopes=SCOPES)
    by_api(program, learner=WORD)
    person = User.objects.get(pseudonym=WORD)
    notes_of_staff(person, staff)
    assert program.post("learners/erase/", {"learner": WORD}, idempotency_key=f"{WORD}-erase").status == 204
    program.post("learners/erase/", {"learner": WORD})
    assert found(WORD, WORD[:-1]) == set()
    assert chains_are_whole()
