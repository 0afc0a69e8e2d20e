"""What reflections set for somebody, and what may be set at all."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from gateway.errors import MetacognitionStorageQuotaExceeded
from memory.contracts import Adjustment, AdjustmentOperation
from memory.errors import MemoryRefused
from memory.manager import MemoryManager
from memory.models import StrategyAdjustment
from memory.selectors import adjustments_of
from memory.services import adjustment_withdraw, adjustments_set
from memory.strategy import registry
from memory.strategy.registry import SettingType, StrategySetting, adjustment_judge, setting_register
from telemetry.models import Event

Queries = Callable[[int], AbstractContextManager[Any]]
PRIORITY = Adjustment(operation=AdjustmentOperation.CHANGE, setting="priority", value="quality", previous="price")
CONSTRAINT = Adjustment(operation=AdjustmentOperation.ADD_CONSTRAINT, setting="constraint", value="quality >= 7")


def set_for(user: User, *adjustments: Adjustment, reflection: str = "r1", **changes: Any) -> list[StrategyAdjustment]:
    values = {"task_type": "hotel_booking", **changes}
    return adjustments_set(user=user, reflection_id=reflection, adjustments=adjustments or (PRIORITY,), **values)


def test_they_come_back_as_they_were_set_in_order(learner: User, django_assert_num_queries: Queries) -> None:
    numbers = [
        Adjustment(operation=AdjustmentOperation.SET, setting="limit", value=value)
        for value in (7, 0.5, True, None, "é")
    ]
    set_for(learner, PRIORITY, CONSTRAINT, *numbers)
    set_for(learner, CONSTRAINT, reflection="r2", task_type="")
    set_for(learner, CONSTRAINT, reflection="r3", task_type="flight_booking")
    with django_assert_num_queries(1):
        found = adjustments_of(learner.pk, "hotel_booking")
    assert [one.adjustment for one in found] == [PRIORITY, CONSTRAINT, *numbers, CONSTRAINT]
    assert [type(one.adjustment.value) for one in found[2:6]] == [int, float, bool, type(None)]
    assert [one.reflection_id for one in found] == ["r1"] * 7 + ["r2"]
    assert MemoryManager().adjustments("ana", "hotel_booking") == found
    assert [one.reflection_id for one in adjustments_of(learner.pk, "")] == ["r2"]


def test_a_reflection_sets_them_once_also_when_they_were_withdrawn(learner: User, stranger: User) -> None:
    (first,) = set_for(learner)
    assert [row.pk for row in set_for(learner, PRIORITY, CONSTRAINT)] == [first.pk]
    assert not adjustment_withdraw(user=stranger, adjustment_id=first.pk)
    assert not adjustment_withdraw(user=learner, adjustment_id="none")
    assert adjustment_withdraw(user=learner, adjustment_id=str(first.pk))
    assert not adjustment_withdraw(user=learner, adjustment_id=first.pk)
    assert adjustments_of(learner.pk, "hotel_booking") == []
    set_for(learner)
    assert adjustments_of(learner.pk, "hotel_booking") == []
    assert StrategyAdjustment.objects.count() == 1


def test_they_hold_for_ninety_days(learner: User) -> None:
    now = timezone.now()
    set_for(learner, now=now - timedelta(days=89))
    assert adjustments_of(learner.pk, "hotel_booking", now)
    assert adjustments_of(learner.pk, "hotel_booking", now + timedelta(days=1)) == []


def test_an_agent_has_a_thousand_in_force_for_a_user_and_none_of_the_next_is_set(learner: User, stranger: User) -> None:
    now = timezone.now()
    values = {"operation": "set", "setting": "priority", "created_at": now, "expires_at": now + timedelta(days=90)}
    StrategyAdjustment.objects.bulk_create(
        StrategyAdjustment(user=learner, reflection_id=f"{number}", **values) for number in range(999)
    )
    with pytest.raises(MetacognitionStorageQuotaExceeded, match="999 of 1000 adjustments of planner"):
        set_for(learner, PRIORITY, CONSTRAINT)
    assert StrategyAdjustment.objects.filter(user=learner).count() == 999
    set_for(stranger, PRIORITY, CONSTRAINT)
    assert Event.objects.get(chain_id="memory").data["quota"] == "adjustments"
    set_for(learner)
    set_for(learner, agent="tutor", reflection="r2")
    StrategyAdjustment.objects.filter(user=learner).update(withdrawn_at=now)
    set_for(learner, PRIORITY, CONSTRAINT, reflection="r3")


@pytest.mark.parametrize(
    "changes",
    [{"task_type": "Hotel"}, {"reflection": ""}, {"reflection": "r" * 65}, {"agent": "a" * 32}, {"reflection": "\0"}],
)
def test_what_cannot_be_stored_is_refused(learner: User, changes: dict[str, Any]) -> None:
    with pytest.raises(MemoryRefused):
        set_for(learner, **changes)
    for value in (float("nan"), "x" * 501, "\0", 10**400):
        with pytest.raises(MemoryRefused):
            set_for(learner, PRIORITY.model_copy(update={"value": value}))


@pytest.fixture
def settings_of_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_settings", {})
    for setting in (
        StrategySetting("priority", "Priority", SettingType.CHOICE, choices=("price", "quality")),
        StrategySetting("constraint", "Constraints", SettingType.CONSTRAINT),
        StrategySetting("hints", "Hints", SettingType.NUMBER, minimum=0, maximum=3, unit="hints"),
        StrategySetting("rating", "Rating", SettingType.NUMBER, minimum=0),
        StrategySetting("tone", "Tone", SettingType.TEXT),
        StrategySetting("examples_first", "Examples first", SettingType.FLAG),
    ):
        setting_register(setting)


def judged(operation: str, setting: str, value: Any = None, **more: Any) -> str | None:
    return adjustment_judge(Adjustment(operation=AdjustmentOperation(operation), setting=setting, value=value, **more))


def test_the_registry_says_what_can_be_executed(settings_of_a_test: None) -> None:
    executable: list[tuple[Any, ...]] = [
        *[("change", "priority", "quality"), ("set", "tone", "friendly"), ("set", "examples_first", False)],
        *[("set", "hints", 0), ("set", "hints", 3), ("set", "rating", 10**6), ("increase", "hints", 2.5)],
        *[("add_constraint", "constraint", "quality >= 7"), ("filter", "constraint", "price <= 200")],
        *[("remove", "constraint", "quality >= 7"), ("remove", "priority", "price"), ("remove", "tone", "friendly")],
    ]
    wrong = [case for case in executable if judged(*case) is not None]
    if judged("decrease", "rating", 5, relative=True) or judged("increase", "hints", 3, relative=True):
        wrong.append(("relative",))
    assert wrong == []


def test_the_registry_says_what_cannot_and_why(settings_of_a_test: None) -> None:
    refused: list[tuple[str, str, Any, str]] = [
        ("set", "speed", 1, "no setting speed"),
        ("change", "priority", "comfort", "one of price, quality"),
        ("change", "priority", 7, "needs a text"),
        ("set", "tone", "  ", "needs a text"),
        ("set", "tone", "x" * 501, "more than 500"),
        ("set", "examples_first", 1, "on or off"),
        ("set", "hints", "2", "is a number"),
        ("set", "hints", True, "is a number"),
        ("set", "hints", float("nan"), "is a number"),
        ("set", "hints", 4, "cannot be 4: it lies between 0 and 3"),
        ("set", "rating", -1, "between 0 and …"),
        ("set", "constraint", "quality >= 7", "added and removed"),
        ("add_constraint", "priority", "quality", "no list of constraints"),
        ("filter", "constraint", None, "needs a text"),
        ("remove", "constraint", None, "needs a text"),
        ("remove", "hints", 2, "not removed"),
        ("increase", "priority", "quality", "no number"),
        ("increase", "hints", None, "by how much"),
        ("increase", "hints", 4, "lies between"),
    ]
    found = [(judged(*case), words) for *case, words in refused]
    assert [(said, words) for said, words in found if said is None or words not in said] == []
    assert "over 0" in str(judged("decrease", "hints", 0, relative=True))
    assert "more than hints can change" in str(judged("increase", "hints", 4, relative=True))


def test_a_name_means_one_setting(settings_of_a_test: None) -> None:
    same = StrategySetting("tone", "Tone", SettingType.TEXT)
    setting_register(same)
    assert registry.setting_named("tone") == same
    assert [setting.name for setting in registry.settings_all()][:2] == ["priority", "constraint"]
    with pytest.raises(ValueError, match="another setting 'tone'"):
        setting_register(StrategySetting("tone", "Tone", SettingType.FLAG))
    with pytest.raises(ValueError, match="needs choices"):
        setting_register(StrategySetting("colour", "Colour", SettingType.CHOICE))
    with pytest.raises(KeyError):
        registry.setting_named("nothing")


def test_a_family_of_settings_has_every_name_that_begins_like_it() -> None:
    more = Adjustment(operation=AdjustmentOperation.INCREASE, setting="min_quality", value=1, relative=True)
    assert adjustment_judge(more) is None
    alone = more.model_copy(update={"setting": "min_"})
    assert adjustment_judge(alone) == "There is no setting min_."
    wrong = Adjustment(operation=AdjustmentOperation.SET, setting="max_price", value="cheap")
    assert adjustment_judge(wrong) == "max_price is a number."
