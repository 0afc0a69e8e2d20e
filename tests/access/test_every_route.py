"""Who is kept out of every single address. An address without its row here fails the test: decide who may use it."""

import copy
import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.apps import apps
from django.http.response import HttpResponseBase
from django.test import Client, override_settings

from accounts.models import Role, Scope, User
from accounts.services import token_issue
from accounts.sign_in.scopes import scopes_of
from gateway.models import Account
from lesson_engine.models import Session, Turn
from lesson_engine.services.goals import goals_evaluate
from planning.models import Plan
from routing.services import question_ask
from tests.access.routes import Route, routes
from tests.conftest import RowsOfModule, lesson_make
from tests.each import each
from tests.lesson_engine.learn.pages import Person
from tests.reflection.reflections_made import reflections_make, tried

# Who keeps out whom.
OPEN = "everybody may"
OWNED = "the learner's own: to everybody else it does not exist"
SIGNED_IN = "whoever has an account, and theirs only"
STAFF = "staff"
SUPERUSER = "superusers"
LESSONS, SESSIONS, ACTIONS, TELEMETRY = (
    Scope.LESSONS_READ,
    Scope.SESSIONS_READ,
    Scope.SESSIONS_WRITE,
    Scope.TELEMETRY_READ,
)
VERDICTS, REVIEWS = Scope.GRADING_READ, Scope.GRADING_WRITE
MONEY, SPENDING = Scope.BUDGETS_READ, Scope.BUDGETS_WRITE
PLANS, PLANNING = Scope.PLANS_READ, Scope.PLANS_WRITE

