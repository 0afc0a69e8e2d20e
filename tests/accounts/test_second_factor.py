"""The second factor of staff: set up, asked for, used once, lost, guessed at."""

import time
from base64 import b64decode
from datetime import timedelta
from io import StringIO
from typing import Any
from urllib.parse import unquote

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from accounts.models import Role, Scope, User
from accounts.services import guest_create, second_factor_check, second_factor_reset
from accounts.staff.access import staff_required
from tests.accounts.conftest import PASSWORD
from tests.accounts.phone import ENTER, SET_UP, Phone, scan, set_up
from tests.accounts.test_api_auth import Telemetry
from tests.lesson_engine.learn.pages import Page
from tests.lesson_engine.services.threads import at_once

ADMIN = "/admin/"
LIMIT = settings.AXES_FAILURE_LIMIT


@pytest.fixture(autouse=True)
def _asked_for(settings: Settings) -> None:
    settings.STAFF_WITHOUT_SECOND_FACTOR = ""


@pytest.fixture
def desk(staff: User) -> Client:
    """A browser in which staff signed in with the password."""
    client = Client()
    client.post("/account/sign-in/", {"username": "carla", "password": PASSWORD})
    return client


@pytest.fixture
def phone(staff: User) -> tuple[Phone, list[str]]:
    """A phone that was set up in another browser, and its recovery codes."""
    elsewhere = Client()
    elsewhere.force_login(staff, "django.contrib.auth.backends.ModelBackend")
    return set_up(elsewhere)


def enters(client: Client, code: str, **more: str) -> bool:
    """Whether this code opens the administration."""
    client.post(ENTER, {"code": code, **more})
    return bool(client.get(ADMIN).status_code == 200)


def time_passes() -> None:
    """What a device waits for after a wrong code is over."""
    before = timezone.now() - timedelta(hours=1)
    for model in (TOTPDevice, StaticDevice):
        model.objects.filter(throttling_failure_count__gt=0).update(throttling_failure_timestamp=before)


def test_the_first_way_into_the_administration_leads_over_setting_a_phone_up(desk: Client) -> None:
    response = desk.get("/admin/auth/group/", follow=True)
    assert response.redirect_chain[-1][0] == f"{SET_UP}?next=%2Fadmin%2Fauth%2Fgroup%2F"
    key = Page(response).tree.one("input", class_="secret").attrs["value"]
    shown = Page(desk.post(SET_UP, {"code": Phone(key).code(), "next": "/admin/auth/group/"}))
    assert len(shown.tree.one("ul", class_="codes").find("code")) == 10
    assert shown.tree.one("p", class_="go-on").one("a").attrs["href"] == "/admin/auth/group/"
    assert desk.get("/admin/auth/group/").status_code == 200


def test_the_picture_holds_the_key_that_stands_as_text(desk: Client) -> None:
    page = Page(desk.get(SET_UP))
    picture = page.tree.one("img", class_="qr").attrs["src"]
    assert picture.startswith("data:image/svg+xml")
    assert "<svg" in unquote(picture)
    key = page.tree.one("input", class_="secret").attrs["value"]
    assert len(b64decode(key.replace(" ", "") + "=" * 8, validate=False)) >= 20


def test_the_key_stays_the_same_while_it_is_set_up_and_is_another_one_in_another_browser(desk: Client) -> None:
    def keys(client: Client) -> str:
        return Page(client.get(SET_UP)).tree.one("input", class_="secret").attrs["value"]

    other = Client()
    other.post("/account/sign-in/", {"username": "carla", "password": PASSWORD})
    assert keys(desk) == keys(desk)
    assert keys(desk) != keys(other)


def test_a_wrong_first_code_sets_nothing_up(desk: Client) -> None:
    phone = scan(desk)
    for wrong in (phone.wrong(), "", "abcdef", "\u0661\u0662\u0663\u0664\u0665\u0666", "9" * 33):
        assert desk.post(SET_UP, {"code": wrong}).status_code == 422
    assert not TOTPDevice.objects.exists()
    assert desk.post(SET_UP, {"code": phone.code()}).status_code == 200
    assert TOTPDevice.objects.exists()


