"""What a finished session came to: how sure each skill is, and what to look at again."""

from dataclasses import dataclass

from lesson_engine.contracts import Ask
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import AskRecord, PlayerState


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
class Review:
    """A question worth another look, and why."""

    ask: Ask
    outcome: str
    attempts: int


@dataclass(frozen=True)
class Results:
    """The whole result of a session."""

    skills: tuple[SkillResult, ...]
    review: tuple[Review, ...]
    questions: int
    mastered: int


def results_of(outline: Outline, state: PlayerState) -> Results:
    """Results by skill; a lesson without skills counts as one skill under its title."""
    records = {code: state.record(code) for code in outline.asks}
    asks = [outline.ask(code) for code in outline.asks]
    meta = outline.lesson.meta
    skills = [_skill(skill.title, [a for a in asks if skill.code in a.skills], records) for skill in meta.skills]
    named = tuple(skill for skill in skills if skill is not None)
    whole = _skill(meta.title, asks, records)
    return Results(
        skills=named or ((whole,) if whole else ()),
        review=tuple(
            Review(ask, records[ask.code].outcome, records[ask.code].attempts)
            for ask in asks
            if _worth_another_look(records[ask.code])
        ),
        questions=len(asks),
        mastered=sum(record.outcome == "mastered" for record in records.values()),
    )


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


def _worth_another_look(record: AskRecord) -> bool:
    return record.outcome != "mastered" or record.attempts > 2