PAGES: dict[str, str] = {
    "lesson_engine:home": OPEN,
    "lesson_engine:lesson": OPEN,
    "lesson_engine:start": OPEN,
    "lesson_engine:schema": OPEN,
    "lesson_engine:course": OPEN,
    "routing:schema": OPEN,
    "routing:consult": OPEN,  # everybody's own, nothing for nobody
    "routing:ask": OPEN,
    "routing:plan": OWNED,
    "routing:correct": OWNED,
    "routing:check": OWNED,
    "lesson_engine:review": OPEN,  # everybody's own, nothing for nobody
    "lesson_engine:session": OWNED,
    "lesson_engine:answer": OWNED,
    "lesson_engine:continue": OWNED,
    "lesson_engine:hint": OWNED,
    "lesson_engine:skip": OWNED,
    "lesson_engine:compare": OWNED,
    "lesson_engine:self_assessment": OWNED,
    "lesson_engine:report": OWNED,
    "lesson_engine:mode": OWNED,
    "healthz": OPEN,
    "readyz": OPEN,
    "problems": OPEN,
    "problem": OPEN,
    "api_schema": OPEN,
    "api_docs": OPEN,
    "api_console": OPEN,
    "set_language": OPEN,
    "accounts:sign_up": OPEN,
    "accounts:sign_in": OPEN,
    "accounts:sign_out": OPEN,
    "accounts:password": SIGNED_IN,
    "accounts:tokens": SIGNED_IN,
    "accounts:token_new": SIGNED_IN,
    "accounts:token_revoke": SIGNED_IN,
    "accounts:second_factor": SIGNED_IN,
    "accounts:second_factor_set_up": SIGNED_IN,
    "accounts:recovery_codes": SIGNED_IN,
    "admin:index": STAFF,
    "admin:login": OPEN,
    "admin:logout": OPEN,
    "admin:password_change": STAFF,
    "admin:password_change_done": STAFF,
    "admin:autocomplete": STAFF,
    "admin:jsi18n": STAFF,
    "admin:view_on_site": STAFF,
    "admin:app_list": STAFF,
    "telemetry:dashboard": STAFF,
    "telemetry:exports": STAFF,
    "gateway:money": STAFF,
    "reflection:quality": STAFF,
    "consult:board": STAFF,
}
API: dict[str, dict[str, tuple[Scope, bool]]] = {
    # address: method: the scope it needs, and whether it is about one learner's session
    "api:lessons": {"GET": (LESSONS, False)},
    "api:lesson": {"GET": (LESSONS, False)},
    "api:sessions": {"GET": (SESSIONS, False), "POST": (ACTIONS, False)},
    "api:session": {"GET": (SESSIONS, True), "PATCH": (ACTIONS, True)},
    "api:session_answers": {"POST": (ACTIONS, True)},
    "api:session_compare": {"POST": (ACTIONS, True)},
    "api:session_continue": {"POST": (ACTIONS, True)},
    "api:session_hint": {"POST": (ACTIONS, True)},
    "api:session_report": {"POST": (ACTIONS, True)},
    "api:session_self_assessment": {"POST": (ACTIONS, True)},
    "api:session_skip": {"POST": (ACTIONS, True)},
    "api:session_turns": {"GET": (SESSIONS, True)},
    "api:learner_erase": {"POST": (ACTIONS, False)},
    "api:telemetry_events": {"GET": (TELEMETRY, False)},
    "api:telemetry_export": {"GET": (TELEMETRY, False)},
    "api:verdicts": {"GET": (VERDICTS, False)},
    "api:verdict": {"GET": (VERDICTS, False)},
    "api:verdict_reviews": {"POST": (REVIEWS, False)},
    "api:verdict_review_undo": {"POST": (REVIEWS, False)},
    "api:verdict_group_reviews": {"POST": (REVIEWS, False)},
    "api:verdict_agreement": {"GET": (VERDICTS, False)},
    "api:verdict_export": {"GET": (VERDICTS, False)},
    "api:metrics": {"GET": (Scope.METRICS_READ, False)},
    "api:budgets": {"GET": (MONEY, False)},
    "api:budget": {"GET": (MONEY, False)},  # the owner's, and staff's; see tests/gateway/api/test_budgets.py
    "api:budget_entries": {"GET": (MONEY, False)},
    "api:budget_adjustments": {"POST": (SPENDING, False)},
    "api:budget_unverified": {"GET": (SPENDING, False)},
    "api:charge_correction": {"POST": (SPENDING, False)},
    "api:prices": {"GET": (MONEY, False), "POST": (SPENDING, False)},
    "api:plans": {"GET": (PLANS, False), "POST": (PLANNING, False)},
    "api:plan": {"GET": (PLANS, False)},  # the owner's, and staff's; see tests/planning/api/test_api.py
    "api:plan_evaluations": {"GET": (PLANS, False), "POST": (PLANNING, False)},
    "api:evaluation": {"GET": (PLANS, False)},
    "api:evaluation_reflection": {"GET": (PLANS, False)},
    "api:reflections": {"GET": (PLANS, False)},
    "api:reflection": {"GET": (PLANS, False)},  # the owner's, and staff's; see tests/reflection/api/test_api.py
    "api:reflection_reviews": {"POST": (Scope.REFLECTIONS_REVIEW, False)},
    "api:reflection_quality": {"GET": (Scope.METRICS_READ, False)},
    "api:query_plans": {"GET": (Scope.QUERY_PLANS_READ, False), "POST": (Scope.QUERY_PLANS_WRITE, False)},
    "api:query_plan": {"GET": (Scope.QUERY_PLANS_READ, False)},  # the owner's, and staff's
    "api:query_plan_corrections": {"POST": (Scope.QUERY_PLANS_WRITE, False)},  # the owner's
    "api:audit_entries": {"GET": (Scope.AUDIT_READ, False)},
    "api:audit_entry": {"GET": (Scope.AUDIT_READ, False)},  # the same: tests/routing/api/test_audit.py
    "api:audit_verification": {"GET": (Scope.AUDIT_READ, False)},
}
MODELS: dict[str, str] = {
    # below /admin/<app>/<model>/: whatever stands there
    "auth/group": SUPERUSER,
    "accounts/user": SUPERUSER,
    "accounts/apitoken": SUPERUSER,
    "telemetry/event": STAFF,
    "telemetry/chain": STAFF,
    "gateway/account": STAFF,
    "gateway/hold": STAFF,
    "gateway/entry": STAFF,
    "gateway/price": STAFF,
    "gateway/breaker": STAFF,
    "gateway/alert": STAFF,
    "gateway/operationtiming": STAFF,
    "memory/episode": STAFF,
    "memory/preference": STAFF,
    "memory/strategyadjustment": STAFF,
    "planning/plan": STAFF,
    "planning/cachedplan": STAFF,
    "evaluation/pendingreflection": STAFF,
    "reflection/reflection": STAFF,
    "reflection/pattern": STAFF,
    "routing/queryplan": STAFF,
    "routing/auditentry": STAFF,
    "routing/auditchain": STAFF,
    "routing/labelledexample": STAFF,
    "routing/packversion": STAFF,
    "lesson_engine/lesson": STAFF,
    "lesson_engine/lessonversion": STAFF,
    "lesson_engine/session": STAFF,
    "lesson_engine/questionreport": STAFF,
    "lesson_engine/questionvoid": STAFF,
    "lesson_engine/verdictreview": STAFF,
    "lesson_engine/course": STAFF,
    "axes/accessattempt": SUPERUSER,
    "axes/accesslog": SUPERUSER,
    "axes/accessfailurelog": SUPERUSER,
    "django_celery_beat/periodictask": SUPERUSER,
    "django_celery_beat/clockedschedule": SUPERUSER,
    "django_celery_beat/crontabschedule": SUPERUSER,
    "django_celery_beat/solarschedule": SUPERUSER,
    "django_celery_beat/intervalschedule": SUPERUSER,
}
ALL = routes()
CATCH_ALL = "admin/(?P<url>.*)$"  # below /admin/, where nothing else is


