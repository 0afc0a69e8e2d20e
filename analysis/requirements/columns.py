"""Which column a condition is on: of numbers by the words near them, of periods by the date that is meant."""

from typing import Final

from analysis.contracts.tables import Column
from analysis.requirements.amounts import Amount
from analysis.requirements.evidence import Evidence
from analysis.requirements.groups import CONCEPTS, groups_of, groups_within
from analysis.requirements.linking import name_read
from analysis.requirements.periods import Period
from gateway.services import texts_embed_locally
from language.stems import stem

_OF_DATES: Final = frozenset(
    [
        "date",
        "dates",
        "day",
        "time",
        "timestamp",
        "dt",
        "fecha",
        "fec",
        "dia",
        "hora",
        "momento",
        "on",
        "at",
        "of",
        "de",
        "del",
        "la",
        "el",
        "en",
    ]
)
_BEFORE, _AFTER = 6, 4
_FADES: Final = 0.9
"""What a word less near counts of the one beside it."""
_CLEARLY: Final = 0.5
_ENOUGH: Final = 0.3
_ENOUGH_BESIDE: Final = 0.45
YEARS: Final = (1600, 2100)


def words_at(evidence: Evidence, start: int, end: int) -> tuple[int, int]:
    """The words of the question from one character to another: the first, and the one after the last."""
    places = [place for place, token in enumerate(evidence.question.tokens) if token.start < end and start < token.end]
    return (places[0], places[-1] + 1) if places else (0, 0)


def amount_column(evidence: Evidence, amount: Amount, fallback: int | None = None) -> tuple[int, float] | None:
    """The column of numbers that an amount is held against, with how sure that is; None where no words name one.

    `fallback`: the column that the question is about, for an amount that is compared and has no words of its own.
    """
    first, after = words_at(evidence, amount.number_start, amount.number_end)
    compared, compared_end = words_at(evidence, amount.start, amount.end)
    best: tuple[float, int] = (0.0, -1)
    for place, span in enumerate(evidence.question.spans):
        distance = max(first - span.end, span.start - after, 0)
        is_near = first - _BEFORE <= span.start and span.end <= after + _AFTER
        if not is_near or (span.start < after and first < span.end and amount.op == "=" and span.size == after - first):
            continue
        if compared <= span.start < compared_end and span.end <= compared_end and span.start < first:
            distance = 0
        for at, column in enumerate(evidence.schema.columns):
            if column.is_number and not (is_of_years(column) and not YEARS[0] <= amount.value <= YEARS[1]):
                best = max(best, (float(evidence.links[place, at]) * _FADES**distance, at))
    enough = _ENOUGH if amount.op != "=" else _ENOUGH_BESIDE
    if best[0] >= enough:
        return best[1], best[0]
    return (fallback, enough) if fallback is not None and amount.op != "=" else None


def time_columns(evidence: Evidence) -> list[int]:
    """The columns of dates; where there are none, one of whole years."""
    columns = evidence.schema.columns
    times = [at for at, column in enumerate(columns) if column.is_time]
    return times or [at for at, column in enumerate(columns) if is_of_years(column)]


def is_of_years(column: Column) -> bool:
    """Whether a column of whole numbers seems to hold years."""
    if column.type != "integer":
        return False
    numbers = [value for value in (column.lowest, column.highest, *column.values[:5]) if value is not None]
    try:
        return bool(numbers) and all(YEARS[0] <= int(float(value)) <= YEARS[1] for value in numbers)
    except ValueError:
        return False


def period_column(evidence: Evidence, period: Period, axis: list[float]) -> int | None:
    """The column that a period is held against; None where the table has none."""
    return time_column(evidence, axis, words_at(evidence, period.start, period.end))


def time_column(evidence: Evidence, axis: list[float], near: tuple[int, int] | None = None) -> int | None:
    """The column of dates that is meant: the one whose own words, those that say which date it is, are named, best near
    the words `near`; then the one that results are likeliest spread over (`axis`), then the first.
    """
    times = time_columns(evidence)
    if near is not None:
        times = list(dict.fromkeys([*times, *_years_named(evidence)]))
    if len(times) < 2:
        return times[0] if times else None
    named = own_words_named(evidence, times, near)
    return max(times, key=lambda at: (round(named[at] + 0.5 * axis[at], 3), -at))


def _years_named(evidence: Evidence) -> list[int]:
    """The columns of whole years that the question names clearly: "born before 1960"."""
    links = evidence.links
    return [
        at for at, column in enumerate(evidence.schema.columns) if is_of_years(column) and links[:, at].max() > _CLEARLY
    ]


def own_words_named(evidence: Evidence, columns: list[int], near: tuple[int, int] | None) -> dict[int, float]:
    """How clearly each column is named by what sets its name apart from "date": "check in", "leave", "baja"."""
    question = evidence.question
    scores = dict.fromkeys(columns, 0.0)
    if not question.spans:
        return scores
    words = {
        at: tuple(word for word in name_read(evidence.schema.columns[at].name).words if word not in _OF_DATES)
        for at in columns
    }
    told = [at for at in columns if words[at]]
    if not told:
        return scores
    texts = [" ".join(words[at]) for at in told]
    cosines = question.vectors @ texts_embed_locally(texts, keep=texts).T
    for number, at in enumerate(told):
        groups = groups_within(words[at], CONCEPTS)
        for place, span in enumerate(question.spans):
            is_same = not groups.isdisjoint(groups_of(span.words, CONCEPTS)) or span.stems == frozenset(
                map(stem, words[at])
            )
            distance = max(near[0] - span.end, span.start - near[1], 0) if near else 0
            strength = max(float(is_same), float(cosines[place, number]), float(evidence.links[place, at]))
            scores[at] = max(scores[at], strength * _FADES**distance)
    return scores
