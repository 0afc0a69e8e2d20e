"""Every page of the admin, whoever registered it: open to staff, closed to others, and read-only where it is ours."""

import copy
from typing import Any

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib import admin
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.db.models import Model
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django_celery_beat.models import ClockedSchedule, CrontabSchedule, IntervalSchedule, PeriodicTask, SolarSchedule

from accounts.models import Role, Scope, User
from accounts.services import guest_create, token_issue
from evaluation.layer import EvaluationLayer
from evaluation.models import PendingReflection
from gateway.client.breaker import breaker_failed
from gateway.ledger import settle
from gateway.models import Account, Alert, Breaker, Entry, Hold, OperationTiming, Price
from gateway.operations.deadlines import operation_run
from lesson_engine.contracts import VerdictResult
from lesson_engine.models import (
    Course,
    Lesson,
    LessonVersion,
    QuestionReport,
    QuestionVoid,
    Session,
    Turn,
    VerdictReview,
)
from lesson_engine.services.courses import course_set
from lesson_engine.services.questions import question_void
from lesson_engine.services.reviewing import verdict_review
from memory.contracts import Adjustment, AdjustmentOperation
from memory.models import Episode, Preference, StrategyAdjustment
from memory.services import adjustments_set, episode_store, preference_set
from planning.layer import PlanningLayer
from planning.models import CachedPlan, Plan
from planning.selectors import plan_read
from reflection.models import Pattern, Reflection
from reflection.services.patterns import patterns_store
from routing.models import AuditChain, AuditEntry, LabelledExample, PackVersion, QueryPlan
from routing.services import plan_correct, question_ask
from telemetry.models import Chain, Event
from tests.conftest import RowsOfModule, lesson_make
from tests.gateway.ledger_helpers import lesson, lost, sent
from tests.lesson_engine.admin.conftest import Walk
from tests.reflection.patterns_made import found
from tests.reflection.reflections_made import reflections_make, tried

READ_ONLY: list[type[Model]] = [
    *(Account, Hold, Entry, Price, Breaker, Alert, OperationTiming),
    *(Lesson, LessonVersion, Session, QuestionReport, QuestionVoid, VerdictReview, Chain, Event),
    *(Episode, Preference, StrategyAdjustment, Plan, CachedPlan, PendingReflection, Reflection, Pattern),
    *(QueryPlan, AuditEntry, AuditChain, LabelledExample, PackVersion),
]
OURS = {
    "accounts",
    "evaluation",
    "gateway",
    "lesson_engine",
    "memory",
    "planning",
    "reflection",
    "routing",
    "telemetry",
}


@pytest.fixture(scope="module")
def made(module_rows: RowsOfModule) -> tuple[User, User]:
    """At least one row of every registered model, and the staff and the learner among them."""
    with module_rows():
        staff = User.objects.create_superuser("carla", password="x", role=Role.STAFF)
        learner = User.objects.create_user("ana", password="x")
        make_records(staff, learner)
        return staff, learner


@pytest.fixture
def staff(made: tuple[User, User], db: None) -> User:
    return copy.deepcopy(made[0])


@pytest.fixture
def learner(made: tuple[User, User], db: None) -> User:
    return copy.deepcopy(made[1])


@pytest.fixture
def records(staff: User, learner: User) -> None:
    """At least one row of every registered model."""


