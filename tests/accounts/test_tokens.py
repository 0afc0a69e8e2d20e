"""API tokens: what is made, what is kept, and how they end."""

import hashlib
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.errors import TokenRefused
from accounts.models import ApiToken, Role, Scope, User
from accounts.services import guest_create, learner_of, token_issue, token_revoke
from accounts.services.tokens import TOKENS_AT_MOST
from tests.lesson_engine.learn.pages import Page
from tests.lesson_engine.services.threads import at_once

TOKENS = "/account/tokens/"
LEARNING = [Scope.LESSONS_READ, Scope.SESSIONS_READ, Scope.SESSIONS_WRITE]


def issue(user: User, **changes: Any) -> tuple[ApiToken, str]:
    return token_issue(**{"user": user, "name": "laptop", "scopes": LEARNING, "days": 30, **changes})


@pytest.fixture
def browser(learner: User, client: Client) -> Client:
    client.force_login(learner, "django.contrib.auth.backends.ModelBackend")
    return client


def test_a_token_is_256_random_bits_and_only_its_hash_is_kept(learner: User) -> None:
    token, secret = issue(learner)
    assert re.fullmatch(r"andamio_[A-Za-z0-9_-]{43}", secret)
    assert token.prefix == secret[:16]
    assert token.digest == hashlib.sha256(secret.encode()).hexdigest()
    row = " ".join(str(value) for value in ApiToken.objects.values_list().get())
    assert secret not in row
    assert secret[16:] not in row
    assert issue(learner)[1] != secret


def test_a_token_lasts_as_long_as_was_asked(learner: User) -> None:
    for days in (1, 366):
        token, _ = issue(learner, days=days)
        assert token.expires_at - token.created_at == timedelta(days=days)


@pytest.mark.parametrize(
    "wrong",
    [
        {"days": 0},
        {"days": 367},
        {"name": ""},
        {"name": "  "},
        {"name": "n" * 81},
        {"name": "two\nlines"},
        {"scopes": []},
        {"scopes": [Scope.TELEMETRY_READ]},
        {"scopes": ["everything"]},
    ],
)
def test_what_is_out_of_bounds_is_refused(learner: User, wrong: dict[str, Any]) -> None:
    with pytest.raises(TokenRefused):
        issue(learner, **wrong)
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("role", [Role.STAFF, Role.INTEGRATOR])
def test_staff_and_integrators_may_read_telemetry(learner: User, role: Role) -> None:
    learner.role = role
    learner.save()
    token, _ = issue(learner, scopes=[Scope.TELEMETRY_READ, Scope.LESSONS_READ])
    assert token.scopes == [Scope.LESSONS_READ, Scope.TELEMETRY_READ]


@pytest.mark.django_db
def test_only_people_who_sign_in_have_tokens(learner: User, stranger: User) -> None:
    stranger.is_active = False
    stranger.save()
    learner.role = Role.INTEGRATOR
    learner.save()
    for user in (guest_create(), stranger, learner_of(integrator=learner, pseudonym="pupil-7")):
        with pytest.raises(TokenRefused):
            issue(user)


def test_ended_tokens_make_room_for_new_ones(learner: User) -> None:
    made = [issue(learner)[0] for _ in range(TOKENS_AT_MOST)]
    with pytest.raises(TokenRefused, match="20"):
        issue(learner)
    token_revoke(token=made[0])
    issue(learner)
    ApiToken.objects.filter(pk=made[1].pk).update(
        created_at=timezone.now() - timedelta(days=9), expires_at=timezone.now() - timedelta(days=1)
    )
    issue(learner)


@pytest.mark.django_db(transaction=True)
def test_many_at_once_do_not_pass_the_limit(learner: User) -> None:
    for _ in range(TOKENS_AT_MOST - 1):
        issue(learner)

    def attempt() -> bool:
        try:
            return bool(issue(learner))
        except TokenRefused:
            return False

    assert sorted(at_once([attempt] * 4)) == [False, False, False, True]


def test_a_revoked_token_keeps_the_time_when_it_ended(learner: User) -> None:
    token, _ = issue(learner)
    token_revoke(token=token)
    first = token.revoked_at
    token_revoke(token=token)
    assert first is not None
    assert token.revoked_at == first


