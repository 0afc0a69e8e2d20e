"""What a catalog is asked for: queries made of a question or of requirements. The one place that words them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from analysis.contracts.requirements import UNKNOWN, Details, Reading, Requirements
from analysis.narrowing.texts import parts_of, words_apart

_QUERIES: Final = 40
_VALUE_CHARACTERS: Final = 200
_OF_ANALYSIS: Final = {
    "total": "sum, average or count rows, summarize for each group",
    "compare": "compare categories side by side",
    "trend": "trend over time, whether a number rises or falls",
    "distribution": "distribution of values, how they are spread",
    "anomaly": "anomaly, unusual values and outliers",
    "correlation": "correlation, how strongly two numbers go together",
    "share": "share, what part of the whole each group is, percentage",
    "rank": "rank, put rows in order and keep the top ones",
    "list": "list rows as they are, select columns",
    "forecast": "forecast the next periods",
}
_OF_OUTPUT: Final = {"chart": "plot a chart", "table": "show the result as a table"}
_OF_CONSTRAINT: Final = {
    "chart = ": "plot a {} chart",
    "limit = ": "limit, keep the first {} rows in order",
    "order = ": "sort rows by {}",
}
_COMBINED: Final = "combined"


class Query(NamedTuple):
    """A text that tools are retrieved by, and where it comes from: a requirement as a step cites it, `question`, or
    `combined`. `weight` is how much it counts where queries are put together.
    """

    source: str
    text: str
    weight: int = 1


def queries_of_text(question: str) -> tuple[Query, ...]:
    """A bare question, and each part that may ask for a tool of its own; the whole counts as much as all parts."""
    parts = parts_of(question)
    return (Query("question", question, max(1, len(parts))), *(Query("question", part) for part in parts))


def queries_of(reading: Reading, question: str = "") -> tuple[Query, ...]:
    """A query of each requirement, one of all of them, and the question where it is given."""
    requirements, details = reading.requirements, reading.details
    queries = [*_of_requirements(requirements), *_of_details(details)]
    if question.strip():
        queries.append(Query("question", question))
    return _with_combined(queries)


def queries_of_missing(missing: Mapping[str, Sequence[str]]) -> tuple[Query, ...]:
    """The same for requirements by field, as `Coverage.missing` has them."""
    return _with_combined([_query(field, value) for field, values in missing.items() for value in values])


def _with_combined(queries: list[Query]) -> tuple[Query, ...]:
    queries = list(dict.fromkeys(queries))[:_QUERIES]
    wordings = dict.fromkeys(query.text for query in queries if query.source != "question")
    combined = [Query(_COMBINED, "; ".join(wordings))] if len(wordings) > 1 else []
    return (*queries, *combined)


def _of_requirements(requirements: Requirements) -> Iterator[Query]:
    for key in requirements.keys():  # noqa: SIM118 - a list of requirements, not of a mapping
        field, _, value = key.partition("=")
        yield _query(field, value)
    if requirements.time.grain != UNKNOWN:
        yield Query(
            f"time={requirements.time.column}", f"cut dates to a period, by {words_apart(requirements.time.grain)}"
        )


def _of_details(details: Details) -> Iterator[Query]:
    """What requirements only name: computed measures, and the kind of chart."""
    for aggregate in details.aggregates:
        if aggregate.expression:
            yield Query(f"metrics={aggregate.name}", f"{aggregate.expression.operator} two columns, a new column")
    if details.chart:
        yield Query("outputs=chart", f"plot a {details.chart} chart")


def _query(field: str, value: str) -> Query:
    return Query(f"{field}={value}", _text(field, value[:_VALUE_CHARACTERS]))


def _text(field: str, value: str) -> str:
    if field == "analysis":
        return _OF_ANALYSIS.get(value, words_apart(value))
    if field == "outputs":
        return _OF_OUTPUT.get(value, words_apart(value))
    if field == "constraints":
        prefix = next((prefix for prefix in _OF_CONSTRAINT if value.startswith(prefix)), None)
        return _OF_CONSTRAINT[prefix].format(value.removeprefix(prefix)) if prefix else f"filter rows where {value}"
    column = "" if value == UNKNOWN else words_apart(value) or value
    if field == "group_by":
        return f"group by {column}"
    if field == "time":
        return f"time series, dates of {column}" if column else "time series, dates"
    return f"aggregate {column}, its sum, average or count"