def test_a_code_is_asked_for_after_signing_in(desk: Client, phone: tuple[Phone, list[str]]) -> None:
    response = desk.get(ADMIN, follow=True)
    assert response.redirect_chain[-1][0] == f"{ENTER}?next=%2Fadmin%2F"
    form = Page(response).tree.one("form", class_="stack")
    assert form.one("input", type="hidden", name="next").attrs["value"] == ADMIN
    assert desk.post(ENTER, {"code": phone[0].code(), "next": ADMIN})["Location"] == ADMIN
    assert desk.get(ADMIN).status_code == 200


def test_a_code_works_once(desk: Client, phone: tuple[Phone, list[str]], staff: User) -> None:
    code = phone[0].code()
    assert enters(desk, code)
    again = Client()
    again.force_login(staff, "django.contrib.auth.backends.ModelBackend")
    assert not enters(again, code)
    assert not enters(again, phone[0].again())


def test_the_code_that_set_it_up_does_not_work_again(desk: Client, phone: tuple[Phone, list[str]]) -> None:
    assert not enters(desk, phone[0].again())


@pytest.mark.django_db(transaction=True)
def test_one_code_sent_many_times_at_once_is_right_once(staff: User, phone: tuple[Phone, list[str]]) -> None:
    for code in (phone[0].code(), phone[1][0]):
        checked = at_once([lambda code=code: second_factor_check(user=staff, code=code)] * 4)  # type: ignore[misc]
        assert sum(one.device is not None for one in checked) == 1
        time_passes()


def test_a_recovery_code_lets_in_once_however_it_is_typed(desk: Client, phone: tuple[Phone, list[str]]) -> None:
    first, second = phone[1][:2]
    assert first != second
    assert enters(desk, first.upper().replace("-", " "))
    assert StaticToken.objects.count() == 9
    assert not enters(signed_in_again(desk), first)
    time_passes()
    assert enters(signed_in_again(desk), second)


def signed_in_again(client: Client) -> Client:
    client.post("/account/sign-out/")
    client.post("/account/sign-in/", {"username": "carla", "password": PASSWORD})
    return client


def test_the_last_recovery_codes_are_announced(desk: Client, phone: tuple[Phone, list[str]]) -> None:
    StaticToken.objects.exclude(token__in=[code.replace("-", "") for code in phone[1][:3]]).delete()
    assert enters(desk, phone[1][0])
    signed_in_again(desk)
    response = desk.post(ENTER, {"code": phone[1][1], "next": ADMIN}, follow=True)
    assert "You have 1 recovery code left" in Page(response).words


def test_signing_out_forgets_that_a_code_was_entered(desk: Client, phone: tuple[Phone, list[str]]) -> None:
    assert enters(desk, phone[0].code())
    signed_in_again(desk)
    assert desk.get(ADMIN).status_code == 302


def test_an_entered_code_counts_for_half_a_day(desk: Client, phone: tuple[Phone, list[str]]) -> None:
    assert enters(desk, phone[0].code())
    session = desk.session
    session["second_factor_entered"] = int(time.time()) - 12 * 3600 - 1
    session.save()
    assert desk.get(ADMIN).status_code == 302
    session["second_factor_entered"] = int(time.time()) + 3600  # from the future
    session.save()
    assert desk.get(ADMIN).status_code == 302


def test_the_sessions_key_changes_with_the_second_factor(desk: Client, phone: tuple[Phone, list[str]]) -> None:
    before = desk.cookies["andamio_session"].value
    assert enters(desk, phone[0].code())
    assert desk.cookies["andamio_session"].value != before


def test_another_phone_takes_the_place_of_the_first(desk: Client, phone: tuple[Phone, list[str]], staff: User) -> None:
    assert desk.get(SET_UP)["Location"] == f"{ENTER}?next={SET_UP.replace('/', '%2F')}", "the old one is asked for"
    elsewhere = Client()
    elsewhere.force_login(staff, "django.contrib.auth.backends.ModelBackend")
    assert enters(elsewhere, phone[1][0])
    assert enters(desk, phone[0].code())
    new, codes = set_up(desk)
    assert desk.get(ADMIN).status_code == 200
    assert elsewhere.get(ADMIN).status_code == 302, "what was entered with the old phone counts no more"
    signed_in_again(desk)
    assert not enters(desk, phone[0].code())
    time_passes()
    assert not enters(desk, phone[1][1])
    time_passes()
    assert enters(desk, new.code())
    assert len(codes) == 10
    assert TOTPDevice.objects.count() == StaticDevice.objects.count() == 1


