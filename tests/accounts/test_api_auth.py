"""Who gets into the API, with what."""

import logging
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory

from accounts.models import ApiToken, Role, Scope, User
from accounts.services import guest_create, token_issue, token_revoke
from core.api.base import ApiView
from tests.conftest import LessonMaker

LESSONS, SESSIONS = "/api/v1/lessons/", "/api/v1/sessions/"
EVERY_LEARNING_SCOPE = [Scope.LESSONS_READ, Scope.SESSIONS_READ, Scope.SESSIONS_WRITE]


def program(secret: str) -> Client:
    return Client(headers={"Authorization": f"Bearer {secret}"})


@pytest.fixture
def token(learner: User) -> tuple[ApiToken, str]:
    return token_issue(user=learner, name="laptop", scopes=[Scope.LESSONS_READ], days=30)


def test_a_token_opens_what_its_scopes_name(token: tuple[ApiToken, str]) -> None:
    assert program(token[1]).get(LESSONS).status_code == 200


def test_without_a_token_the_way_in_is_named(db: None) -> None:
    response = Client().get(LESSONS)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="andamio"'
    assert response.json()["code"] == "not-authenticated"


@pytest.mark.parametrize("spelt", ["bearer {}", "BEARER {}", "Bearer  {} "])
def test_the_word_before_it_is_known_in_any_case(token: tuple[ApiToken, str], spelt: str) -> None:
    assert Client(headers={"Authorization": spelt.format(token[1])}).get(LESSONS).status_code == 200


def test_a_scope_that_is_missing_is_named(token: tuple[ApiToken, str]) -> None:
    response = program(token[1]).get(SESSIONS)
    assert response.status_code == 403
    assert response.json()["code"] == "scope-missing"
    assert "sessions:read" in response.json()["detail"]


def test_a_role_that_was_taken_away_takes_its_scopes_along(learner: User) -> None:
    learner.role = Role.INTEGRATOR
    learner.save()
    _, secret = token_issue(user=learner, name="export", scopes=[Scope.TELEMETRY_READ], days=1)
    view = telemetry_view()
    assert view(asked(secret)).status_code == 200
    User.objects.filter(pk=learner.pk).update(role=Role.LEARNER)
    refused = view(asked(secret))
    assert refused.status_code == 403
    assert b"Your role does not allow telemetry:read" in refused.content


@pytest.mark.parametrize("end", ["revoked", "expired", "closed"])
def test_a_token_that_has_ended_says_why(token: tuple[ApiToken, str], end: str) -> None:
    row, secret = token
    if end == "revoked":
        token_revoke(token=row)
    elif end == "expired":
        now = timezone.now()
        ApiToken.objects.filter(pk=row.pk).update(created_at=now - timedelta(days=2), expires_at=now)
    else:
        User.objects.filter(pk=row.user_id).update(is_active=False)
    response = program(secret).get(LESSONS)
    assert response.status_code == 401
    assert end in response.json()["detail"]
    assert "WWW-Authenticate" in response.headers


def test_the_last_use_is_noted_once_a_minute(token: tuple[ApiToken, str], django_assert_num_queries: Any) -> None:
    row, secret = token
    client = program(secret)
    client.get(LESSONS)
    row.refresh_from_db()
    first = row.last_used_at
    assert first is not None
    with django_assert_num_queries(3):  # the token with its user and the failures from there; the rate; the lessons
        client.get(LESSONS)
    row.refresh_from_db()
    assert row.last_used_at == first
    ApiToken.objects.filter(pk=row.pk).update(last_used_at=first - timedelta(seconds=61))
    with django_assert_num_queries(4):  # and the note
        client.get(LESSONS)
    row.refresh_from_db()
    assert row.last_used_at is not None
    assert row.last_used_at > first - timedelta(seconds=61)


def test_a_token_is_in_no_log(token: tuple[ApiToken, str], caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    program(token[1]).get(LESSONS)
    wrong = "andamio_" + "x" * 43
    program(wrong).get(LESSONS)
    assert caplog.records
    assert token[1][16:] not in caplog.text
    assert wrong not in caplog.text


def test_a_browser_reads_with_its_session(learner: User, client: Client) -> None:
    client.force_login(learner, "django.contrib.auth.backends.ModelBackend")
    assert client.get(LESSONS).status_code == 200
    assert client.get(SESSIONS).status_code == 200


def test_a_browser_changes_something_only_with_the_csrf_token(learner: User, make_lesson: LessonMaker) -> None:
    make_lesson()
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(learner, "django.contrib.auth.backends.ModelBackend")
    body = {"lesson": "light"}
    refused = strict.post(SESSIONS, body, content_type="application/json")
    assert refused.status_code == 403
    strict.get("/")
    csrf = {"X-CSRFToken": strict.cookies["andamio_csrf"].value}
    assert strict.post(SESSIONS, body, content_type="application/json", headers=csrf).status_code == 201


def test_a_program_needs_no_csrf_token(learner: User, make_lesson: LessonMaker) -> None:
    make_lesson()
    _, secret = token_issue(user=learner, name="laptop", scopes=EVERY_LEARNING_SCOPE, days=1)
    strict = Client(enforce_csrf_checks=True, headers={"Authorization": f"Bearer {secret}"})
    assert strict.post(SESSIONS, {"lesson": "light"}, content_type="application/json").status_code == 201


@pytest.mark.django_db
def test_a_guest_may_do_what_learners_may(client: Client) -> None:
    client.force_login(guest_create(), "django.contrib.auth.backends.ModelBackend")
    assert client.get(SESSIONS).status_code == 200


class Telemetry(ApiView):
    required_scopes = {"GET": Scope.TELEMETRY_READ}

    def get(self, request: Request) -> Response:
        return Response({})


class Forgotten(ApiView):
    def get(self, request: Request) -> Response:
        return Response({})


def telemetry_view() -> Any:
    return Telemetry.as_view()


def asked(secret: str) -> Any:
    return APIRequestFactory().get("/", headers={"Authorization": f"Bearer {secret}"})


def test_an_operation_whose_scope_was_forgotten_lets_nobody_in(token: tuple[ApiToken, str]) -> None:
    with pytest.raises(ImproperlyConfigured, match="names no scope for GET"):
        Forgotten.as_view()(asked(token[1]))