def make_records(staff: User, learner: User) -> None:
    walk = Walk(learner, lesson_make()).go_on().answer("sugar").report()
    answer = Turn.objects.get(kind=Turn.Kind.ANSWER)
    verdict_review(turn=answer, result=VerdictResult.PARTIAL, by=staff, note="It is half of it.")
    question_void(version=walk.session.lesson_version, ask_code="ASK_002", by=staff, reason="It has two answers.")
    course_set(slug="plants", title="Plants", language="en", summary="All of them.", lessons=["light"])
    settle(sent(lesson()), lost())
    breaker_failed("o3-mini", "503", began=timezone.now())
    Alert.objects.create(kind="degraded", key="today", raised_at=timezone.now())
    with operation_run("create_plan"):
        pass
    episode_store(learner, "The hotel was quiet", "hotel_booking", "success")
    preference_set(user=learner, text="no advanced slopes")
    change = Adjustment(operation=AdjustmentOperation.SET, setting="priority", value="quality")
    adjustments_set(user=learner, reflection_id="r1", task_type="", adjustments=[change])
    PlanningLayer().create_plan("Book hotel in Paris", learner)
    for plan in Plan.objects.all():  # the session's too
        EvaluationLayer().evaluate_result(plan_read(plan.pk), {"user_feedback": "rejected"}, by=plan.evaluated_by)
    reflections_make(Plan.objects.get(user=learner, task_type="hotel_booking"), [tried(author="model"), tried()])
    patterns_store(user_id=learner.pk, found=found(), language="en")
    asked = question_ask(user=learner, message="What are flats by the sea sold for?")
    plan_correct(plan_id=asked.pk, domain="growth", by=learner)
    Group.objects.create(name="auditors")
    token_issue(user=learner, name="laptop", scopes=[Scope.LESSONS_READ], days=1)
    ip: dict[str, Any] = {"ip_address": "127.0.0.1", "user_agent": "x", "username": "eve"}
    AccessAttempt.objects.create(**ip, failures_since_start=1, get_data="", post_data="")
    AccessLog.objects.create(**ip)
    AccessFailureLog.objects.create(**ip)
    every_minute = IntervalSchedule.objects.create(every=1, period=IntervalSchedule.MINUTES)
    PeriodicTask.objects.create(name="beat", task="core.tasks.heartbeat", interval=every_minute)
    CrontabSchedule.objects.create()
    SolarSchedule.objects.create(event="sunrise", latitude=0, longitude=0)
    ClockedSchedule.objects.create(clocked_time=timezone.now())


def pages() -> list[str]:
    """The list of every registered model, and page and history of one row of each."""
    found = [reverse("admin:index")]
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        row = model._default_manager.first()
        assert row is not None, f"the test makes no {model.__name__}"
        found += [reverse(f"{name}_changelist"), reverse(f"{name}_change", args=[row.pk])]
        found += [reverse(f"{name}_history", args=[row.pk])]
    version = LessonVersion.objects.get()
    call = Hold.objects.get().pk
    return [
        *found,
        reverse("admin:gateway_account_adjust", args=[Account.objects.all()[0].pk]),
        reverse("admin:gateway_hold_correct", args=[call]),
        reverse("admin:gateway_hold_erase_text", args=[call]),
        reverse("admin:gateway_price_set"),
        reverse("admin:lesson_engine_lessonversion_file", args=[version.pk]),
        reverse("admin:lesson_engine_lessonversion_trial", args=[version.pk]),
        f"{reverse('admin:lesson_engine_questionreport_dismiss')}?ids={QuestionReport.objects.get().pk}",
        f"{reverse('admin:lesson_engine_questionvoid_withdraw')}?version={version.pk}&ask=ASK_001",
        *(reverse(f"admin:lesson_engine_verdictreview_{name}") for name in ("workbench", "agreement", "export")),
        f"{reverse('admin:lesson_engine_verdictreview_workbench')}?show=reviewed",
        reverse("admin:lesson_engine_verdictreview_verdict", args=[Turn.objects.get(kind=Turn.Kind.ANSWER).pk]),
        *(reverse("admin:planning_plan_change", args=[plan.pk]) for plan in Plan.objects.all()),
        reverse("admin:planning_cachedplan_evict", args=[CachedPlan.objects.get().pk]),
        f"{reverse('admin:reflection_reflection_changelist')}?review=all",
        *(reverse("admin:routing_queryplan_change", args=[plan.pk]) for plan in QueryPlan.objects.all()),
        reverse("admin:routing_labelledexample_export"),
        *(
            reverse(f"admin:reflection_reflection_{name}", args=[Reflection.objects.get().pk])
            for name in ("approve", "reject", "edit")
        ),
    ]


def test_nobody_else_can(records: None, learner: User, client: Client) -> None:
    integrator = User.objects.create_user("ines", password="x", role=Role.INTEGRATOR)
    for user in (None, learner, guest_create(), integrator):
        if user is not None:
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        for url in pages():
            response = client.get(url)
            assert response.status_code in (302, 403), (user, url)
            assert b"sugar" not in response.content


@pytest.fixture(params=["superuser", "staff"])
def anybody(request: pytest.FixtureRequest, staff: User, client: Client) -> Client:
    """A browser of each kind of person who may enter: with every right, and with none but the role."""
    user = staff if request.param == "superuser" else clerk()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def clerk() -> User:
    return User.objects.create_user("otto", password="x", role=Role.STAFF, is_staff=True)


