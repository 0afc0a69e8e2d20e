"""The queries of every page, pinned. A number that grows is a decision to take, not a number to adjust."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from lesson_engine.models import Session
from tests.accounts.conftest import PASSWORD
from tests.conftest import LessonMaker
from tests.lesson_engine.learn.conftest import MakePerson
from tests.lesson_engine.learn.pages import Person

Queries = Callable[[int], AbstractContextManager[Any]]

WHO = 2
"""1. the browser's session
2. its user"""
PAGE = WHO + 3
"""3. the lesson's session
4. a turn that is still running, if there were one
5. its budget, for the bar"""
ACT = WHO + 8
"""3. the lesson's session
4. how often they acted this minute
5. SAVEPOINT (BEGIN, outside a test)
6. the turn
7. the lesson session's new state
8. the chain's head, locked
9. the events and the chain's new head, in one statement
10. RELEASE (COMMIT)"""
ANSWER = ACT + 4
"""11. SAVEPOINT of the claim, before grading
12. the learner's words
13. RELEASE of the claim
14. the turn's outcome"""
IN_WORDS = ANSWER + 1
"""Whether staff judged answers to the question before; where they did, one more for those that are nearest."""
SHOW = 1
"""The budget, for the bar; htmx gets the page with the action's response."""

EXPECTED = {
    "reading": PAGE + 1,  # the first step: the session's goals
    "asking": PAGE,
    "asking again": PAGE + 1,  # what was answered stays in the field: the learner's words
    "closed": PAGE + 1,  # the same, beside the verdict
    "skipped": PAGE + 1,  # the last try, with its words: it is explained beside the answer
    "finished": PAGE + 2,  # what came of the goals, which nobody has written down yet; the goals
    "continue": ACT + SHOW,
    "hint": ACT + SHOW,
    "skip": ACT + SHOW + 1,  # the same
    "report": ACT + 1 + SHOW,  # the report itself
    "reported": PAGE,
    "finished with a report": PAGE + 3,  # the same; what staff decided
    "finishing with a report": ACT + 1 + SHOW + 3,  # the goals are to be evaluated
    "mode": ACT + SHOW,
    "finishing": ACT + 1 + SHOW + 2,  # the goals are to be evaluated
    "answer": ANSWER + SHOW,
    "answer in words": IN_WORDS + SHOW,
    "the same answer again": WHO + 5 + SHOW,  # the session; how often; its turn; a running one; the session anew
    "a stale answer": WHO + 5 + SHOW,  # the same
    "an answer without htmx": IN_WORDS,
}


def described(slug: str) -> dict[str, Any]:
    return {"slug": slug, "title": slug, "language": "en", "summary": "Light.", "objectives": ["Know."]}


@pytest.mark.parametrize("lessons", [0, 1, 3])
def test_home_does_not_grow_with_lessons(
    make_lesson: LessonMaker, person: MakePerson, django_assert_num_queries: Queries, lessons: int
) -> None:
    one = person()
    for number in range(lessons):
        make_lesson(meta=described(f"light-{number}"))
        one.start(f"light-{number}")
    with django_assert_num_queries(2):  # the courses; the lessons
        Client().get("/")
    with django_assert_num_queries(WHO + 3):  # the reader's latest session of each lesson; the courses; the lessons
        one.client.get("/")


def test_the_lesson_page(make_lesson: LessonMaker, person: MakePerson, django_assert_num_queries: Queries) -> None:
    make_lesson()
    one = person()
    with django_assert_num_queries(2):  # the version; its file, once in the life of a process
        Client().get("/lessons/light/")
    with django_assert_num_queries(1):  # the version
        Client().get("/lessons/light/")
    with django_assert_num_queries(WHO + 2):  # the version; the reader's latest session
        one.client.get("/lessons/light/")


