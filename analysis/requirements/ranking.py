"""Decides orders and limits."""

from dataclasses import replace
from typing import Final, Literal

import numpy as np

from analysis.requirements.amounts import Amount
from analysis.requirements.case import LIKELY, LISTED, Case
from analysis.requirements.figures import figure_aggregated
from analysis.requirements.linking import is_identifier
from analysis.requirements.meaning import Figure, Reason

_MOST_ROWS: Final = 1_000
_SAYS_ALL: Final = 3
"""Words of a phrase of order that leaves no doubt."""
_SINGLE: Final = 0.35
_UNIQUE: Final = 0.9
_ASKS: Final = frozenset(["which", "what", "who", "que", "cual", "quien", "cuales"])


def limit_amount_of(case: Case) -> Amount | None:
    """The number that says how many rows are wanted: a plain one beside a cue of order."""
    if case.chances.decisions["limited"] <= LIKELY:
        return None
    question, cues = case.evidence.question, case.evidence.cues
    places = [cues.column(label) for label in ("order:desc", "order:asc", "limit")]
    strength = np.maximum(cues.likely, cues.listed)[:, places].max(axis=1)

    def nearness(amount: Amount) -> float:
        near = [
            float(strength[place])
            / (
                1
                + max(
                    0,
                    question.tokens[span.start].start - amount.end,
                    amount.start - question.tokens[span.end - 1].end,
                )
            )
            for place, span in enumerate(question.spans)
        ]
        return max(near, default=0.0)

    plain = [
        amount
        for amount in case.evidence.amounts
        if amount.op == "=" and amount.value == int(amount.value) and 1 < amount.value <= _MOST_ROWS
    ]
    return max(plain, key=nearness, default=None)


def order_decide(case: Case, roles: dict[str, list[float]]) -> None:
    decisions, meaning = case.chances.decisions, case.meaning
    rows_rank(case, roles)
    if case.limit_amount:
        meaning.limit = int(case.limit_amount.value)
        meaning.limit_reason = Reason(case.evidence.question.text[case.limit_amount.start : case.limit_amount.end])
    elif decisions["single"] > enough_for_one(case) and (meaning.groups or meaning.time or case.is_bare()):
        meaning.limit, meaning.limit_reason = 1, case.reason("single", decisions["single"])
    if decisions["ordered"] > LIKELY or meaning.limit is not None:
        meaning.direction = direction_named(case) or ("desc" if decisions["descending"] > LIKELY else "asc")
        meaning.order_reason = case.reason(f"order:{meaning.direction}", decisions["ordered"])
        order_by_decide(case, roles["measure"])


def direction_named(case: Case) -> Literal["asc", "desc"] | None:
    """The direction that the longest phrase says, of several words ("de menor a mayor"); None where none does."""
    (falling, of_falling), (rising, of_rising) = case.cue("order:desc"), case.cue("order:asc")
    longest = max(falling, rising)
    span = of_falling if falling > rising else of_rising
    if longest < 1 or falling == rising or span is None or span.size < _SAYS_ALL:
        return None
    return "desc" if falling > rising else "asc"


def enough_for_one(case: Case) -> float:
    """Less is enough where an order is wanted that no words spread over all rows ("ranked", "from high to low")."""
    decisions = case.chances.decisions
    spread = max(case.cue("analysis:rank")[0], 0.0) >= 1
    return _SINGLE if decisions["ordered"] > LIKELY and not spread else LIKELY


def rows_rank(case: Case, roles: dict[str, list[float]]) -> None:
    """Where the first of something is wanted and nothing is grouped, rows are ranked: "the heaviest car"."""
    meaning, decisions = case.meaning, case.chances.decisions
    wants_first = decisions["single"] > enough_for_one(case) or (
        case.limit_amount is not None and decisions["ordered"] > LIKELY
    )
    if meaning.groups or meaning.time or not wants_first:
        return
    if (head := column_ranked(case)) is not None and not is_unique(case, head):
        meaning.groups[case.columns[head].name] = Reason(case.named_by(head))
        meaning.figures = [figure for figure in meaning.figures if figure.column != case.columns[head].name]
        meaning.figures = [figure_aggregated(case, figure) for figure in meaning.figures] or [Figure(None, "count")]
        return
    meaning.figures = [replace(figure, func="none") for figure in meaning.figures if figure.func != "count"]
    links = case.evidence.links.max(axis=0) if len(case.evidence.links) else np.zeros(len(case.columns))
    shown = {figure.column for figure in meaning.figures}
    texts = [
        at
        for at, column in enumerate(case.columns)
        if not column.is_number and column.type != "boolean" and column.name not in shown
    ]
    filtered = {condition.column for condition in meaning.filters}
    best = max(
        texts,
        key=lambda at: (
            roles["measure"][at]
            + roles["group"][at]
            + float(links[at])
            + 0.1 * is_identifier(case.columns[at])
            - (case.columns[at].name in filtered)
        ),
        default=None,
    )
    if best is not None and all(figure.is_number for figure in meaning.figures):
        meaning.figures.insert(
            0, Figure(case.columns[best].name, "none", is_number=False, reason=Reason(case.named_by(best)))
        )


def column_ranked(case: Case) -> int | None:
    """The column that the words after "which" or after the number of rows name: what is ranked."""
    question, links = case.evidence.question, case.evidence.links
    starts = [place + 1 for place, word in enumerate(question.words) if word in _ASKS]
    if case.limit_amount:
        starts += [
            place + 1
            for place, token in enumerate(question.tokens)
            if token.start >= case.limit_amount.start and token.end <= case.limit_amount.end
        ]
    near = [
        number for number, span in enumerate(question.spans) if any(0 <= span.start - start <= 1 for start in starts)
    ]
    possible = [at for at, column in enumerate(case.columns) if column.type in ("text", "boolean")]
    scores = [(float(links[number, at]), at) for number in near for at in possible]
    best = max(scores, default=(0.0, -1))
    return best[1] if best[0] > LISTED else None


def is_unique(case: Case, at: int) -> bool:
    """Whether hardly a value of a column comes twice."""
    column, rows = case.columns[at], case.evidence.schema.rows
    if column.distinct is None or not rows:
        return is_identifier(column)
    return column.distinct > _UNIQUE * rows


def order_by_decide(case: Case, measure: list[float]) -> None:
    meaning = case.meaning
    if not case.is_bare():
        return
    numbers = [at for at, column in enumerate(case.columns) if column.is_number and not is_identifier(column)]
    numbers = numbers or [at for at, column in enumerate(case.columns) if column.is_time]
    links = case.evidence.links.max(axis=0) if len(case.evidence.links) else np.zeros(len(case.columns))
    best = max(numbers, key=lambda at: measure[at] + float(links[at]), default=None)
    if best is not None:
        meaning.order_by = case.columns[best].name
        if all(figure.column != meaning.order_by for figure in meaning.figures):
            meaning.figures.append(Figure(meaning.order_by, "none", reason=Reason(case.named_by(best), measure[best])))
