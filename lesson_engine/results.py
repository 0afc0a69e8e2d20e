"""What a session came to: how sure each skill is, and what to look at again. Withdrawn questions are in no number."""

from dataclasses import asdict, dataclass
from typing import Any

from lesson_engine.contracts import Ask
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import AskRecord, Outcome, PlayerState

MANY_ATTEMPTS = 2
"""A question that took more is worth another look, answered or not."""


@dataclass(frozen=True)
class SkillResult:
    """A skill's questions: how many were answered, and how many of those at the first attempt and without a hint."""

    title: str
    questions: int
    mastered: int
    at_once: int

    @property
    def percent(self) -> int:
        """Share of the skill's questions that were answered."""
        return round(100 * self.mastered / self.questions)

    @property
    def percent_at_once(self) -> int:
        """Share of the skill's questions that were answered at once."""
        return round(100 * self.at_once / self.questions)


@dataclass(frozen=True)
class Outcomes:
    """How the questions that count ended; the rest of `questions` is still open.

    One that was reported counts as not mastered, until staff decide that it was wrong and withdraw it. `missed` ended
    with an answer of which staff found later that it was not right.
    """

    questions: int
    mastered: int
    shown: int
    skipped: int
    reported: int
    missed: int = 0

    @property
    def percent(self) -> int | None:
        """Share of the questions that were answered; None where none counts."""
        return round(100 * self.mastered / self.questions) if self.questions else None

    def as_data(self) -> dict[str, Any]:
        """The numbers as events hold them."""
        return {**asdict(self), "percent": self.percent}


@dataclass(frozen=True)
class Review:
    """A question worth another look, and why. `reviewed`: staff looked at its answers, and scored it anew."""

    ask: Ask
    outcome: Outcome
    attempts: int
    reviewed: bool = False


@dataclass(frozen=True)
class Results:
    """The whole result of a session.

    `voided` is how many of the lesson's questions were withdrawn, `reviewed` how many of the others staff scored anew.
    """

    skills: tuple[SkillResult, ...]
    review: tuple[Review, ...]
    questions: int
    mastered: int
    reported: int
    missed: int
    voided: int
    reviewed: int


def results_of(outline: Outline, state: PlayerState) -> Results:
    """Results by skill; a lesson without skills counts as one skill under its title."""
    records = {code: state.record(code) for code in outline.asks}
    asks = [outline.ask(code) for code, record in records.items() if record.outcome != "voided"]
    outcomes = outcomes_of(outline, state)
    meta = outline.lesson.meta
    skills = [_skill(skill.title, [a for a in asks if skill.code in a.skills], records) for skill in meta.skills]
    named = tuple(skill for skill in skills if skill is not None)
    whole = _skill(meta.title, asks, records)
    return Results(
        skills=named or ((whole,) if whole else ()),
        review=tuple(_review(ask, records[ask.code]) for ask in asks if _worth_another_look(records[ask.code])),
        questions=outcomes.questions,
        mastered=outcomes.mastered,
        reported=outcomes.reported,
        missed=outcomes.missed,
        voided=len(records) - len(asks),
        reviewed=sum(records[ask.code].reviewed for ask in asks),
    )


def outcomes_of(outline: Outline, state: PlayerState) -> Outcomes:
    """The numbers alone."""
    ended = [state.record(code).outcome for code in outline.asks]
    counts = {name: ended.count(name) for name in ("mastered", "shown", "skipped", "reported", "missed")}
    return Outcomes(questions=len(ended) - ended.count("voided"), **counts)


def _skill(title: str, asks: list[Ask], records: dict[str, AskRecord]) -> SkillResult | None:
    if not asks:
        return None
    mine = [records[ask.code] for ask in asks]
    return SkillResult(
        title=title,
        questions=len(mine),
        mastered=sum(record.outcome == "mastered" for record in mine),
        at_once=sum(record.outcome == "mastered" and record.attempts == 1 and not record.hints for record in mine),
    )


def review_of(outline: Outline, state: PlayerState) -> tuple[Review, ...]:
    """What is worth another look so far, also while the session runs: what is merely still open is not."""
    records = ((outline.ask(code), state.record(code)) for code in outline.asks)
    return tuple(
        _review(ask, record) for ask, record in records if _worth_another_look(record) and not _too_early(record)
    )


def _review(ask: Ask, record: AskRecord) -> Review:
    return Review(ask, record.outcome, record.attempts, record.reviewed)


def _too_early(record: AskRecord) -> bool:
    return record.outcome == "voided" or (record.outcome == "open" and record.attempts <= MANY_ATTEMPTS)


def _worth_another_look(record: AskRecord) -> bool:
    return record.outcome != "mastered" or record.attempts > MANY_ATTEMPTS