def test_starting(make_lesson: LessonMaker, person: MakePerson, django_assert_num_queries: Queries) -> None:
    make_lesson()
    one = person(at="light")
    one.walk(lambda somebody: somebody.dont_know())
    # 3. the version; 4. an active session, if there were one; 5. SAVEPOINT; 6. the lesson, held; 7. its withdrawn
    # questions; 8. the session; 9. its account and the account's first entry; 10. the chain's head, if there were one;
    # 11. the chain; 12. its head, locked; 13. the event and the head; 14. RELEASE; then the session's plan:
    # 15. episodes that matter; 16. preferences; 17. adjustments; 18.-26. three timings, each in a savepoint;
    # 27.-35. the person stays; plan, steps, criteria and event, in a savepoint; 36.-38. whose plan it is; and, after
    # 3., how much they and their address began this minute
    with django_assert_num_queries(WHO + 38):
        one.client.post("/lessons/light/start/")
    with django_assert_num_queries(WHO + 3):  # the version; how much this minute; the active session
        one.client.post("/lessons/light/start/")


def test_accounts(learner: User, client: Client, django_assert_num_queries: Queries) -> None:
    for address in ("/account/sign-in/", "/account/sign-up/"):
        with django_assert_num_queries(0):  # nobody is known yet
            client.get(address)
    # 1.-3. how many sign-ins from the address this minute, and how many wrong ones in it and in the day; 4. failures so
    # far; 5. the user; 6. it is no wrong one; 7.-10. a new browser session, its key checked first, in a savepoint;
    # 11. old failures, forgotten; 12. failures of this sign-in; 13. last_login; 14.-16. the browser session, saved
    with django_assert_num_queries(16):
        client.post("/account/sign-in/", {"username": "ana", "password": "correct horse battery"})
    for address in ("/account/sign-in/", "/account/sign-up/"):
        with django_assert_num_queries(WHO):
            client.get(address)


def test_signing_up(client: Client, learner: User, django_assert_num_queries: Queries) -> None:
    form = {"username": "dora", "password1": PASSWORD, "password2": PASSWORD}
    with django_assert_num_queries(2):  # how many sign-ups from the address this minute; the name is taken
        client.post("/account/sign-up/", {**form, "username": "Ana"})
    # 1. how many sign-ups from the address this minute; 2.-4. the name is free: to Django's form, to the constraint in
    # any case, to the column; 5. how many newcomers this hour; 6.-10. others with the name wait, and there are none,
    # the user, in a savepoint; 11.-14. a new browser session, its key checked first, in a savepoint; 15.-16. failures,
    # of which there are none; 17. last_login; 18.-20. the browser session, saved
    with django_assert_num_queries(20):
        client.post("/account/sign-up/", form)


def test_a_guest_signs_up(make_lesson: LessonMaker, client: Client, django_assert_num_queries: Queries) -> None:
    make_lesson()
    Person(client).start("light")
    form = {"username": "dora", "password1": PASSWORD, "password2": PASSWORD}
    # 3. how many sign-ups; 4.-6. the name is free; 7. how many newcomers; 8.-13. others with the name wait, and there
    # are none, the guest, locked, becomes the account, in a savepoint; 14.-15. the old browser session goes; 16.-17.
    # failures; 18. last_login; 19.-22. a new browser session
    with django_assert_num_queries(WHO + 20):
        client.post("/account/sign-up/", form)


@pytest.mark.parametrize("lessons", [1, 3])
def test_a_guest_signs_in(
    make_lesson: LessonMaker, learner: User, client: Client, django_assert_num_queries: Queries, lessons: int
) -> None:
    one = Person(client)
    for number in range(lessons):
        make_lesson(meta=described(f"light-{number}"))
        one.start(f"light-{number}")
    # 3.-5. how many sign-ins, and how many wrong ones, of a minute and of a day; 6. failures so far; 7. the account;
    # 8. it is no wrong one; 9.-15. the guest, locked, and the sessions of both, moved at once, in two savepoints;
    # 16. their calls to models; 17.-23. their memories, plans and patterns; 24. their questions; 25.-53. the guest is
    # gone, with one look at each table that may point at a person; 54.-55. the old browser session goes;
    # 56.-57. failures; 58. last_login; 59.-62. a new browser session
    with django_assert_num_queries(WHO + 60):
        client.post("/account/sign-in/", {"username": "ana", "password": PASSWORD})