def rule_of(route: Route) -> str | None:
    """Who may use a page; None where nobody has decided."""
    if route.name in PAGES:
        return PAGES[route.name]
    if route.pattern == CATCH_ALL:
        return STAFF
    parts = route.pattern.split("/")
    return MODELS.get("/".join(parts[1:3])) if parts[0] == "admin" else None


PAGE_ROUTES = [route for route in ALL if rule_of(route) not in (None, OPEN)]
API_ROUTES = [route for route in ALL if route.name in API]


@dataclass
class World:
    """A learner with a session and a token, and those who must not get at them."""

    session: Session
    values: dict[str, Any]
    people: dict[str, User]
    browsers: dict[str, Client]

    def path(self, route: Route) -> str:
        values = dict(self.values)
        parts = route.pattern.split("/")
        if parts[0] == "admin" and "/".join(parts[1:3]) in MODELS:
            model = apps.get_model(parts[1], parts[2])
            first = model._default_manager.order_by("pk").first()
            values |= dict.fromkeys(("object_id", "id"), first.pk if first else 0)
        return route.path(values)


@pytest.fixture(scope="module")
def made(module_rows: RowsOfModule) -> World:
    with module_rows():
        return make_world()


@pytest.fixture
def world(made: World, db: None) -> World:
    return copy.deepcopy(made)


def make_world() -> World:
    version = lesson_make()
    learner, stranger = (User.objects.create_user(name, password="x") for name in ("ana", "berto"))
    person = Person(signed_in(learner))
    person.start("light")
    person.go_to_question()
    person.answer("They need it to sleep")
    session = Session.objects.get()
    reflections_make(Plan.objects.get(pk=session.goals.plan_id), [tried()])
    token, _ = token_issue(user=learner, name="mine", scopes=[Scope.SESSIONS_READ], days=1)
    values = {
        "session_id": session.pk,
        "slug": "light",
        "lesson_id": version.lesson_id,
        "version_id": version.pk,
        "action": "answers",
        "token_id": token.pk,
        "verdict_id": Turn.objects.get(kind=Turn.Kind.ANSWER).pk,
        "budget_id": Account.objects.get(scope=Account.Scope.SESSION).pk,
        "hold_id": uuid.uuid4(),
        "plan_id": session.goals.plan_id,
        "evaluation_id": goals_evaluate(session.goals).id,
        "reflection_id": uuid.uuid4(),
        "query_plan_id": question_ask(user=learner, message="hola").pk,
        "audit_entry_id": uuid.uuid4(),
        "turn_id": Turn.objects.get(kind=Turn.Kind.ANSWER).pk,
        "code": "not-found",
        "content_type_id": 1,
        "object_id": 1,
        "app_label": "lesson_engine",
        "url": "nothing/here/",
    }
    people = {
        "stranger": stranger,
        "integrator": User.objects.create_user("inge", password="x", role=Role.INTEGRATOR),
        "staff": User.objects.create_user("sam", password="x", role=Role.STAFF, is_staff=True),
    }
    browsers = {name: signed_in(user) for name, user in {"nobody": None, **people}.items()}
    return World(session, values, people, browsers)


