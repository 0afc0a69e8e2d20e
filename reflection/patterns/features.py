"""Circumstances and outcome of an episode as features, by which any two episodes can be compared."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from evaluation.contracts import CriterionResult, Evaluation, Reason
from planning.contracts import Plan
from planning.criteria import CriterionParse
from reflection.patterns.naming import Named, feature, key_of, named, read

FEATURES_AT_MOST: Final = 40
_OF_A_KIND: Final = 5
"""Of constraints, of adjustments and of settings, so that many of them leave room for the outcome."""
_LABEL: Final = 200


def features_of(plan: Plan, evaluation: Evaluation) -> frozenset[str]:
    """At most 40 features of at most 120 characters, the same in English and Spanish where the names are known.

    Circumstances: `priority=`, `source=`, `language=`, `asks:` (a field that a criterion is of), `constraint:` (of the
    plan), `constrained:` and `unconstrained:` (a field, with or without one), `adjusted:`, `setting:`. Outcomes:
    `fails:` and `meets:` (a criterion; `fails:` also its field), `missing:` (data on a field), `unclear:` (it could not
    be checked for another reason), `rejected` and `confirmed` (by the user).
    """
    checks = _checks(plan, evaluation)
    features = dict.fromkeys(
        (*_strategy(plan), *_failing(checks), *_constrained(plan, checks), *_adjusted(plan), *_others(checks))
    )
    return frozenset(islice(features, FEATURES_AT_MOST))


def _checks(plan: Plan, evaluation: Evaluation) -> list[tuple[Named, CriterionResult]]:
    parses: dict[str, CriterionParse | None] = {
        criterion.text[:500]: criterion.parse for criterion in plan.success_criteria
    }
    return [(named(check.source, parses.get(check.source)), check) for check in evaluation.criteria_met]


def _strategy(plan: Plan) -> Iterator[str]:
    if plan.config.priority and (key := key_of(plan.config.priority)):
        yield feature("priority", key, "=")
    yield feature("source", plan.metadata.source.value, "=")
    yield feature("language", plan.metadata.language, "=")


def _failing(checks: list[tuple[Named, CriterionResult]]) -> Iterator[str]:
    for name, check in checks:
        if check.met is True:
            continue
        if name.verdict == "approval":
            yield "rejected" if check.met is False else "missing:confirmation"
        elif check.met is None:
            yield feature("missing" if check.reason == Reason.DATA_MISSING else "unclear", name.field or name.normal)
        else:
            yield feature("fails", name.normal)
            if name.field:
                yield feature("fails", name.field)
        if name.field:
            yield feature("asks", name.field)


def _constrained(plan: Plan, checks: list[tuple[Named, CriterionResult]]) -> Iterator[str]:
    constraints = [read(text) for text in plan.constraints[: 2 * _OF_A_KIND]]
    fields = {constraint.field for constraint in constraints}
    for name, check in checks:
        if name.field and check.met is False and name.field != name.normal:
            yield feature("constrained" if name.field in fields else "unconstrained", name.field)
    for constraint in constraints[:_OF_A_KIND]:
        yield feature("constraint", constraint.normal)
    for name, check in checks:
        if name.field and check.met is not False and name.field != name.normal:
            yield feature("constrained" if name.field in fields else "unconstrained", name.field)


def _adjusted(plan: Plan) -> Iterator[str]:
    for label in plan.metadata.applied_adjustments[-_OF_A_KIND:]:
        yield feature("adjusted", label.rpartition(": ")[2][:_LABEL].casefold())
    for name, value in islice(plan.config.settings.items(), _OF_A_KIND):
        if isinstance(value, str | int | float | bool):
            yield feature("setting", f"{name}={str(value)[:_LABEL]}".casefold())


def _others(checks: list[tuple[Named, CriterionResult]]) -> Iterator[str]:
    for name, check in checks:
        if check.met is not True:
            continue
        yield "confirmed" if name.verdict == "approval" else feature("meets", name.normal)
        if name.field:
            yield feature("asks", name.field)