def test_the_page_shows_a_new_token_once(browser: Client, learner: User) -> None:
    response = browser.post(f"{TOKENS}new/", {"name": "laptop", "scopes": LEARNING[:2], "days": "30"})
    shown = Page(response).tree.one("input", id="token").attrs
    token = ApiToken.objects.get()
    assert token.digest == hashlib.sha256(shown["value"].encode()).hexdigest()
    assert "readonly" in shown
    assert (token.user, token.name, token.scopes) == (learner, "laptop", LEARNING[:2])
    assert "no-store" in response.headers["Cache-Control"]
    for address in (TOKENS, f"{TOKENS}new/", f"{TOKENS}{token.pk}/revoke/"):
        assert shown["value"][16:] not in browser.get(address).content.decode()
    assert shown["value"] not in str(dict(browser.session))
    assert shown["value"] not in str(browser.cookies)


def test_a_form_that_is_wrong_says_so_and_makes_nothing(browser: Client) -> None:
    wrongs: list[dict[str, Any]] = [{"name": ""}, {"days": "400"}, {"scopes": ["telemetry:read"]}, {"scopes": []}]
    for wrong in wrongs:
        response = browser.post(f"{TOKENS}new/", {"name": "laptop", "scopes": LEARNING, "days": "30", **wrong})
        assert response.status_code == 422
        assert Page(response).tree.find("div", class_="field-error")
    assert not ApiToken.objects.exists()


def test_a_form_beyond_the_limit_says_so(browser: Client, learner: User) -> None:
    for _ in range(TOKENS_AT_MOST):
        issue(learner)
    response = browser.post(f"{TOKENS}new/", {"name": "laptop", "scopes": LEARNING, "days": "30"})
    assert response.status_code == 422
    assert "Revoke one" in Page(response).tree.one(role="alert").text()


def test_revoking_asks_first(browser: Client, learner: User) -> None:
    token, _ = issue(learner)
    address = f"{TOKENS}{token.pk}/revoke/"
    assert "cannot be brought back" in Page(browser.get(address)).words
    token.refresh_from_db()
    assert token.revoked_at is None
    assert browser.post(address)["Location"] == TOKENS
    token.refresh_from_db()
    assert token.revoked_at is not None
    assert "has been revoked already" in Page(browser.get(address)).words


def test_the_list_says_how_each_token_stands(browser: Client, learner: User, django_assert_num_queries: Any) -> None:
    assert "You have no tokens." in Page(browser.get(TOKENS)).words
    revoked, used, expired = (issue(learner, name=name)[0] for name in ("revoked", "used", "expired"))
    token_revoke(token=revoked)
    now = timezone.now()
    ApiToken.objects.filter(pk=used.pk).update(last_used_at=now)
    ApiToken.objects.filter(pk=expired.pk).update(created_at=now - timedelta(days=9), expires_at=now)
    with django_assert_num_queries(3):  # the browser's session, its user, the tokens
        page = Page(browser.get(TOKENS))
    rows = [row.text() for row in page.tree.find("li", class_="record")]
    assert [row.split()[:2] for row in rows] == [["used", "active"], ["revoked", "revoked"], ["expired", "expired"]]
    assert "never" in rows[1]
    assert "never" not in rows[0]
    assert len(page.tree.find("a", class_="quiet")) == 1


def test_tokens_of_others_are_not_there(browser: Client, stranger: User) -> None:
    token, _ = issue(stranger, name="theirs")
    assert "theirs" not in Page(browser.get(TOKENS)).words
    for ask in (browser.get, browser.post):
        assert ask(f"{TOKENS}{token.pk}/revoke/").status_code == 404
    token.refresh_from_db()
    assert token.revoked_at is None


@pytest.mark.django_db
@pytest.mark.parametrize("who", ["nobody", "guest"])
def test_whoever_has_no_account_signs_in_first(client: Client, who: str) -> None:
    if who == "guest":
        client.force_login(guest_create(), "django.contrib.auth.backends.ModelBackend")
    for address in (TOKENS, f"{TOKENS}new/", f"{TOKENS}1/revoke/"):
        assert client.get(address)["Location"] == f"/account/sign-in/?next={address}"


def test_the_menu_leads_to_the_tokens(browser: Client) -> None:
    assert [link.attrs["href"] for link in Page(browser.get("/")).tree.one(class_="menu-panel").find("a")] == [
        TOKENS,
        "/account/password/",
    ]
