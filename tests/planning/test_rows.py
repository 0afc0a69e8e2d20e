"""What makes a plan whole is refused by the service with its place, and by the database without."""

import uuid

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts.models import User
from planning.contracts import Plan, Step
from planning.errors import PlanRefused
from planning.models import Criterion
from planning.models import Plan as PlanRow
from planning.models import Step as StepRow
from planning.services import plan_faults, plan_save
from tests.hands import assert_never

pytestmark = pytest.mark.django_db
WHOLE = Plan(
    task="Book hotel in Paris",
    steps=[Step(order=1, description="Search"), Step(order=2, description="Book", dependencies=[1])],
    success_criteria=["Hotel quality >= 7"],  # type: ignore[list-item]
)


def steps(*orders: tuple[int, list[int]]) -> list[Step]:
    return [Step(order=order, description=f"step {order}", dependencies=after) for order, after in orders]


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"steps": []}, "/steps"),
        ({"steps": steps((1, []), (3, []))}, "/steps/1/order"),
        ({"steps": steps((2, []))}, "/steps/0/order"),
        ({"steps": steps((1, []), (1, []))}, "/steps/1/order"),
        ({"steps": steps((1, [1]))}, "/steps/0/dependencies/0"),
        ({"steps": steps((1, [2]), (2, []))}, "/steps/0/dependencies/0"),
        ({"steps": steps((1, []), (2, [0]))}, "/steps/1/dependencies/0"),
        ({"success_criteria": []}, "/success_criteria"),
        ({"success_criteria": ["It feels right"]}, "/success_criteria"),
    ],
)
def test_a_plan_that_is_not_whole_is_not_saved(learner: User, changes: dict[str, object], place: str) -> None:
    with pytest.raises(PlanRefused) as refused:
        plan_save(plan=WHOLE.replaced(**changes), user=learner, owner=str(learner.pk))
    assert place in [where for where, _what in refused.value.places]
    assert not PlanRow.objects.exists()


def test_a_whole_plan_has_no_faults_and_is_saved(learner: User) -> None:
    assert plan_faults(WHOLE) == []
    saved = plan_save(plan=WHOLE, user=learner, owner=str(learner.pk))
    assert StepRow.objects.filter(plan=saved.id).count() == 2


@transaction.atomic
def _insert(orders: list[tuple[int, list[int]]], *, measurable: bool = True) -> None:
    row = PlanRow.objects.create(
        owner="somebody",
        task="a task",
        task_type="general",
        language="en",
        source="template",
        desired_result={},
        config={},
        constraints=[],
        metadata={},
        created_at=timezone.now(),
    )
    for order, after in orders:
        StepRow.objects.create(plan=row, order=order, description="do it", dependencies=after)
    Criterion.objects.create(
        plan=row, position=1, text="quality >= 7", measurable=measurable, verifiable=True, source="given"
    )
    connection.check_constraints()


@transaction.atomic
def _take_out(plan_id: uuid.UUID | None) -> None:
    StepRow.objects.filter(plan_id=str(plan_id), order=1).delete()
    connection.check_constraints()


@pytest.mark.parametrize(
    ("orders", "measurable"),
    [
        ([], True),
        ([(1, []), (3, [])], True),
        ([(2, [])], True),
        ([(1, []), (2, [])], False),
        ([(1, [1])], True),
        ([(1, [2]), (2, [])], True),
        ([(1, []), (2, [0])], True),
        ([(1, []), (1, [])], True),
    ],
)
def test_the_database_refuses_it_too(db: None, orders: list[tuple[int, list[int]]], measurable: bool) -> None:
    with pytest.raises(IntegrityError):
        _insert(orders, measurable=measurable)


def test_a_step_cannot_be_taken_out_nor_changed_but_a_plan_can_go(learner: User) -> None:
    saved = plan_save(plan=WHOLE, user=learner, owner=str(learner.pk))
    connection.check_constraints()
    with pytest.raises(IntegrityError):
        _take_out(saved.id)
    assert_never(lambda: StepRow.objects.filter(plan=saved.id).update(description="another"))
    PlanRow.objects.filter(pk=str(saved.id)).delete()
    connection.check_constraints()
