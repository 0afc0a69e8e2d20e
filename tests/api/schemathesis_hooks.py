"""What schemathesis cannot know by itself: a key names one action, and an action is made for a session as it stands.

Loaded by schemathesis in its own process; see test_schemathesis.py.
"""

import itertools
import json
import os
import re
import time
import urllib.request
import uuid
from typing import Any

import schemathesis

API, TOKEN, STAFF = os.environ["ANDAMIO_API"], os.environ["ANDAMIO_TOKEN"], os.environ["ANDAMIO_STAFF_TOKEN"]
REVIEWED_AT_MOST = 20
_numbers = itertools.count()
_reflected: list[str] = []


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    """Make a sensible request one that can succeed; what is meant to be refused is sent as it is."""
    _name_the_action(case)
    meta = case.meta
    if meta is not None and meta.generation.mode.is_positive:
        parameters = case.path_parameters or {}
        if "session_id" in parameters:
            _go_to_a_session(case)
        elif "verdict_id" in parameters:
            _go_to_a_verdict(case)
        elif "budget_id" in parameters:
            _go_to_a_budget(case)
        elif "reflection_id" in parameters or case.path.endswith("/reflection/"):
            _go_to_a_reflection(case, parameters)
        elif "query_plan_id" in parameters or "audit_entry_id" in parameters:
            _go_to_a_query_plan(case, parameters)
        elif "plan_id" in parameters or "evaluation_id" in parameters:
            _go_to_a_plan(case, parameters)
        elif isinstance(case.body, dict) and isinstance(case.body.get("criteria"), list):
            case.body["criteria"] = [*case.body["criteria"][:49], "price <= 200"]  # one can be measured
        elif case.path.endswith(("/metrics/", "/quality/")) and "since" in (case.query or {}):
            # That two times are in order and not ten years apart is a rule that JSON Schema has no word for.
            case.query["until"] = case.query["since"]


def _name_the_action(case: Any) -> None:
    """A key is for one request: the same one with another body is refused, which has tests of its own."""
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and re.fullmatch("[!-~]{1,255}", key):
        case.headers["Idempotency-Key"] = f"{key[:222]}-{uuid.uuid4().hex}"


def _go_to_a_session(case: Any) -> None:
    """A session of a new learner: every other one at a question, and those for which that helps after two attempts."""
    number = next(_numbers)
    session = _send("sessions/", {"lesson": "fotosintesis", "learner": f"st-{number}"})
    while number % 2 and "answer" not in session["actions"]:
        session = _act(session, "continue", {})
    for _ in range(2 if "answer" in session["actions"] and number % 3 == 0 else 0):
        session = _act(session, "answers", {"dont_know": True})
    case.path_parameters["session_id"] = session["id"]
    if isinstance(case.body, dict) and isinstance(case.body.get("version"), int):
        case.body["version"] = session["version"]


def _go_to_a_verdict(case: Any) -> None:
    """One that waits; every other review names the one it saw, which is none."""
    number = next(_numbers)
    session = _send("sessions/", {"lesson": "fotosintesis", "learner": f"st-{number}"})
    while "answer" not in session["actions"]:
        session = _act(session, "continue", {})
    _act(session, "answers", {"text": f"Las plantas duermen {number} horas."})
    case.path_parameters["verdict_id"] = _read("verdicts/?limit=1")["items"][0]["id"]
    if isinstance(case.body, dict) and isinstance(case.body.get("seen"), int) and number % 2:
        case.body["seen"] = None


def _go_to_a_budget(case: Any) -> None:
    """That of a new learner's session."""
    session = _send("sessions/", {"lesson": "fotosintesis", "learner": f"st-{next(_numbers)}"})
    case.path_parameters["budget_id"] = _read(f"budgets/?session={session['id']}")["items"][0]["id"]


def _go_to_a_plan(case: Any, parameters: dict[str, Any]) -> None:
    """One that was evaluated before."""
    plan = _send("plans/", {"task": f"Book hotel in Paris for {next(_numbers)} nights"})
    evaluation = _send(f"plans/{plan['id']}/evaluations/", {"execution_result": {"price": 150}})
    for name, value in (("plan_id", plan["id"]), ("evaluation_id", evaluation["id"])):
        if name in parameters:
            case.path_parameters[name] = value


def _go_to_a_query_plan(case: Any, parameters: dict[str, Any]) -> None:
    """One that nobody corrected yet, or its audit entry."""
    plan = _send("query-plans/", {"message": f"¿Pido una excedencia de {next(_numbers)} meses?"})
    for name, value in (("query_plan_id", plan["id"]), ("audit_entry_id", plan["audit_entry_id"])):
        if name in parameters:
            case.path_parameters[name] = value


def _go_to_a_reflection(case: Any, parameters: dict[str, Any]) -> None:
    """One that is reviewed again and again; now and then a new one. Whoever names a version names the latest."""
    if next(_numbers) % REVIEWED_AT_MOST == 0 or not _reflected:
        _reflected[:] = [_reflection()]
    found = _read(f"reflections/{_reflected[0]}/")
    for name, value in (("reflection_id", found["id"]), ("evaluation_id", found["evaluation_id"])):
        if name in parameters:
            case.path_parameters[name] = value
    if isinstance(case.body, dict) and isinstance(case.body.get("seen"), int):
        case.body["seen"] = found["version"]
    if isinstance(case.body, dict) and case.body.get("action") in ("approve", "reject"):
        case.body["action"] = "reject" if found["in_force"] else "approve"


def _reflection() -> str:
    """The id of one that a worker made of a failure, or of the next one, should its message not have come through."""
    for _ in range(10):
        task = f"Book hotel in Rome for {next(_numbers)} nights"
        plan = _send("plans/", {"task": task, "criteria": ["price <= 200"]})
        failure = _send(f"plans/{plan['id']}/evaluations/", {"execution_result": {"price": 350}})
        for _ in range(20):
            made = _read("reflections/?limit=1")["items"]  # the latest
            if made and made[0]["evaluation_id"] == failure["id"]:
                return str(made[0]["id"])
            time.sleep(0.1)
    raise AssertionError("nobody reflects")


def _act(session: dict[str, Any], action: str, body: dict[str, Any]) -> dict[str, Any]:
    return _send(f"sessions/{session['id']}/{action}/", {"version": session["version"], **body})


def _send(path: str, body: dict[str, Any]) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    return _answer(urllib.request.Request(f"{API}{path}", json.dumps(body).encode(), headers))


def _read(path: str) -> dict[str, Any]:
    return _answer(urllib.request.Request(f"{API}{path}", headers={"Authorization": f"Bearer {STAFF}"}))


def _answer(request: urllib.request.Request) -> dict[str, Any]:
    with urllib.request.urlopen(request, timeout=30) as response:
        value: dict[str, Any] = json.load(response)
    return value
