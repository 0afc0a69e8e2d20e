"""How answers to each question fared, from the latest sessions of a version or of a whole lesson.

Whole sessions are counted, the latest first, as far as they have `MOST_TURNS` turns together: the cost has a bound
however many there are, and no median comes from half a session.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from django.db import connection

from lesson_engine.grading.normalise import tokens

MOST_TURNS = 20_000
MOST_SESSIONS = 5_000
MOST_WORDINGS = 3_000
"""Of all questions together, the latest."""
WORDINGS_SHOWN = 10
_MOST_CHARACTERS = 300

Scope = Literal["version", "lesson"]

_LATEST = """
WITH newest AS (
    SELECT id, started_at, version AS turns, state FROM lesson_engine_session
    WHERE {column} = %(id)s ORDER BY started_at DESC LIMIT %(sessions)s
), counted AS (
    SELECT id, turns, state, sum(turns) OVER (ORDER BY started_at DESC, id) - turns AS newer FROM newest
), latest AS MATERIALIZED (
    SELECT id, turns, state FROM counted WHERE newer < %(turns)s
)
"""
_SUMS = """
SELECT count(*), coalesce(sum(turns), 0) FROM latest
"""
# A record says what differs from a fresh one. A question that was withdrawn before it was met has no attempts.
_RECORDS = """
SELECT ask.key,
    count(*),
    count(*) FILTER (WHERE ask.value ->> 'outcome' = 'mastered'),
    count(*) FILTER (WHERE ask.value @> '{{"outcome": "mastered", "by_own_word": true}}'),
    count(*) FILTER (WHERE ask.value ->> 'outcome' = 'shown'),
    count(*) FILTER (WHERE ask.value ->> 'outcome' = 'skipped'),
    count(*) FILTER (WHERE ask.value ->> 'outcome' = 'missed'),
    coalesce(sum((ask.value ->> 'hints')::int), 0),
    percentile_cont(0.5) WITHIN GROUP (ORDER BY coalesce((ask.value ->> 'attempts')::int, 0))
        FILTER (WHERE ask.value ->> 'outcome' IN ('mastered', 'shown', 'skipped', 'missed'))
