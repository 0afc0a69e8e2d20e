"""The OpenAPI document is whole and true, and the pages made of it can be read."""

import json
import os
import re
import subprocess
import sys
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import get_resolver
from django.utils.translation import override
from jsonschema_rs import Draft202012Validator
from rest_framework.schemas.generators import EndpointEnumerator

from core.api.base import ApiView
from core.api.docs.views import _schema, api_schema
from core.api.operation import operation_of
from core.problems.documents import problem_kind
from tests.lesson_engine.learn.pages import Page

SCHEMA, DOCS = "/api/v1/schema/", "/api/docs/"


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return api_schema()


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def test_it_is_made_without_a_warning_and_valid() -> None:
    out = StringIO()
    call_command("spectacular", "--validate", "--fail-on-warn", "--format", "openapi-json", stdout=out)
    made = json.loads(out.getvalue())
    assert made["openapi"].startswith("3.1.")
    assert made["paths"]


_ASKED_AT_ONCE = """
import threading
import django
django.setup()
from django.test import Client
gate, answers = threading.Barrier(32), []
def ask():
    client = Client(headers={"Host": "localhost"}, raise_request_exception=False)
    gate.wait()
    answer = client.get("/api/v1/schema/")
    answers.append((answer.status_code, answer.headers.get("ETag")))
threads = [threading.Thread(target=ask) for _ in range(32)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(answers), *map(str, set(answers)))
"""


@pytest.mark.hard
def test_a_fresh_process_gives_it_to_everyone_who_asks_at_once() -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    asked = [sys.executable, "-c", _ASKED_AT_ONCE]
    done = subprocess.run(asked, env=environment, cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=120)
    assert re.fullmatch(r"32 \(200, '\"\w{32}\"'\)\n", done.stdout), done.stdout + done.stderr[-2000:]


def test_every_address_of_the_api_is_in_it(document: dict[str, Any]) -> None:
    views = [(path, method, callback.cls) for path, method, callback in EndpointEnumerator().get_api_endpoints()]
    assert len(views) > 5
    for path, method, view in views:
        if view.schema is None:
            assert path == SCHEMA
            continue
        assert issubclass(view, ApiView), view
        described = operation_of(view, method)
        assert described is not None, (view, method)
        assert document["paths"][path][method.lower()]["operationId"] == described.id
        assert method in view.required_scopes, (view, method)


def test_every_address_below_api_is_known() -> None:
    found = {str(pattern.pattern) for pattern in get_resolver("config.api_urls").url_patterns}
    assert found == {"api/v1/", "api/v1/schema/", "api/docs/", "api/docs/console/"}


def test_names_of_operations_are_unique(document: dict[str, Any]) -> None:
    ids = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)+", name) for name in ids)


def test_every_operation_says_what_it_refuses(document: dict[str, Any]) -> None:
    for path, method, operation in operations(document):
        responses = operation["responses"]
        expected = {"401", "403", "406", "422", "429", "500", "503"}
        if method in ("post", "patch", "put"):
            expected |= {"400", "413", "415"}
        if "{" in path:
            expected |= {"404"}
        if any(parameter["name"] == "Idempotency-Key" for parameter in operation["parameters"]):
            expected |= {"409"}
        assert expected <= set(responses), (path, method)
        for status, response in responses.items():
            codes = response.get("x-codes", [])
            assert bool(codes) == (int(status) >= 400)
            assert all(problem_kind(code).status == int(status) for code in codes)
            if codes:
                assert list(response["content"]) == ["application/problem+json"]


def test_every_operation_that_changes_something_takes_an_idempotency_key(document: dict[str, Any]) -> None:
    for path, method, operation in operations(document):
        names = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "header"}
        assert ("Idempotency-Key" in names) == (method != "get"), (path, method)