SIGN_IN, ADMIN_SIGN_IN, SECOND_FACTOR = "/account/sign-in/?next=", "/admin/login/?next=", "/account/second-factor/"
Ask = Callable[[str, str], HttpResponseBase]


def signed_in(user: User | None) -> Client:
    """A browser in which this person, or nobody, is signed in."""
    browser = Client(raise_request_exception=False)
    if user is not None:
        browser.force_login(user, "django.contrib.auth.backends.ModelBackend")
    return browser


def as_user(user: User | None) -> Ask:
    return at_browser(signed_in(user))


def at_browser(browser: Client) -> Ask:
    return lambda method, path: browser.generic(method, path, b"", "application/x-www-form-urlencoded")


def with_token(user: User, scopes: list[Scope]) -> Ask:
    """A program of this person's."""
    _, secret = token_issue(user=user, name="program", scopes=scopes, days=1)
    return lambda method, path: Client(headers={"Authorization": f"Bearer {secret}"}).generic(
        method, path, _body(method, path), "application/json"
    )


def _body(method: str, path: str) -> bytes:
    """What would be taken from the learner's own program."""
    bodies: dict[str, dict[str, Any]] = {
        "answers": {"version": 2, "text": "sugar"},
        "report": {"version": 2, "kind": "unclear"},
        "self-assessment": {"version": 2, "said": "yes"},
        "sessions": {"lesson": "light"},
        "erase": {"learner": "pupil-7"},
        "reviews": {"result": "ACCEPT"},
        "adjustments": {"limit_microcents": 0, "reason": "x"},
        "correction": {"cost_microcents": 0, "reason": "x"},
        "prices": {
            **dict.fromkeys(("input", "cached", "output", "reasoning", "embedding", "after"), 0),
            "tier": "cheap",
            "model": "free",
            "reason": "x",
        },
    }
    default = {"mode": "adaptive"} if method == "PATCH" else {"version": 2}
    return b"" if method == "GET" else json.dumps(bodies.get(path.split("/")[-2], default)).encode()


def may_not(name: str, rule: str | None) -> bool:
    """Whether these people are kept out of such a page. What staff may open has tests in `lesson_engine/admin`."""
    return name != "staff" or rule != STAFF


def leads_to(response: HttpResponseBase, *starts: str) -> bool:
    return response.status_code == 302 and response.headers["Location"].startswith(starts)


def test_every_address_has_its_row() -> None:
    without = [str(route) for route in ALL if rule_of(route) is None and route.name not in API]
    assert not without, "decide who may use these"


def test_every_row_has_its_address() -> None:
    names = {route.name for route in ALL}
    assert set(PAGES) | set(API) <= names
    assert {"/".join(route.pattern.split("/")[1:3]) for route in ALL if route.pattern.startswith("admin/")} >= set(
        MODELS
    )


@each("method", ["GET", "POST"])
@each("route", PAGE_ROUTES)
def test_a_page_keeps_out_who_does_not_belong(made: World, db: None, route: Route, method: str) -> None:
    world, rule = copy.deepcopy(made), rule_of(route)
    path, asked = world.path(route), {name: browser for name, browser in world.browsers.items() if may_not(name, rule)}
    answers = {name: at_browser(browser)(method, path) for name, browser in asked.items()}
    codes = {name: response.status_code for name, response in answers.items()}
    if rule == OWNED:
        # Opening the address of an action leads to the page it belongs to, which is not found then.
        acts = method == "GET" and route.name not in ("lesson_engine:session", "routing:plan")
        assert set(codes.values()) <= ({302} if acts else {404, 405}), codes
    elif rule == SIGNED_IN and set(codes.values()) != {405}:
        assert leads_to(answers["nobody"], SIGN_IN), codes
    elif rule in (STAFF, SUPERUSER) and set(codes.values()) != {405}:
        assert leads_to(answers["nobody"], SIGN_IN, ADMIN_SIGN_IN), codes
        for name in ("stranger", "integrator"):
            assert codes[name] == 403 or leads_to(answers[name], ADMIN_SIGN_IN), codes
    if rule == SUPERUSER and "{url}" not in path:
        assert codes["staff"] in (403, 404) or leads_to(answers["staff"], "/admin/"), codes
    world.session.refresh_from_db()
    assert world.session.version == 2


