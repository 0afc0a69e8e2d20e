"""A new password, another role, a closed account: what ends with them, and what is said of it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.core.management import call_command
from django.db import ProgrammingError, transaction
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, Role, Scope, User
from accounts.services import demo_accounts_ensure, token_issue
from config.database_roles import APPLICATION
from core.limits.actions import PASSWORD as PASSWORD_WORK
from core.models import RateWindow
from telemetry.models import Event
from tests.accounts.conftest import PASSWORD
from tests.hands import as_role, executing
from tests.lesson_engine.learn.pages import Page

NEW, PAGE = "another horse battery", "/account/password/"
SESSIONS = "/api/v1/sessions/"


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


def by_page(user: User) -> None:
    form = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert signed_in(user).post(PAGE, form).status_code == 302


def by_admin(user: User) -> None:
    chief = User.objects.create_superuser("chief")
    form = {"password1": NEW, "password2": NEW, "usable_password": "true"}
    answer = signed_in(chief).post(f"/admin/accounts/user/{user.pk}/password/", form, follow=True)
    assert "2 API tokens were revoked." in Page(answer).words


def by_closing_the_door(user: User) -> None:
    """Staff take the password away: tokens would be a way in that is left."""
    chief = User.objects.create_superuser("chief")
    form = {"usable_password": "false", "unset-password": "1"}
    answer = signed_in(chief).post(f"/admin/accounts/user/{user.pk}/password/", form, follow=True)
    assert "2 API tokens were revoked." in Page(answer).words


def by_command(user: User) -> None:
    with patch("getpass.getpass", return_value=NEW):
        call_command("changepassword", user.username, verbosity=0)


def by_demo(user: User) -> None:
    User.objects.filter(pk=user.pk).update(username="demo")
    demo_accounts_ensure(password=NEW)


@pytest.fixture
def programs(learner: User) -> list[Client]:
    """Two programs with tokens of one person, who has a third token that expired."""
    tokens = [token_issue(user=learner, name="x", scopes=[Scope.SESSIONS_READ], days=9) for _ in range(3)]
    past = timezone.now() - timedelta(days=1)
    ApiToken.objects.filter(pk=tokens.pop()[0].pk).update(created_at=past - timedelta(days=1), expires_at=past)
    return [Client(headers={"Authorization": f"Bearer {secret}"}) for _, secret in tokens]


def answers(programs: list[Client]) -> list[int]:
    return [program.get(SESSIONS).status_code for program in programs]


@pytest.mark.parametrize("change", [by_page, by_admin, by_closing_the_door, by_command, by_demo])
def test_tokens_end_with_the_password_they_were_made_under(
    change: Callable[[User], None], learner: User, stranger: User, programs: list[Client]
) -> None:
    _, other = token_issue(user=stranger, name="x", scopes=[Scope.SESSIONS_READ], days=9)
    elsewhere = signed_in(learner)
    assert answers(programs) == [200, 200]
    change(learner)
    assert answers(programs) == [401, 401]
    assert answers([Client(headers={"Authorization": f"Bearer {other}"})]) == [200]
    assert elsewhere.get("/account/tokens/").status_code == 302
    learner.refresh_from_db()
    assert learner.check_password(NEW) is (change is not by_closing_the_door)
    event = Event.objects.get(event="tokens.revoked")
    assert (event.chain_id, event.data) == ("accounts", {"user": learner.pk, "tokens": 2, "why": "password"})


def test_a_password_that_is_only_hashed_anew_ends_nothing(learner: User, programs: list[Client], settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher", *settings.PASSWORD_HASHERS]
    Client().post("/account/sign-in/", {"username": "ana", "password": PASSWORD})
    learner.refresh_from_db()
    assert learner.password.startswith("pbkdf2")
    assert answers(programs) == [200, 200]


def test_the_page_says_before_and_after_what_ends(learner: User, programs: list[Client]) -> None:
    browser = signed_in(learner)
    key = browser.session.session_key
    before = Page(browser.get(PAGE)).words
    assert "signed out everywhere else" in before
    assert "Your 2 API tokens are revoked" in before
    form = {"old_password": "wrong", "new_password1": NEW, "new_password2": NEW}
    assert browser.post(PAGE, form).status_code == 422
    assert answers(programs) == [200, 200]
    after = Page(browser.post(PAGE, {**form, "old_password": PASSWORD}, follow=True)).words
    assert "Your password was changed. 2 API tokens were revoked." in after
    assert browser.session.session_key != key
    assert "API token" not in Page(browser.get(PAGE)).tree.one("p", class_="lead").text()


def test_a_password_without_its_tokens_ended_is_not_stored(learner: User, programs: list[Client]) -> None:
    learner.set_password(NEW)
    with as_role():
        executing(f"REVOKE INSERT ON telemetry_event FROM {APPLICATION}")()
    refused = pytest.raises(ProgrammingError, match="permission denied for table telemetry_event")
    with refused, transaction.atomic():  # the test has a transaction of its own around it
        learner.save()
    with as_role():
        executing(f"GRANT INSERT ON telemetry_event TO {APPLICATION}")()
    learner.refresh_from_db()
    assert learner.check_password(PASSWORD)
    assert answers(programs) == [200, 200]


def test_the_old_password_cannot_be_guessed_here_either(learner: User, settings: Any) -> None:
    browser = signed_in(learner)
    form = {"old_password": "wrong", "new_password1": NEW, "new_password2": NEW}
    tries = [browser.post(PAGE, form).status_code for _ in range(settings.AXES_FAILURE_LIMIT + 1)]
    assert tries == [422] * settings.AXES_FAILURE_LIMIT + [429]
    assert browser.post(PAGE, {**form, "old_password": PASSWORD}).status_code == 429
    learner.refresh_from_db()
    assert learner.check_password(PASSWORD)


def test_old_passwords_count_as_work_and_wrong_ones_for_their_address(
    learner: User, stranger: User, settings: Any
) -> None:
    settings.LOGIN_FAILURES_ADDRESS = 2
    form = {"old_password": "wrong", "new_password1": NEW, "new_password2": NEW}
    right = {**form, "old_password": PASSWORD}
    ana, berto = signed_in(learner), signed_in(stranger)
    assert [ana.post(PAGE, right | {"new_password2": "other"}).status_code for _ in range(3)] == [422] * 3
    assert [browser.post(PAGE, form).status_code for browser in (ana, berto, ana)] == [422, 422, 429]
    assert ana.post(PAGE, right).status_code == 429, "a right one among them is not told apart"
    assert Client().post("/account/sign-in/", {"username": "ana", "password": PASSWORD}).status_code == 429
    RateWindow.objects.all().delete()
    settings.WORK_RATE_USER = PASSWORD_WORK.weight
    assert [ana.post(PAGE, form).status_code for _ in range(2)] == [422, 429]


def test_old_passwords_are_looked_at_in_their_turn(learner: User, full_line: None) -> None:
    form = {"old_password": PASSWORD, "new_password1": NEW, "new_password2": NEW}
    assert signed_in(learner).post(PAGE, form).status_code == 503
    learner.refresh_from_db()
    assert learner.check_password(PASSWORD)


@pytest.mark.parametrize(("changes", "why"), [({"is_active": ""}, "inactive"), ({"role": "learner"}, "role")])
def test_tokens_end_with_the_account_and_with_the_role(changes: dict[str, str], why: str, staff: User) -> None:
    person = User.objects.create_user("imas", role=Role.INTEGRATOR)
    _, secret = token_issue(user=person, name="x", scopes=[Scope.SESSIONS_READ], days=9)
    chief, program = signed_in(staff), Client(headers={"Authorization": f"Bearer {secret}"})
    address = f"/admin/accounts/user/{person.pk}/change/"
    form = {"username": "imas", "role": "integrator", "is_active": "on", "first_name": "Ima"}
    chief.post(address, form)
    person.refresh_from_db()
    assert (person.first_name, program.get(SESSIONS).status_code) == ("Ima", 200)
    answer = chief.post(address, {name: value for name, value in {**form, **changes}.items() if value}, follow=True)
    assert "1 API token was revoked." in Page(answer).words
    chief.post(address, form)
    assert program.get(SESSIONS).status_code == 401, "it does not live again with the account or the role"
    assert [event.data["why"] for event in Event.objects.filter(event="tokens.revoked")] == [why]
