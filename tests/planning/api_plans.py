"""Programs that plan and evaluate through the API."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Scope, User
from gateway.operations import registry as operations
from tests.api.sessions import Answer, Json, Program

PLANNING = (Scope.PLANS_READ, Scope.PLANS_WRITE)
PLANS = "plans/"
PARIS = "Book hotel in Paris"
HOTEL = ["Hotel quality >= 7", "Price within budget ($200)", "User confirms"]
WHO = 2
"""1. the token with its user; 2. how often they asked this minute"""


def planner(user: User) -> Program:
    """A program of this person's; its token has been used this minute."""
    program = Program(user, scopes=PLANNING)
    program.get(f"{PLANS}?limit=1")
    return program


def planned(program: Program, task: str = PARIS, **more: Any) -> Json:
    """A plan that must be made."""
    answer = program.post(PLANS, {"task": task, **more})
    assert answer.status == 201, answer.text
    return answer.json


def evaluated(program: Program, plan: Json, result: Json) -> Json:
    """An evaluation that must be made."""
    answer = program.post(f"{PLANS}{plan['id']}/evaluations/", {"execution_result": result})
    assert answer.status == 201, answer.text
    return answer.json


def listed(program: Program, path: str = PLANS, **query: str) -> list[str]:
    """The ids in their order, by pages of two."""
    found, address = [], path + "?limit=2" + "".join(f"&{name}={value}" for name, value in query.items())
    while address:
        page = program.get(address)
        assert page.status == 200, page.text
        assert len(page.json["items"]) <= 2
        found += [item["id"] for item in page.json["items"]]
        address = page.json["next"]
    return found


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.json["code"]


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return client


def hurry(monkeypatch: pytest.MonkeyPatch, operation: str, timeout_ms: int = 150) -> None:
    """Give an operation less time than it has."""
    quick = operations.operation_named(operation)._replace(timeout_ms=timeout_ms)
    monkeypatch.setitem(operations._operations, operation, quick)