def test_new_recovery_codes_take_the_place_of_the_old(desk: Client, phone: tuple[Phone, list[str]]) -> None:
    address = "/account/second-factor/recovery-codes/"
    assert desk.post(address)["Location"].startswith(ENTER)
    assert StaticToken.objects.filter(token=phone[1][0].replace("-", "")).exists()
    assert enters(desk, phone[0].code())
    assert "10" in Page(desk.get(ENTER)).tree.one("dl").text()
    response = desk.post(address)
    assert "no-store" in response.headers["Cache-Control"]
    codes = [node.text() for node in Page(response).tree.one("ul", class_="codes").find("code")]
    assert set(codes).isdisjoint(phone[1])
    assert not enters(signed_in_again(desk), phone[1][2])
    time_passes()
    assert enters(desk, codes[0])


def test_a_reset_asks_for_a_new_phone(desk: Client, phone: tuple[Phone, list[str]], staff: User) -> None:
    assert enters(desk, phone[0].code())
    assert second_factor_reset(user=staff)
    assert not second_factor_reset(user=staff)
    assert desk.get(ADMIN, follow=True).redirect_chain[-1][0].startswith(SET_UP)
    assert not StaticToken.objects.exists()


def test_wrong_codes_are_slowed_down_and_then_locked_out(desk: Client, phone: tuple[Phone, list[str]]) -> None:
    wrong = phone[0].wrong()
    assert desk.post(ENTER, {"code": wrong}).status_code == 422
    waiting = Page(desk.post(ENTER, {"code": phone[0].code()}))
    assert "Wait 1 second" in waiting.words
    for number in range(2, LIMIT + 1):
        time_passes()
        assert desk.post(ENTER, {"code": wrong}).status_code == (422 if number < LIMIT else 429)
    time_passes()
    locked = desk.post(ENTER, {"code": phone[0].code()})
    assert locked.status_code == 429
    assert 0 < int(locked.headers["Retry-After"]) <= 900
    assert signed_in_again(desk).get(ENTER).status_code == 429, "signing in again does not help"
    assert desk.get(ADMIN).status_code == 302
    elsewhere = Client(REMOTE_ADDR="192.0.2.9")
    elsewhere.post("/account/sign-in/", {"username": "carla", "password": PASSWORD})
    time_passes()
    assert enters(elsewhere, phone[1][0]), "they themselves come from elsewhere"


def test_a_right_code_forgets_earlier_failures(desk: Client, phone: tuple[Phone, list[str]]) -> None:
    for _ in range(2):
        for _ in range(LIMIT - 1):
            assert desk.post(ENTER, {"code": phone[0].wrong()}).status_code == 422
            time_passes()
        assert enters(desk, phone[1].pop())
        signed_in_again(desk)


@pytest.mark.django_db
def test_only_staff_has_a_second_factor(client: Client, learner: User) -> None:
    for user, status in ((None, 302), (guest_create(), 302), (learner, 403)):
        if user is not None:
            client.force_login(user, "django.contrib.auth.backends.ModelBackend")
        for address in (ENTER, SET_UP):
            assert client.get(address).status_code == status
            assert client.post(address, {"code": "123456"}).status_code == status
        assert client.post("/account/second-factor/recovery-codes/").status_code == status


def test_a_learner_in_the_administration_is_told_whose_it_is(client: Client, learner: User) -> None:
    client.force_login(learner, "django.contrib.auth.backends.ModelBackend")
    response = client.get(ADMIN, follow=True)
    assert response.status_code == 403
    assert "You are signed in as ana" in Page(response).words


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_nobody_is_sent_to_another_site(desk: Client, phone: tuple[Phone, list[str]], target: str) -> None:
    assert desk.get("/admin/login/", {"next": target})["Location"] == f"{ENTER}?next=%2Fadmin%2F"
    assert desk.post(ENTER, {"code": phone[0].code(), "next": target})["Location"] == ADMIN
    assert desk.get(f"/admin/login/?next={target}")["Location"] == ADMIN
    assert desk.get(f"{ENTER}?next={target}")["Location"] == "/"


