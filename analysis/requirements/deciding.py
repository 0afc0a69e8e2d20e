"""From probabilities to what a question means."""

from analysis.requirements.absent import absent_groups
from analysis.requirements.axes import groups_decide, time_decide
from analysis.requirements.bounds import amount_conditions, period_conditions
from analysis.requirements.case import LIKELY, Case
from analysis.requirements.conditions import missing_conditions, value_conditions
from analysis.requirements.evidence import Evidence
from analysis.requirements.figures import column_counted, figures_decide
from analysis.requirements.labels import chart_decide, labels_decide
from analysis.requirements.meaning import Meaning, Reason
from analysis.requirements.pairing import pair_ranked
from analysis.requirements.ranking import limit_amount_of, order_decide
from analysis.requirements.settling import meaning_settle, part_decide


def meaning_of(evidence: Evidence) -> Meaning:
    """What a question means, by the likeliest decisions that fit each other."""
    case = Case(evidence)
    roles = case.chances.roles
    case.limit_amount = limit_amount_of(case)
    case.pair = None if case.is_of_rows() else pair_ranked(case.chances, bare=False)
    labels_decide(case)
    chart_decide(case)
    time_decide(case, roles["axis"])
    groups_decide(case, roles["group"])
    if (distinct := column_counted(case, "func:count_distinct", set())) is not None:
        case.meaning.groups.pop(case.columns[distinct].name, None)
    conditions_decide(case, roles)
    figures_decide(case, roles["measure"])
    order_decide(case, roles)
    part_decide(case)
    meaning_settle(case)
    case.meaning.unmatched = absent_groups(case)
    return case.meaning


def conditions_decide(case: Case, roles: dict[str, list[float]]) -> None:
    measures = [at for at, column in enumerate(case.columns) if column.is_number]
    main = max(measures, key=lambda at: roles["measure"][at], default=None)
    fallback = main if main is not None and roles["measure"][main] > LIKELY else None
    used = [case.limit_amount] if case.limit_amount else []
    numbers = amount_conditions(case.evidence, used, fallback)
    case.meaning.filters = [
        *value_conditions(case.evidence),
        *missing_conditions(case.evidence),
        *numbers,
        *period_conditions(case.evidence, roles["axis"]),
    ]
    for condition in case.meaning.filters:
        is_several = condition.op == "in" and isinstance(condition.value, list) and len(condition.value) > 1
        if is_several and "compare" in case.meaning.labels and condition.column not in case.meaning.groups:
            case.meaning.groups[condition.column] = Reason(condition.phrase)