def test_where_the_administration_sends_them_there_is_nothing_for_them(world: World) -> None:
    answers = {name: browser.get(f"{ADMIN_SIGN_IN}/admin/") for name, browser in world.browsers.items()}
    assert leads_to(answers["nobody"], SIGN_IN)
    assert (answers["stranger"].status_code, answers["integrator"].status_code) == (403, 403)


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_somebody_elses_token_does_not_exist(world: World, method: str) -> None:
    path = f"/account/tokens/{world.values['token_id']}/revoke/"
    assert {as_user(user)(method, path).status_code for user in world.people.values()} == {404}


@each("route", [route for route in PAGE_ROUTES if rule_of(route) in (STAFF, SUPERUSER)])
@override_settings(STAFF_WITHOUT_SECOND_FACTOR="")
def test_staff_without_their_second_factor_stay_out(made: World, db: None, route: Route) -> None:
    world = copy.deepcopy(made)
    world.people["staff"].is_superuser = True
    world.people["staff"].save()
    assert leads_to(at_browser(world.browsers["staff"])("GET", world.path(route)), ADMIN_SIGN_IN, SECOND_FACTOR)


@override_settings(STAFF_WITHOUT_SECOND_FACTOR="")
def test_where_the_administration_sends_them_their_second_factor_is_wanted(world: World) -> None:
    assert leads_to(world.browsers["staff"].get(f"{ADMIN_SIGN_IN}/admin/"), SECOND_FACTOR)


def api_rows() -> list[tuple[Route, str, Scope, bool]]:
    return [
        (route, method, scope, of_session)
        for route in API_ROUTES
        for method, (scope, of_session) in API[route.name].items()
    ]


@each("route, method, scope, of_session", api_rows())
def test_the_api_keeps_out_who_does_not_belong(
    made: World, db: None, route: Route, method: str, scope: Scope, of_session: bool
) -> None:
    world = copy.deepcopy(made)
    path, integrator = world.path(route), world.people["integrator"]
    holder = integrator if scope in scopes_of(integrator) else world.people["staff"]
    others = [other for other in scopes_of(holder) if other != scope]
    nobody = Client().generic(method, path, _body(method, path), "application/json")
    assert (nobody.status_code, nobody.headers["WWW-Authenticate"]) == (401, 'Bearer realm="andamio"')
    wrong_token = Client(headers={"Authorization": "Bearer andamio_" + "x" * 43}).generic(method, path)
    assert wrong_token.status_code == 401
    wrong_scope = with_token(holder, others)(method, path)
    assert wrong_scope.status_code == 403
    assert "application/problem+json" in wrong_scope.headers["Content-Type"]
    if of_session:
        strangers = [world.people["stranger"], integrator, world.people["staff"]]
        found = {with_token(user, [scope])(method, path).status_code for user in strangers}
        assert found == {404}
    excluded = [user for user in world.people.values() if scope not in scopes_of(user)]
    assert {as_user(user)(method, path).status_code for user in excluded} <= {403}  # wrong role
    world.session.refresh_from_db()
    assert world.session.version == 2


@each("route", API_ROUTES)
def test_methods_that_an_address_has_not_are_refused(world: World, route: Route) -> None:
    ask = with_token(world.people["staff"], list(Scope))
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - set(API[route.name]):
        assert ask(method, world.path(route)).status_code == 405, method


def test_a_session_that_never_was_looks_like_somebody_elses(world: World) -> None:
    ask = with_token(world.people["integrator"], [Scope.SESSIONS_READ])
    answers = [ask("GET", f"/api/v1/sessions/{key}/") for key in (world.session.pk, uuid.uuid4())]
    bodies = [json.loads(getattr(response, "content", b"")) for response in answers]
    assert [response.status_code for response in answers] == [404, 404]
    assert bodies[0].keys() == bodies[1].keys()
    assert bodies[0]["detail"] == bodies[1]["detail"]
