"""Whatever is refused below /api/ is a documented problem, and tells no more than it should."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override

from accounts.models import Scope, User
from core.errors import AndamioError
from core.problems.documents import problem_kind, problem_kinds
from tests.api import probe
from tests.api.sessions import Program
from tests.lesson_engine.learn.pages import Page

PROBE = "/api/v1/probe/"
pytestmark = pytest.mark.django_db


def problem_of(response: Any, status: int, code: str) -> dict[str, Any]:
    """The body, after checking that it is a whole problem document of this type."""
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"] == "application/problem+json"
    body: dict[str, Any] = json.loads(response.content)
    assert list(body) == ["type", "title", "status", "detail", "instance", "code", "errors"]
    assert (body["status"], body["code"]) == (status, code)
    assert body["type"] == f"http://testserver/problems/{code}/"
    with override("en"):
        assert body["title"] == str(problem_kind(code).title)
    assert body["detail"]
    return body


@pytest.fixture
def program(learner: User, probes: probe.Runs) -> Client:
    return Program(learner).client


def test_nobody_gets_in_without_a_token(program: Client) -> None:
    response = Client().get(PROBE)
    problem_of(response, 401, "not-authenticated")
    assert response.headers["WWW-Authenticate"].startswith("Bearer")


def test_an_unknown_token_is_refused(program: Client) -> None:
    response = Client(headers={"Authorization": "Bearer andamio_nobody"}).get(PROBE)
    problem_of(response, 401, "not-authenticated")
    assert response.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_token_without_the_scope_is_told_which(learner: User, program: Client) -> None:
    body = problem_of(Program(learner, scopes=(Scope.SESSIONS_READ,)).client.get(PROBE), 403, "scope-missing")
    assert "lessons:read" in body["detail"]


def test_a_page_of_another_site_cannot_use_the_browsers_session(learner: User, program: Client) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(learner, backend="django.contrib.auth.backends.ModelBackend")
    assert browser.get(PROBE).status_code == 200
    for cookie in ("", "0" * 32):
        browser.cookies["andamio_csrf"] = cookie
        for kind in ("application/json", "text/plain", "multipart/form-data; boundary=x", "multipart/form-data"):
            response = browser.generic("POST", PROBE, b'{"name": "a"}', content_type=kind)
            refused = {403: "permission-denied", 415: "unsupported-media-type"}
            problem_of(response, response.status_code, refused[response.status_code])
    assert not probe.runs


def test_a_page_of_ours_can_use_the_browsers_session(learner: User, program: Client) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(learner, backend="django.contrib.auth.backends.ModelBackend")
    browser.get("/")
    headers = {"X-CSRFToken": browser.cookies["andamio_csrf"].value}
    response = browser.post(PROBE, {"name": "a"}, content_type="application/json", headers=headers)
    assert response.status_code == 201
    for body in (b"{", b"[" * 100_000, b'{"name": "\\ud800"}'):
        response = browser.generic("POST", PROBE, body, content_type="application/json", headers=headers)
        problem_of(response, 400, "malformed-request")


def test_another_method_is_told_which_there_are(program: Client) -> None:
    for method in ("put", "delete", "options", "trace"):
        response = getattr(program, method)(PROBE)
        problem_of(response, 405, "method-not-allowed")
        assert {name.strip() for name in response.headers["Allow"].split(",")} == {"GET", "HEAD", "PATCH", "POST"}


def test_a_form_that_cannot_be_given_is_refused(program: Client) -> None:
    for accept in ("text/html", "application/xml", "application/problem+json", "nonsense"):
        problem_of(program.get(PROBE, headers={"Accept": accept}), 406, "not-acceptable")


def test_usual_accept_headers_get_json(program: Client) -> None:
    for accept in ("*/*", "application/*", "application/json", "text/html, application/json;q=0.1"):
        response = program.get(PROBE, headers={"Accept": accept})
        assert (response.status_code, response.headers["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml", ""],
)
def test_another_kind_of_body_is_refused(program: Client, kind: str) -> None:
    problem_of(program.generic("POST", PROBE, b'{"name": "a"}', content_type=kind), 415, "unsupported-media-type")


def test_json_in_another_encoding_is_refused(program: Client) -> None:
    response = program.generic("POST", PROBE, b"{}", content_type="application/json; charset=latin-1")
    problem_of(response, 415, "unsupported-media-type")
    response = program.generic("POST", PROBE, b'{"name": "a"}', content_type="Application/JSON; charset=UTF-8")
    assert response.status_code == 201


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nul",
        b'{"name": NaN}',
        b'{"name": "\xff"}',
        b'{"name": "\\ud800"}',
        b"[" * 100_000,
        b"\xef\xbb\xbf{}",
    ],
    ids=["empty", "open", "word", "nan", "not-utf-8", "half-a-surrogate", "deep", "byte-order-mark"],
)
def test_what_is_no_json_is_refused(program: Client, body: bytes) -> None:
    response = program.generic("POST", PROBE, body, content_type="application/json")
    problem_of(response, 400, "malformed-request")


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        (b'{"name": "a", "name": "a"}', ["/name"]),
        (b'{"name": "a", "note": "", "n\\u006fte": "b"}', ["/note"]),
        (
            b'{"name": "a", "size": [{}, {"x/y": 1, "z": 0, "x/y": {"z": 1, "z": 2}}]}',
            ["/size/1/x~1y", "/size/1/x~1y/z"],
        ),
        (b'{"name": "a", "size": 1e999}', ["/size"]),
        (b'{"name": "a", "size": -1e999}', ["/size"]),
    ],
)
def test_what_can_be_read_in_two_ways_is_refused_where_it_stands(
    program: Client, probes: probe.Runs, body: bytes, pointers: list[str]
) -> None:
    response = program.generic("POST", PROBE, body, content_type="application/json")
    errors = problem_of(response, 422, "invalid-request")["errors"]
    assert [place["pointer"] for place in errors] == pointers
    assert not probes


def test_a_body_of_nothing_but_repetition_is_refused_in_short(program: Client) -> None:
    body = b'{"name": "a"' + b"".join(b', "n%d": 0' % (number % 40_000) for number in range(60_000)) + b"}"
    began = time.process_time()
    response = program.generic("POST", PROBE, body, content_type="application/json")
    assert len(problem_of(response, 422, "invalid-request")["errors"]) == 20
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({}, ["/name"]),
        ([], [""]),
        ("x", [""]),
        ({"name": 5}, ["/name"]),
        ({"name": "a", "x~y/z": 1}, ["/x~0y~1z"]),
        ({"name": "a\0b"}, ["/name"]),
        ({"name": "a", "x\0": 1}, ["/x\0"]),
        ({"name": None, "outcome": 1, "other": 2}, ["/name", "/outcome", "/other"]),
    ],
)
def test_what_is_wrong_in_a_body_is_pointed_at(program: Client, body: object, pointers: list[str]) -> None:
    response = program.post(PROBE, json.dumps(body), content_type="application/json")
    errors = problem_of(response, 422, "invalid-request")["errors"]
    assert [place["pointer"] for place in errors] == pointers
    assert all(place["detail"] for place in errors)


def test_numbers_are_read_as_json_means_them(program: Client) -> None:
    for number, status in (("3.0", 201), ("3", 201), ("3e0", 201), ("3.5", 422), ('"3"', 422), ("true", 422)):
        body = f'{{"name": "a", "size": {number}}}'
        assert program.post(PROBE, body, content_type="application/json").status_code == status, number


@pytest.mark.parametrize("query", ["size=x", "size=", "size=1.5", "other=1", "size=1&size=2", "size=%00", "size=1%00"])
def test_what_is_wrong_in_a_query_string_is_pointed_at(program: Client, query: str) -> None:
    errors = problem_of(program.get(f"{PROBE}?{query}"), 422, "invalid-request")["errors"]
    assert [place["pointer"] for place in errors] == ["/other" if query.startswith("other") else "/size"]


def test_parameters_are_refused_where_there_are_none(program: Client) -> None:
    problem_of(program.get(f"{PROBE}immutable/?format=api"), 422, "invalid-request")


def test_a_body_beyond_the_limit_is_refused(program: Client, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    response = program.post(PROBE, json.dumps({"name": "a" * 200}), content_type="application/json")
    problem_of(response, 413, "request-too-large")


def test_an_unknown_address_is_a_problem_too(program: Client) -> None:
    for address in (
        "/api/",
        "/api/v1/nothing/",
        "/api/v2/lessons/",
        "/api/v1/probe",
        "/api/v1/sessions/5/",
        "/api/%00",
    ):
        for send in (program.get, program.post):
            problem_of(send(f"/api/{address}"), 404, "not-found")


def test_elsewhere_an_unknown_address_is_a_page() -> None:
    response = Client().get("/nothing/")
    assert response.status_code == 404
    assert response.headers["Content-Type"].startswith("text/html")


def test_another_host_is_refused_as_a_problem(program: Client) -> None:
    response = program.get(PROBE, headers={"Host": "evil.example"})
    assert response.status_code == 400
    body = json.loads(response.content)
    assert (body["code"], body["type"]) == ("malformed-request", "/problems/malformed-request/")


def test_a_crash_tells_nothing_and_is_logged(program: Client, caplog: pytest.LogCaptureFixture) -> None:
    program.raise_request_exception = False
    response = program.post(PROBE, json.dumps({"name": "a", "outcome": "crash"}), content_type="application/json")
    problem_of(response, 500, "internal-error")
    assert probe.SECRET not in response.content.decode()
    assert probe.SECRET in caplog.text


def test_a_database_that_fails_is_told_apart_and_logged(program: Client, caplog: pytest.LogCaptureFixture) -> None:
    response = program.post(PROBE, json.dumps({"name": "a", "outcome": "database"}), content_type="application/json")
    problem_of(response, 503, "unavailable")
    assert response.headers["Retry-After"] == "5"
    assert probe.SECRET not in response.content.decode()
    assert probe.SECRET in caplog.text


def test_a_suspicious_request_is_refused_without_its_reason(program: Client) -> None:
    response = program.post(PROBE, json.dumps({"name": "a", "outcome": "suspicious"}), content_type="application/json")
    assert probe.SECRET not in problem_of(response, 400, "malformed-request")["detail"]


def test_our_own_errors_carry_places_and_when_to_come_back(program: Client) -> None:
    response = program.post(PROBE, json.dumps({"name": "a", "outcome": "invalid"}), content_type="application/json")
    body = problem_of(response, 422, "invalid-request")
    assert body["errors"] == [{"pointer": "/note", "detail": "too plain"}]
    assert body["instance"] == PROBE
    response = program.post(PROBE, json.dumps({"name": "b", "outcome": "busy"}), content_type="application/json")
    problem_of(response, 409, "request-still-running")
    assert response.headers["Retry-After"] == "7"


def test_problems_are_english_and_not_kept(program: Client) -> None:
    response = program.get("/api/v1/nothing/", headers={"Accept-Language": "es"})
    assert problem_of(response, 404, "not-found")["title"] == "Not found"
    assert response.headers["Content-Language"] == "en"
    assert response.headers["Cache-Control"] == "no-store"


def test_the_public_address_is_in_the_type(program: Client, settings: Any) -> None:
    settings.PUBLIC_URL = "https://tutor.example"
    body = json.loads(program.get("/api/v1/nothing/").content)
    assert body["type"] == "https://tutor.example/problems/not-found/"


def _error_classes(base: type[AndamioError] = AndamioError) -> Iterator[type[AndamioError]]:
    for error in base.__subclasses__():
        yield error
        yield from _error_classes(error)


def test_every_error_is_documented_as_it_is_raised() -> None:
    errors = [error for error in _error_classes() if error.__module__.endswith(".errors")]
    errors += [error for error in _error_classes() if error.__module__.startswith("core.")]
    assert len(errors) > 10
    for error in errors:
        if error.code == AndamioError.code and error.__subclasses__():
            continue  # only the kinds of it are raised
        assert problem_kind(error.code).status == error.status, error


def test_every_problem_has_a_page_that_says_what_to_do() -> None:
    kinds = problem_kinds()
    assert len(kinds) > 15
    for kind in kinds:
        page = Page(Client().get(f"/problems/{kind.code}/"))
        assert page.status == 200
        assert page.tree.one("h1").text() == str(kind.title)
        assert str(kind.status) in page.words
        assert len(str(kind.description)) > 60, kind.code


def test_the_index_leads_to_every_problem(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        page = Page(Client().get("/problems/"))
    links = [node.attrs["href"] for node in page.tree.find("a") if node.attrs["href"].startswith("/problems/")]
    assert links == [f"/problems/{kind.code}/" for kind in problem_kinds()]
    assert Client().get("/problems/unheard-of/").status_code == 404