def test_every_operation_has_an_example_and_says_what_it_is_for(document: dict[str, Any]) -> None:
    for path, _, operation in operations(document):
        assert operation["summary"]
        assert operation["description"]
        answer = next(response for status, response in operation["responses"].items() if status < "300")
        content = next(iter(answer.get("content", {"": {"example": None}}).values()))  # 204 has nothing to show
        assert "example" in content or content["schema"] == {"type": "string"}, path
        for body in operation.get("requestBody", {}).get("content", {}).values():
            assert "example" in body, path


def test_examples_fit_what_they_are_examples_of(document: dict[str, Any]) -> None:
    seen = 0
    for path, method, operation in operations(document):
        bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
        for content in (kind for body in bodies for kind in body.get("content", {}).values() if "example" in kind):
            whole = {**content["schema"], "components": document["components"]}
            faults = Draft202012Validator(whole, validate_formats=True).iter_errors(content["example"])
            assert [fault.message for fault in faults] == [], (path, method)
            seen += 1
    assert seen > 10


def test_bounds_are_said_in_words_that_json_schema_knows(document: dict[str, Any]) -> None:
    # Pydantic writes "ge" where it cannot tell whether a validator before it makes a number of the value.
    assert re.findall(r'"(?:ge|gt|le|lt|min_length|max_length)":', json.dumps(document)) == []


def test_who_may_do_what_stands_with_each_operation(document: dict[str, Any]) -> None:
    schemes = document["components"]["securitySchemes"]
    assert (schemes["token"]["type"], schemes["token"]["scheme"]) == ("http", "bearer")
    for path, _, operation in operations(document):
        scopes = next(scheme["token"] for scheme in operation["security"] if "token" in scheme)
        assert len(scopes) == 1, path


def test_it_is_served_to_anybody_and_not_twice(client: Client) -> None:
    first = client.get(SCHEMA)
    assert (first.status_code, first.headers["Content-Type"]) == (200, "application/json")
    assert first.json()["info"]["title"] == "Andamio"
    assert first.headers["Cache-Control"] == "public, no-cache"
    again = client.get(SCHEMA, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    spanish = client.get(SCHEMA, headers={"Accept-Language": "es"})
    assert spanish.content == first.content


def test_a_document_made_while_somebody_reads_spanish_is_english() -> None:
    with override("es"):
        document = _schema.__wrapped__()
    assert "Not found" in document["paths"]["/api/v1/lessons/{slug}/"]["get"]["responses"]["404"]["description"]


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_page_shows_every_operation_with_a_command(
    client: Client, document: dict[str, Any], language: str, settings: Any
) -> None:
    page = Page(client.get(DOCS, headers={"Accept-Language": language}))
    assert page.status == 200
    for path, method, operation in operations(document):
        section = page.tree.one("section", id=operation["operationId"])
        text = section.text()
        assert f"{method.upper()} {path}" in text
        assert f'"$API{path}'.split("{")[0] in text
        for response in operation["responses"].values():
            assert all(section.find("a", href=f"/problems/{code}/") for code in response.get("x-codes", ()))
    assert "API=http://testserver" in page.words


def test_the_commands_name_the_address_people_use(client: Client, settings: Any) -> None:
    settings.PUBLIC_URL = "https://tutor.example"
    assert "API=https://tutor.example" in Page(client.get(DOCS)).words


def test_the_console_brings_all_it_needs_from_here(client: Client) -> None:
    page = Page(client.get(f"{DOCS}console/"))
    sources = [node.attrs["src"] for node in page.tree.find("script")]
    sources += [node.attrs["href"] for node in page.tree.find("link")]
    assert sources
    assert all(source.startswith("/static/") for source in sources)
    assert page.tree.one(id="api-console").attrs["data-schema"] == SCHEMA


def test_pages_about_the_api_ask_the_database_nothing(django_assert_num_queries: Any, client: Client, db: None) -> None:
    for address in (SCHEMA, DOCS, f"{DOCS}console/"):
        with django_assert_num_queries(0):
            assert client.get(address).status_code == 200