def test_the_role_alone_lets_staff_read_all_that_is_ours_and_nothing_else(records: None, client: Client) -> None:
    client.force_login(clerk(), backend="django.contrib.auth.backends.ModelBackend")
    models: list[type[Model]] = [*READ_ONLY, Course]
    ours = tuple(f"/admin/{model._meta.app_label}/{model._meta.model_name}/" for model in models)
    for url in pages()[1:]:
        assert client.get(url).status_code == (200 if url.startswith(ours) else 403), url
    index = client.get(reverse("admin:index")).content.decode()
    assert all(url in index for url in ours)
    assert "/admin/accounts/" not in index
    lesson = client.get(reverse("admin:lesson_engine_lesson_change", args=[Lesson.objects.get().pk]))
    assert reverse("admin:lesson_engine_lessonversion_change", args=[LessonVersion.objects.get().pk]) in (
        lesson.content.decode()
    )


def test_staff_that_was_sent_away_sees_nothing(records: None, client: Client) -> None:
    away = clerk()
    client.force_login(away, backend="django.contrib.auth.backends.ModelBackend")
    User.objects.filter(pk=away.pk).update(is_active=False)
    for url in pages():
        assert client.get(url).status_code == 302, url


@pytest.mark.parametrize("model", READ_ONLY)
def test_nothing_can_be_added_changed_or_deleted(model: type[Model], records: None, anybody: Client) -> None:
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    before = list(model._default_manager.values().order_by("pk"))
    pk = before[0][model._meta.pk.attname]
    values = {field.name: "1" for field in model._meta.fields}
    assert anybody.get(reverse(f"{name}_add")).status_code == 403
    assert anybody.post(reverse(f"{name}_add"), values).status_code == 403
    assert anybody.post(reverse(f"{name}_change", args=[pk]), values).status_code == 403
    assert anybody.post(reverse(f"{name}_delete", args=[pk]), {"post": "yes"}).status_code == 403
    anybody.post(
        reverse(f"{name}_changelist"), {"action": "delete_selected", "_selected_action": str(pk), "post": "yes"}
    )
    assert list(model._default_manager.values().order_by("pk")) == before
    page = anybody.get(reverse(f"{name}_change", args=[pk])).content.decode()
    assert 'name="_save"' not in page
    assert "deletelink" not in page


def test_staff_can_open_every_page_and_ours_keep_to_the_content_security_policy(records: None, desk: Client) -> None:
    for url in pages():
        response = desk.get(url)
        assert response.status_code == 200, url
        policy = response.headers["Content-Security-Policy"]
        assert "script-src 'self';" in f"{policy};"
        assert "style-src 'self';" in f"{policy};"
        if any(f"/admin/{label}/" in url for label in OURS - {"accounts"}) and not url.endswith("/file/"):
            html = response.content.decode()
            assert "<style" not in html
            assert " style=" not in html
            assert "<script>" not in html
            assert " onclick=" not in html


def test_the_admin_says_whose_it_is(desk: Client) -> None:
    assert "Andamio administration" in desk.get(reverse("admin:index")).content.decode()


def test_the_admin_passes_djangos_own_checks() -> None:
    call_command("check", "--tag", "admin", "--fail-level", "WARNING")


@pytest.mark.parametrize(
    ("model", "queries"),
    # The browser's session, its user, the row; of a version also its publications; of a session also its turns
    # before and here, budget, chain, costs, reports and reviews; of a report also answers, other reports and a
    # withdrawal; of an account its entries, of a call those and other attempts; of a plan steps, criteria, evaluations
    # and checks; of a reflection all those of its failure, attempts, reviews, and what waits next; of a pattern what is
    # remembered of its person; of a query plan its entries, of an entry its neighbours, of a chain its latest
    # one, of an example the plan that was wrong.
    [
        *[(Account, 4), (Hold, 5), (Entry, 3), (Price, 3), (Breaker, 3), (Alert, 3), (OperationTiming, 3)],
        *[(LessonVersion, 4), (Session, 10), (QuestionReport, 6), (QuestionVoid, 3), (Chain, 3)],
        *[(VerdictReview, 3), (Event, 3), (Episode, 3), (Preference, 3), (StrategyAdjustment, 3)],
        *[(Plan, 7), (CachedPlan, 3), (PendingReflection, 3), (Reflection, 9), (Pattern, 5)],
        *[(QueryPlan, 4), (AuditEntry, 4), (AuditChain, 4), (LabelledExample, 4), (PackVersion, 3)],
    ],
)
def test_the_page_of_one_row_takes_few_queries(
    model: type[Model], queries: int, records: None, desk: Client, django_assert_num_queries: Any
) -> None:
    row = model._default_manager.order_by("pk").last()
    assert row is not None
    url = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[row.pk])
    desk.get(url)  # the outline of a version is read once in the life of a process
    with django_assert_num_queries(queries):
        desk.get(url)