def test_staffs_tokens_are_behind_the_second_factor(desk: Client, phone: tuple[Phone, list[str]]) -> None:
    address = "/account/tokens/new/"
    form = {"name": "x", "scopes": [Scope.TELEMETRY_READ], "days": "1"}
    assert desk.post(address, form)["Location"] == f"{ENTER}?next=%2Faccount%2Ftokens%2Fnew%2F"
    assert not User.objects.get(username="carla").api_tokens.exists()
    assert enters(desk, phone[0].code())
    assert desk.post(address, form).status_code == 200


def test_a_browser_of_staff_reads_telemetry_after_the_second_factor(staff: User) -> None:
    request: Any = RequestFactory().get("/")
    request.session, request.user = Client().session, staff
    refused = Telemetry.as_view()(request)
    assert refused.status_code == 403
    assert b"second-factor-required" in refused.content


@staff_required
def desk_page(request: HttpRequest, number: int) -> HttpResponse:
    return HttpResponse(str(number))


def test_other_pages_for_staff_have_the_same_door(staff: User, learner: User, settings: Settings) -> None:
    def asked(user: User) -> HttpResponse:
        request: Any = RequestFactory().get("/desk/?a=b")
        request.session, request.user = Client().session, user
        return desk_page(request, 7)

    assert asked(staff)["Location"] == f"{ENTER}?next=%2Fdesk%2F%3Fa%3Db"
    assert asked(learner).status_code == 403
    assert asked(guest_create())["Location"] == "/account/sign-in/?next=%2Fdesk%2F%3Fa%3Db"
    settings.STAFF_WITHOUT_SECOND_FACTOR = "everybody sits in one room"
    assert asked(staff).content == b"7"
    User.objects.filter(pk=staff.pk).update(is_active=False)
    staff.refresh_from_db()
    assert asked(staff).status_code == 302


def test_a_reason_opens_the_administration_and_stands_on_each_of_its_pages(desk: Client, settings: Settings) -> None:
    settings.STAFF_WITHOUT_SECOND_FACTOR = "everybody sits in one room <b>"
    for address in (ADMIN, "/admin/auth/group/", "/admin/accounts/user/add/"):
        page = Page(desk.get(address))
        assert page.tree.one("p", class_="without-second-factor").text().endswith("everybody sits in one room <b>.")


def test_without_a_reason_nothing_of_it_is_said(desk: Client, phone: tuple[Phone, list[str]]) -> None:
    assert enters(desk, phone[0].code())
    assert not Page(desk.get(ADMIN)).tree.find(class_="without-second-factor")


def test_asking_for_it_takes_one_statement_more(
    desk: Client, phone: tuple[Phone, list[str]], django_assert_num_queries: Any
) -> None:
    assert enters(desk, phone[0].code())
    desk.get("/admin/password_change/")
    with django_assert_num_queries(3):  # the browser's session, its user, the phone
        desk.get("/admin/password_change/")


def test_a_role_that_was_taken_away_ends_it(desk: Client, phone: tuple[Phone, list[str]]) -> None:
    assert enters(desk, phone[0].code())
    User.objects.update(is_staff=False, is_superuser=False, role=Role.LEARNER)
    assert desk.get(ADMIN).status_code == 302
    assert desk.get(ENTER).status_code == 403


def test_a_new_password_ends_it_in_other_browsers(desk: Client, phone: tuple[Phone, list[str]], staff: User) -> None:
    assert enters(desk, phone[0].code())
    staff.set_password("another horse battery")
    staff.save()
    assert desk.get(ENTER)["Location"].startswith("/account/sign-in/")


def test_the_command_resets_it(phone: tuple[Phone, list[str]]) -> None:
    def said(name: str) -> str:
        out = StringIO()
        call_command("reset_second_factor", name, stdout=out)
        return out.getvalue().strip()

    assert said("CARLA") == "carla: reset"
    assert said("carla") == "carla had none"
    assert not TOTPDevice.objects.exists()
    with pytest.raises(CommandError, match="no user is called"):
        said("nobody")
