"""What a session came to: how sure each skill is, and what to look at again. Withdrawn questions are in no number."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from lesson_engine.contracts import Ask
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import AskRecord, Outcome, PlayerState

MANY_ATTEMPTS = 2
"""A question that took more is worth another look, answered or not."""


@dataclass(frozen=True)
class SkillResult:
    """A skill's questions: how many were answered, and how many of those at the first attempt and without a hint.

    `by_own_word` as in `Outcomes`.
    """

    title: str
    questions: int
    mastered: int
    at_once: int
    by_own_word: int

    @property
    def percent(self) -> int:
        return round(100 * self.mastered / self.questions)

    @property
    def percent_at_once(self) -> int:
        return round(100 * self.at_once / self.questions)


@dataclass(frozen=True)
class Outcomes:
    """How the questions that count ended; the rest of `questions` is still open.

    One that was reported counts as not mastered, until staff decide that it was wrong and withdraw it. `missed` ended
    with an answer of which staff found later that it was not right. `by_own_word` are those of `mastered` of which the
    learner alone says so: the grader was not sure, and staff have not looked at the answer.
    """

    questions: int
    mastered: int
    shown: int
    skipped: int
    reported: int
    missed: int
    by_own_word: int

    @property
    def percent(self) -> int | None:
        """Share of the questions that were answered; None where none counts."""
        return round(100 * self.mastered / self.questions) if self.questions else None

    def as_data(self) -> dict[str, Any]:
        """The numbers as events hold them."""
        numbers = asdict(self)
        by_own_word = numbers.pop("by_own_word")
        return {**numbers, "percent": self.percent, "byOwnWord": by_own_word}


@dataclass(frozen=True)
class Review:
    """A question worth another look, and why. `reviewed`: staff looked at its answers, and scored it anew.

    `compared`: the learner compared their answer with the author's and said what they meant.
    """

    ask: Ask
    outcome: Outcome
    attempts: int
    reviewed: bool = False
    compared: bool = False


@dataclass(frozen=True)
class Results(Outcomes):
    """The whole result of a session.

    `voided` is how many of the lesson's questions were withdrawn, `reviewed` how many of the others staff scored anew.
    """

    voided: int
    reviewed: int
    skills: tuple[SkillResult, ...]
    review: tuple[Review, ...]


def results_of(outline: Outline, state: PlayerState) -> Results:
    """Results by skill; a lesson without skills counts as one skill under its title."""
    records = {code: state.record(code) for code in outline.asks}
    asks = [outline.ask(code) for code, record in records.items() if record.outcome != "voided"]
    meta = outline.lesson.meta
    skills = [_skill(skill.title, [a for a in asks if skill.code in a.skills], records) for skill in meta.skills]
    named = tuple(skill for skill in skills if skill is not None)
    as_one = _skill(meta.title, asks, records)
    return Results(
        **asdict(outcomes_of(outline, state)),
        voided=len(records) - len(asks),
        reviewed=sum(records[ask.code].reviewed for ask in asks),
        skills=named or ((as_one,) if as_one else ()),
        review=tuple(
            _review(ask, record)
            for ask in asks
            if (record := records[ask.code]).outcome != "mastered" or record.attempts > MANY_ATTEMPTS
        ),
    )


def outcomes_of(outline: Outline, state: PlayerState) -> Outcomes:
    records = [state.record(code) for code in outline.asks]
    ended = [record.outcome for record in records]
    counts = {name: ended.count(name) for name in ("mastered", "shown", "skipped", "reported", "missed")}
    return Outcomes(questions=len(ended) - ended.count("voided"), by_own_word=_by_own_word(records), **counts)


def dead_ends_of(outline: Outline, state: PlayerState) -> int:
    """Questions whose attempts ran out; those that ended with a comparison, or by staff while compared, ran out of
    none.
    """
    most = outline.lesson.policy.attempts
    records = (state.record(code) for code in outline.asks)
    return sum(r.outcome == "shown" and r.own_word is None and r.attempts >= most for r in records)


def _skill(title: str, asks: list[Ask], records: dict[str, AskRecord]) -> SkillResult | None:
    if not asks:
        return None
    mine = [records[ask.code] for ask in asks]
    return SkillResult(
        title=title,
        questions=len(mine),
        mastered=sum(record.outcome == "mastered" for record in mine),
        at_once=sum(_is_at_once(record) for record in mine),
        by_own_word=_by_own_word(mine),
    )


def _by_own_word(records: Sequence[AskRecord]) -> int:
    return sum(record.outcome == "mastered" and record.by_own_word for record in records)


def _is_at_once(record: AskRecord) -> bool:
    """Whether the first reply was right without a hint, and somebody but the learner says so."""
    is_first = record.attempts == 1 and not record.asked_again and not record.strayed
    return record.outcome == "mastered" and is_first and not record.hints and not record.by_own_word


def review_of(outline: Outline, state: PlayerState) -> tuple[Review, ...]:
    """What is worth another look so far, also while the session runs: what is merely still open is not."""
    records = ((outline.ask(code), state.record(code)) for code in outline.asks)
    settled = ("shown", "skipped", "reported", "missed")
    return tuple(
        _review(ask, record)
        for ask, record in records
        if record.outcome in settled or (record.outcome != "voided" and record.attempts > MANY_ATTEMPTS)
    )


def _review(ask: Ask, record: AskRecord) -> Review:
    return Review(ask, record.outcome, record.attempts, record.reviewed, record.own_word is not None)
