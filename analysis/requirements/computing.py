"""Decides figures of two columns that words put into one."""

from typing import Final

from analysis.contracts.requirements import (
    Arithmetic,
    Expression,
)
from analysis.requirements.case import LIKELY, SMALL_WORDS, Case
from analysis.requirements.meaning import Figure

_NEAR_LIMIT: Final = 3


def figure_computed(case: Case, chosen: list[int], measure: list[float]) -> Figure | None:
    """The figure of two columns that words put into one."""
    numbers = [at for at in chosen if case.columns[at].is_number]
    times = [at for at in chosen if case.columns[at].is_time]
    pair = numbers if len(numbers) == 2 else times if len(times) == 2 else []
    operators: tuple[Arithmetic, ...] = ("divide", "subtract", "add", "multiply")
    likeliest = max(operators, key=lambda name: case.chances.decisions[name])
    if len(pair) != 2:
        return None
    left, right = pair
    by_words = operator_between(case, left, right)
    if by_words is None and case.chances.decisions[likeliest] <= LIKELY:
        return None
    best: Arithmetic = by_words or likeliest
    if case.columns[left].is_time:
        later = max(pair, key=lambda at: (case.columns[at].highest or "", at))
        left, right, best = later, next(at for at in pair if at != later), "subtract"
    function = "sum" if best == "divide" else case.chances.function(left)
    function = "mean" if case.columns[left].is_time and function in ("sum", "none") else function
    expression = Expression(operator=best, left=case.columns[left].name, right=case.columns[right].name)
    reason = case.reason(f"expr:{best}", case.chances.decisions[best])
    return Figure(None, "sum" if function == "none" else function, expression, reason=reason)


def operator_between(case: Case, left: int, right: int) -> Arithmetic | None:
    """The operator whose phrase stands alone between the words of two columns: "revenue minus cost"."""
    question, cues, links = case.evidence.question, case.evidence.cues, case.evidence.links
    first, second = sorted(
        (question.spans[int(links[:, at].argmax())] for at in (left, right)), key=lambda span: span.start
    )
    words = [place for place in range(first.end, second.start) if question.words[place] not in SMALL_WORDS]
    if not words or words[-1] - words[0] >= _NEAR_LIMIT:
        return None
    key = (words[0], words[-1] + 1)
    place = next((number for number, span in enumerate(question.spans) if (span.start, span.end) == key), None)
    if place is None:
        return None
    operators: tuple[Arithmetic, ...] = ("subtract", "divide", "add", "multiply")
    return next((name for name in operators if cues.listed[place, cues.column(f"expr:{name}")]), None)