def test_signing_out(person: MakePerson, client: Client, django_assert_num_queries: Queries) -> None:
    one = person().client
    with django_assert_num_queries(WHO + 3):  # a log that is not kept; the browser session, twice
        one.post("/account/sign-out/")
    with django_assert_num_queries(1):  # the log that is not kept
        client.post("/account/sign-out/")


def test_the_language(person: MakePerson, client: Client, django_assert_num_queries: Queries) -> None:
    one = person().client
    for browser in (client, one):
        with django_assert_num_queries(0):
            browser.post("/language/", {"language": "es", "next": "/"})


def test_what_is_not_there(person: MakePerson, client: Client, django_assert_num_queries: Queries) -> None:
    one = person().client
    with django_assert_num_queries(0):
        client.get("/nowhere/")
    with django_assert_num_queries(WHO):  # for the header
        one.get("/nowhere/")


def test_what_machines_ask(person: MakePerson, django_assert_num_queries: Queries) -> None:
    one = person().client
    with django_assert_num_queries(0):
        one.get("/healthz")
        one.get("/lesson-format/1/schema.json")
    one.get("/readyz")
    with django_assert_num_queries(2):  # whether the database answers; the worker's heartbeat
        one.get("/readyz")


class Meter:
    """Does things at the page and holds each to its number."""

    def __init__(self, one: Person, queries: Queries) -> None:
        self.one, self.queries, self.clicks = one, queries, 0

    def look(self, name: str) -> None:
        with self.queries(EXPECTED[name]):
            self.one.client.get(self.one.address, headers={"HX-Request": "true"})

    def click(self, name: str, action: str, **more: Any) -> dict[str, Any]:
        """Send what the page of the session's present version would send."""
        self.clicks += 1
        data = {"version": Session.objects.get().version, "key": f"key-{self.clicks}", **more}
        self.send(name, action, data)
        return data

    def send(self, name: str, action: str, data: dict[str, Any]) -> None:
        headers = {} if "without" in name else {"HX-Request": "true"}
        with self.queries(EXPECTED[name]):
            self.one.client.post(f"{self.one.address}{action}/", data, headers=headers)


@pytest.mark.usefixtures("wrong_network")
def test_a_walk_through_every_page_of_the_player(
    make_lesson: LessonMaker, person: MakePerson, django_assert_num_queries: Queries
) -> None:
    make_lesson()
    meter = Meter(person(at="light"), django_assert_num_queries)
    meter.look("reading")
    meter.click("continue", "continue")
    meter.look("asking")
    meter.click("hint", "hint")
    meter.click("mode", "mode", mode="adaptive")
    meter.click("mode", "mode", mode="deterministic")
    sent = meter.click("answer in words", "answers", answer="Plants need light to sleep")
    meter.send("the same answer again", "answers", sent)
    meter.send("a stale answer", "answers", {**sent, "key": "another"})
    meter.look("asking again")
    meter.click("an answer without htmx", "answers", answer="Plants need light to grow hair")
    meter.click("skip", "skip")
    meter.look("skipped")
    meter.click("continue", "continue")
    meter.click("answer", "answers", answer="6")
    meter.look("closed")
    meter.click("finishing", "continue")
    meter.look("finished")


def test_reporting_a_question(make_lesson: LessonMaker, person: MakePerson, django_assert_num_queries: Queries) -> None:
    make_lesson()
    meter = Meter(person(at="light"), django_assert_num_queries)
    meter.click("continue", "continue")
    meter.click("report", "report", kind="unclear", comment="What is meant?")
    meter.look("reported")
    meter.click("continue", "continue")
    meter.click("answer", "answers", answer="6")
    meter.click("report", "report", kind="other")
    meter.click("finishing with a report", "continue")
    meter.look("finished with a report")
