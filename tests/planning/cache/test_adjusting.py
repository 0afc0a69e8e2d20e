"""A plan from the cache for a task that adds something is checked as one that was made for the task."""

from planning.cache.adjusting import plan_adjusted
from planning.cache.guard import relation_of
from planning.contracts import CriterionSource, Plan, PlanMetadata, SuccessCriterion
from planning.templates import criteria_of, desired_result_of, steps_of
from planning.understanding import task_read

PREFERENCES = ["needs wifi"]
ROWS = (
    ("Book hotel in Paris", "for 2 nights", "nights == 2"),
    ("Book hotel in Paris", "for 2 guests", "guests == 2"),
    ("Book hotel in Paris", "from Dec 15 to Dec 17", "check-out date == 12-17"),
    ("Book hotel in Paris", "with a pool", "pool"),
    ("Book hotel in Paris", "without smoking", "no smoking"),
    ("Book flight to Paris", "on Dec 15", "departure date == 12-15"),
    ("Book flight to Paris", "from Madrid", "origin == Madrid"),
    ("Plan a trip to Rome", "for 5 days", "days == 5"),
    ("Reservar hotel en París", "por 2 noches", "noches == 2"),
    ("Book a table", "for 4 people", "size == 4"),
)


def test_a_cached_plan_with_an_addition_has_the_criteria_of_a_fresh_plan() -> None:
    wrong = []
    learned = SuccessCriterion(text="quality >= 7", source=CriterionSource.EXPERIENCE)
    for cached, added, wanted in ROWS:
        old, new = task_read(cached), task_read(f"{cached} {added}")
        plan = Plan(
            task=cached,
            steps=steps_of(old),
            desired_result=desired_result_of(old),
            success_criteria=[*criteria_of(old, PREFERENCES), learned],
            metadata=PlanMetadata(task_type=old.task_type, preferences=PREFERENCES),
        )
        adjusted, _notes = plan_adjusted(plan, new, relation_of(cached, new.task, old.language).additions)
        got = [one.normal for one in adjusted.success_criteria]
        fresh = {one.normal for one in criteria_of(new, PREFERENCES)}
        if set(got) != fresh | {learned.normal} or wanted not in got or "confirm" not in got[-1]:
            wrong.append(f"{new.task}: {got}")
    assert not wrong, "\n".join(wrong)
