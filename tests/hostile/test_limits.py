"""How much one user and one address may ask for, on pages and through the API."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connections
from django.db.models import F
from django.test import Client, RequestFactory

from accounts.models import Scope, User
from accounts.sign_in.password_work import AT_ONCE, IN_LINE, password_slot
from core.limits.actions import ASK, START, TURN, ServerBusy, TooManyRequests, action_count
from core.limits.windows import rates_count
from core.models import RateWindow
from evaluation.api.views import HEAVIEST, weight_of
from lesson_engine.models import Session
from tests.accounts.conftest import PASSWORD
from tests.api.sessions import Program
from tests.conftest import LessonMaker
from tests.lesson_engine.services.threads import at_once
from tests.planning.api_plans import HOTEL, PLANNING, planned

pytestmark = pytest.mark.django_db
SCHOOL, ELSEWHERE = "192.0.2.7", "198.51.100.1"
START_LIGHT, ASKING = "/lessons/light/start/", "/consult/ask/"
SIGN_UP = "/account/sign-up/"


def browser(user: User | None = None, address: str = SCHOOL) -> Client:
    client = Client(REMOTE_ADDR=address)
    if user is not None:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


# At the default limits


def test_thirty_pupils_behind_one_address_start_at_once_and_sign_up(make_lesson: LessonMaker) -> None:
    make_lesson()
    pupils = [browser() for _ in range(30)]
    assert [pupil.post(START_LIGHT).status_code for pupil in pupils] == [302] * 30
    form = {"password1": PASSWORD, "password2": PASSWORD}
    answers = [pupil.post(SIGN_UP, {**form, "username": f"p{n}"}) for n, pupil in enumerate(pupils)]
    assert [answer.status_code for answer in answers] == [302] * 30
    assert Session.objects.filter(user__is_guest=False).count() == 30


def test_guests_have_no_limit_of_the_api_of_their_own(make_lesson: LessonMaker, settings: Any) -> None:
    make_lesson()
    settings.API_RATE_ADDRESS = 10
    guests = [browser() for _ in range(12)]
    for guest in guests:
        guest.post(START_LIGHT)
    assert [guest.get("/api/v1/lessons/").status_code for guest in guests] == [200] * 10 + [429] * 2
    assert guests[0].get("/api/v1/lessons/", REMOTE_ADDR=ELSEWHERE).status_code == 200


# Made smaller


def test_an_address_makes_so_many_newcomers_in_an_hour(make_lesson: LessonMaker, settings: Any, learner: User) -> None:
    make_lesson()
    settings.NEWCOMERS_ADDRESS = 2
    assert [browser().post(START_LIGHT).status_code for _ in range(2)] == [302, 302]
    form = {"username": "dora", "password1": PASSWORD, "password2": PASSWORD}
    for refused in (
        browser().post(START_LIGHT),
        browser().post(ASKING, {"message": "?"}),
        browser().post(SIGN_UP, form),
    ):
        assert refused.status_code == 429
        assert 60 < int(refused.headers["Retry-After"]) <= 3600
    assert User.objects.filter(is_guest=True).count() == 2
    assert browser(learner).post(START_LIGHT).status_code == 302, "whoever has an account is not new"
    assert browser(address=ELSEWHERE).post(START_LIGHT).status_code == 302


@pytest.mark.parametrize(("address", "form", "weight"), [(START_LIGHT, {}, 5), (ASKING, {"message": "IVA?"}, 3)])
def test_a_page_counts_for_its_user_and_for_its_address(
    make_lesson: LessonMaker, learner: User, stranger: User, settings: Any, address: str, form: Any, weight: int
) -> None:
    make_lesson()
    settings.WORK_RATE_USER, settings.WORK_RATE_ADDRESS = 2 * weight, 3 * weight
    ana, berto = browser(learner), browser(stranger)
    assert [ana.post(address, form).status_code for _ in range(2)] == [302, 302]
    assert ana.post(address, form, REMOTE_ADDR=ELSEWHERE).status_code == 429, "wherever the user is"
    assert [berto.post(address, form).status_code for _ in range(2)] == [302, 429], "whoever is at the address"


def test_what_is_posted_in_a_lesson_counts_for_its_user_alone(
    make_lesson: LessonMaker, learner: User, stranger: User, settings: Any
) -> None:
    make_lesson()
    settings.WORK_RATE_USER = settings.WORK_RATE_ADDRESS = 6
    for user in (learner, stranger):
        client = browser(user, address="" if user is stranger else SCHOOL)
        page = client.post(START_LIGHT)["Location"]
        posts = [client.post(f"{page}continue/", {"version": 9, "key": "k"}).status_code for _ in range(7)]
        assert posts == [200] * 6 + [429]
        assert client.get(page).status_code == 200, "looking is not limited"


def test_what_guests_post_in_lessons_counts_for_their_address(make_lesson: LessonMaker, settings: Any) -> None:
    make_lesson()
    guests = [browser() for _ in range(3)]
    pages = [guest.post(START_LIGHT)["Location"] for guest in guests]
    settings.WORK_RATE_ADDRESS = 4
    form = {"version": 9, "key": "k"}
    posts = [
        guest.post(f"{page}continue/", form).status_code
        for guest, page in zip(guests, pages, strict=True)
        for _ in range(2)
    ]
    assert posts == [200] * 4 + [429] * 2
    assert guests[2].post(f"{pages[2]}continue/", form, REMOTE_ADDR=ELSEWHERE).status_code == 200


def test_sixty_guests_of_a_school_answer_every_three_seconds(db: None) -> None:
    request = RequestFactory().post("/", REMOTE_ADDR=SCHOOL)
    for number in range(60):
        request.user = User(pk=number, is_guest=True)
        action_count(request, TURN, weight=20)


def test_a_person_is_told_on_a_page_and_through_htmx_in_words(learner: User, settings: Any) -> None:
    settings.WORK_RATE_USER = 2
    client = browser(learner)
    ask = partial(client.post, ASKING, {"message": "IVA?"})
    ask()
    page = ask()
    assert page.status_code == 429
    assert "One moment, please" in page.content.decode()
    part = ask(headers={"HX-Request": "true"})
    assert part.headers["Content-Type"].startswith("text/plain")
    assert part.headers["Retry-After"] in part.content.decode()
    assert "<" not in part.content.decode()


# Through the API


def test_the_api_and_pages_count_the_same(learner: User, settings: Any) -> None:
    settings.WORK_RATE_USER = 6
    program = Program(learner, scopes=(Scope.QUERY_PLANS_WRITE,))
    assert browser(learner).post(ASKING, {"message": "IVA?"}).status_code == 302
    assert program.post("query-plans/", {"message": "IVA?"}).status == 201
    refused = program.post("query-plans/", {"message": "IVA?"})
    assert (refused.status, refused.json["code"]) == (429, "too-many-requests")
    assert refused.headers["RateLimit-Remaining"] == "0"
    assert refused.headers["RateLimit-Limit"] == "6"


def test_a_large_evaluation_weighs_more_than_a_small_one(learner: User, settings: Any) -> None:
    program = Program(learner, scopes=PLANNING)
    address = f"plans/{planned(program, criteria=HOTEL)['id']}/evaluations/"
    settings.WORK_RATE_USER = 5
    large = {"execution_result": {f"key-{number}": number for number in range(600)}}
    assert program.post(address, large).status != 429
    assert program.post(address, large).status == 429
    RateWindow.objects.all().delete()
    small = {"execution_result": {"quality": 8}}
    assert [program.post(address, small).status == 429 for _ in range(6)] == [False] * 5 + [True]


def test_what_an_evaluation_weighs() -> None:
    result = {"orders": [{"price": number} for number in range(1000)]}
    assert [weight_of(criteria, result) for criteria in (2, 50)] == [10, 226]
    assert weight_of(2, {"quality": 8}) == 1
    assert weight_of(50, list(range(5000))) == HEAVIEST


def test_an_evaluation_weighs_by_the_texts_that_its_criteria_read(learner: User, settings: Any) -> None:
    notes = {f"note{number}": "near the sea " * 4500 for number in range(4)}
    assert [weight_of(criteria, notes) for criteria in (1, 10, 50)] == [24, 235, HEAVIEST]
    assert weight_of(1, {"name" * 5000: 1}) == 3, "names are read too"
    program = Program(learner, scopes=PLANNING)
    address = f"plans/{planned(program, criteria=HOTEL)['id']}/evaluations/"
    settings.WORK_RATE_USER = 20
    assert [program.post(address, {"execution_result": notes}).status == 429 for _ in range(2)] == [False, True]


# At once


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_no_more_pass_than_may(settings: Any) -> None:
    settings.WORK_RATE_ADDRESS = 10 * START.weight
    request = RequestFactory().post("/", REMOTE_ADDR=SCHOOL)
    request.user = User(pk=None)
    passed = at_once([partial(_passes, request, START)] * 16)
    assert sum(passed) == 10
    assert _passes(request, ASK) <= 1, "another action has windows of its own"


def _passes(request: Any, action: Any) -> int:
    try:
        action_count(request, action)
    except TooManyRequests:
        return 0
    return 1


def test_a_window_from_before_the_clock_was_set_back_has_ended(db: None) -> None:
    limits = {"ask:user:1": 1}
    assert [rates_count(limits)[0].left for _ in range(2)] == [0, -1]
    RateWindow.objects.update(started_at=F("started_at") + timedelta(hours=1))
    (state,) = rates_count(limits)
    assert state.left == 0
    assert state.resets_in <= 60


def test_a_window_that_began_a_moment_later_is_the_same(db: None) -> None:
    """Of two statements at once the one that came first to the clock may come second to the row."""
    limits = {"ask:user:1": 1}
    rates_count(limits)
    RateWindow.objects.update(started_at=F("started_at") + timedelta(seconds=2))
    assert rates_count(limits)[0].left == -1


def test_what_has_no_key_is_not_counted() -> None:
    with pytest.raises(ValueError, match="no key"):
        rates_count({})


def test_a_request_heavier_than_its_limit_passes_once_in_a_window(learner: User, settings: Any) -> None:
    settings.WORK_RATE_USER = 4
    request = RequestFactory().post("/", REMOTE_ADDR=SCHOOL)
    request.user = learner
    action_count(request, ASK, weight=1000)
    with pytest.raises(TooManyRequests):
        action_count(request, ASK, weight=1)


def test_passwords_are_worked_on_one_after_another_and_the_line_has_an_end(db: None) -> None:
    at_work, most, lock, full = 0, 0, threading.Lock(), threading.Event()
    refused = threading.Semaphore(0)

    def work() -> bool:
        nonlocal at_work, most
        try:
            with password_slot():
                with lock:
                    at_work += 1
                    most = max(most, at_work)
                assert full.wait(30)
                with lock:
                    at_work -= 1
        except ServerBusy:
            refused.release()
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(AT_ONCE + IN_LINE + 5) as pool:
        works = [pool.submit(work) for _ in range(AT_ONCE + IN_LINE + 5)]
        for _ in range(5):
            assert refused.acquire(timeout=30)
        full.set()
        done = [one.result(timeout=30) for one in works]
    assert (done.count(True), most) == (AT_ONCE + IN_LINE, AT_ONCE)


def test_who_finds_the_line_full_is_told_to_come_back(learner: User, full_line: None) -> None:
    page = browser().post("/account/sign-in/", {"username": "ana", "password": PASSWORD})
    assert (page.status_code, page.headers["Retry-After"]) == (503, "10")
    assert "One moment, please" in page.content.decode()
    form = {"username": "dora", "password1": PASSWORD, "password2": PASSWORD}
    assert browser().post(SIGN_UP, form).status_code == 503
    assert not User.objects.filter(username="dora").exists()