FROM latest, jsonb_each(state -> 'asks') AS ask
WHERE coalesce(ask.value ->> 'outcome', 'open') <> 'voided' OR coalesce((ask.value ->> 'attempts')::int, 0) > 0
GROUP BY ask.key
"""
# OFFSET 0 keeps the turns of one session together: they are read by its index, never all turns there are. The bound on
# a turn's version is for the one session with a million turns.
_VERDICTS = """
SELECT turn.ask_code, turn.kind, turn.result, turn.doubtful, count(*)
FROM latest CROSS JOIN LATERAL (
    SELECT ask_code, kind, result, coalesce((verdict ->> 'doubtful')::boolean, false) AS doubtful
    FROM lesson_engine_turn
    WHERE session_id = latest.id AND version < %(turns)s AND state = 'done' AND kind IN ('answer', 'report')
        AND ask_code <> '' OFFSET 0
) AS turn
GROUP BY 1, 2, 3, 4
"""
# What the grader could make nothing of: it was in doubt, or none of the author's words was found.
_WORDINGS = """
SELECT turn.ask_code, turn.text, turn.result
FROM latest CROSS JOIN LATERAL (
    SELECT id, ask_code, CASE WHEN verdict @> '{{"doubtful": true}}' THEN 'NOT_SURE' ELSE result END AS result,
        (SELECT left(text, %(characters)s) FROM lesson_engine_learnertext WHERE turn_id = one.id) AS text
    FROM lesson_engine_turn AS one
    WHERE session_id = latest.id AND version < %(turns)s AND state = 'done' AND kind = 'answer'
        AND one.result <> 'ACCEPT' AND (verdict @> '{{"doubtful": true}}' OR verdict ->> 'rule' ~ %(unmatched)s
            OR one.result = 'REJECT' AND verdict ->> 'rule' IN ('list.items', 'procedure.steps'))
    OFFSET 0
) AS turn
WHERE turn.text <> ''
ORDER BY turn.id DESC LIMIT %(wordings)s
"""
_UNMATCHED = r"^(open|definition)\.semantic$|\.wrong_form$|^list\.extra$|^attempt\.unreadable$|^grader\.failed$"
_COLUMNS: dict[Scope, str] = {"version": "lesson_version_id", "lesson": "lesson_id"}


@dataclass(frozen=True)
class Wording:
    """A way to put it that was not understood: as most wrote it, how often it came, and what it was judged: results,
    and `NOT_SURE`.
    """

    text: str
    count: int
    results: tuple[str, ...]


@dataclass(frozen=True)
class AskStatistics:
    """How a question fared. `sessions` met it; `median_attempts` is over those where it ended, None before the first.

    `by_own_word` are those of `mastered` of which the learner alone says so. The counts of answers are `accepted` to
    `not_gradable`, those of which the grader was sure, and `doubtful`. `more` wordings are not listed.
    """

    code: str
    sessions: int = 0
    mastered: int = 0
    by_own_word: int = 0
    shown: int = 0
    skipped: int = 0
    missed: int = 0
    hints: int = 0
    median_attempts: float | None = None
    accepted: int = 0
    partial: int = 0
    rejected: int = 0
    not_gradable: int = 0
    doubtful: int = 0
    reported: int = 0
    wordings: tuple[Wording, ...] = ()
    more: int = 0

    @property
    def answers(self) -> int:
        return self.accepted + self.partial + self.rejected + self.not_gradable + self.doubtful


@dataclass(frozen=True)
class Statistics:
    """The latest `sessions` with their `turns`, and what they say of each question, by its code."""

    sessions: int
    turns: int
    asks: dict[str, AskStatistics]


def answer_statistics(scope: Scope, pk: int) -> Statistics:
    """Of the version or the lesson with this key. Four queries."""
    ((sessions, turns),) = _rows(scope, pk, _SUMS)
    asks: dict[str, dict[str, Any]] = {}
    columns = ("sessions", "mastered", "by_own_word", "shown", "skipped", "missed", "hints", "median_attempts")
    for code, *values in _rows(scope, pk, _RECORDS):
        asks[code] = dict(zip(columns, values, strict=True))
    for code, kind, result, doubtful, count in _rows(scope, pk, _VERDICTS):
        ask = asks.setdefault(code, {})
        name = "reported" if kind == "report" else "doubtful" if doubtful else _RESULTS[result]
        ask[name] = ask.get(name, 0) + count
    for code, wordings, more in _wordings(_rows(scope, pk, _WORDINGS)):
        asks.setdefault(code, {}).update(wordings=wordings, more=more)
    return Statistics(sessions, turns, {code: AskStatistics(code, **values) for code, values in asks.items()})


def _rows(scope: Scope, pk: int, query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement(scope, query), parameters(pk))
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def statement(scope: Scope, query: str) -> str:
    """The whole SQL of a query over the latest sessions."""
    return (_LATEST + query).format(column=_COLUMNS[scope])


def parameters(pk: int) -> dict[str, Any]:
    return {
        "id": pk,
        "sessions": MOST_SESSIONS,
        "turns": MOST_TURNS,
        "wordings": MOST_WORDINGS,
        "characters": _MOST_CHARACTERS,
        "unmatched": _UNMATCHED,
    }


_RESULTS = {"ACCEPT": "accepted", "PARTIAL": "partial", "REJECT": "rejected", "NOT_GRADABLE": "not_gradable"}


def _wordings(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[str, tuple[Wording, ...], int]]:
    """By question, those that came most often first; what differs in case, accents and marks alone counts as one."""
    groups: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for code, text, result in rows:
        key = " ".join(word for word in tokens(text) if word != "|") or text.strip()
        groups.setdefault(code, {}).setdefault(key, []).append((text.strip(), result))
    for code, group in groups.items():
        ranked = sorted(group.values(), key=len, reverse=True)
        yield code, tuple(_wording(answers) for answers in ranked[:WORDINGS_SHOWN]), len(ranked[WORDINGS_SHOWN:])


def _wording(answers: list[tuple[str, str]]) -> Wording:
    ((text, _),) = Counter(text for text, _ in answers).most_common(1)
    results = Counter(result for _, result in answers).most_common()
    return Wording(text, len(answers), tuple(result for result, _ in results))
