"""A session as a conversation that staff can read, as plain values: no rule is decided here, only put into words."""

from collections.abc import Iterable
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from core.markup import markdown
from lesson_engine.contracts import Ask, Verdict
from lesson_engine.explanations import Judged, for_staff, rule_in_words
from lesson_engine.models import LearnerText, Turn
from lesson_engine.notices import notice_view
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from lesson_engine.replay import Replayed, replay
from lesson_engine.results import outcomes_of
from lesson_engine.selectors import TurnsPage
from lesson_engine.step_names import step_name
from lesson_engine.timeline_reviews import ReviewsShown, reviews_shown
from lesson_engine.timeline_values import (
    About,
    AnswerShown,
    Entry,
    EscalationShown,
    MoveShown,
    Rescored,
    Shown,
    StepShown,
    Text,
    Timeline,
    VerdictShown,
)
from lesson_engine.trail import Trail, cents

_RESULTS: dict[str, Text] = {
    "ACCEPT": _("Right"),
    "PARTIAL": _("Partly right"),
    "REJECT": _("Not right"),
    "NOT_GRADABLE": _("Could not be judged"),
}
_DEVIATIONS: dict[str, Text] = {
    "ON_TOPIC": _("on topic"),
    "VAGUE": _("vague"),
    "OFF_TOPIC": _("off topic"),
}
_MOVES: dict[str, Text] = {
    "reask": _("asked again"),
    "hint": _("gave the next hint"),
    "goto": _("went to another question"),
    "repeat": _("opened the reading again"),
    "insert_micro": _("put in a micro-step"),
}
_REASONS: dict[str, Text] = {
    "SEM_LOW": _("the answer was far from what was asked"),
    "THINKER_ESCALATION": _("the second opinion asked for it"),
    "OFF_TOPIC": _("the answer was off topic"),
    "BUDGET_LIMIT": _("the budget allowed no more"),
}
_ESCALATIONS: dict[str, Text] = {
    "agreed": _("it agreed with the rules"),
    "moved": _("it changed the verdict by one step"),
    "kept": _("it differed, and the rules were kept"),
    "refused_budget": _("the budget did not allow one"),
    "refused_escalations": _("the session had all it may have"),
    "unavailable": _("no model could be asked"),
    "timed_out": _("none came in time"),
    "schema_not_met": _("the model's answer made no sense"),
}
_BY_STAFF = (Turn.Kind.VOID, Turn.Kind.REVIEW)


def timeline(outline: Outline, turns: TurnsPage, trail: Trail, about: About) -> Timeline:
    """The page of turns in words. Earlier turns are only played again, to know what this page's turns met."""
    begun = machine.begin(outline, turns.voided)
    first = _step(outline, begun.cursor) if turns.page == 1 and begun.phase != "finished" else None
    entries: list[Entry] = []
    asked = _code(outline, begun.cursor) if first else ""
    all_ = (*turns.earlier, *turns.turns)
    reviews = reviews_shown(turns.reviews, all_, _RESULTS)
    for done in replay(outline, all_, turns.voided, turns.reviews):
        if done.turn.version < turns.start:
            continue
        entries.append(_entry(outline, done, asked, trail, about, reviews))
        arrived = entries[-1].shown and entries[-1].shown.step
        asked = _code(outline, done.after.cursor) if arrived and done.after else done.turn.ask_code or asked
    return Timeline(
        first=first,
        entries=tuple(entries),
        page=turns.page,
        pages=turns.pages,
        spent=cents(trail.spent),
        voided=tuple(sorted(turns.voided)),
    )


def _entry(outline: Outline, done: Replayed, asked: str, trail: Trail, about: About, reviews: ReviewsShown) -> Entry:
    turn = done.turn
    ask = outline.ask(turn.ask_code) if turn.ask_code in outline.asks else None
    words = turn.words if hasattr(turn, "words") else None
    return Entry(
        turn=turn,
        at=turn.finished_at or turn.started_at,
        question=_question(ask) if ask and ask.code != asked else None,
        written=_written(ask, words) if words else (),
        erased=words is not None and words.erased_at is not None,
        verdict=_verdict(outline, turn, words) if turn.verdict else None,
        escalation=_escalation(trail.escalations[turn.version]) if turn.version in trail.escalations else None,
        move=_move(turn.command) if turn.command else None,
        shown=_shown(outline, done.before, done.after, turn) if done.before and done.after else None,
        cost=cents(trail.costs[turn.version]) if turn.version in trail.costs else "",
        attack_like=turn.version in trail.attacks,
        report=about.reports.get(turn.ask_code) if turn.kind == Turn.Kind.REPORT else None,
        void=about.voids.get(turn.ask_code) if turn.kind == Turn.Kind.VOID else None,
        rescored=_rescored(outline, done) if turn.kind in _BY_STAFF else None,
        review=reviews.about.get(turn.pk),
        reviews=reviews.of.get(turn.pk, ()),
    )


def _rescored(outline: Outline, done: Replayed) -> Rescored | None:
    if done.before is None or done.after is None:
        return None
    return Rescored(outcomes_of(outline, done.before), outcomes_of(outline, done.after))


def answers_shown(outline: Outline, turns: Iterable[Turn]) -> list[AnswerShown]:
    """Answers with their words, as the timeline shows them."""
    return [
        AnswerShown(
            turn=turn,
            written=_written(outline.ask(turn.ask_code), turn.words),
            erased=turn.words.erased_at is not None,
            verdict=_verdict(outline, turn, turn.words) if turn.verdict else None,
        )
        for turn in turns
    ]


def _written(ask: Ask | None, words: LearnerText) -> tuple[str, ...]:
    """What the learner wrote, or the texts of what they chose."""
    if ask is None or not words.choices:
        return (words.text,) if words.text else ()
    answer = ask.answer
    offered = answer.choices if answer.kind in ("choice", "multi_choice") else ()
    texts = {choice.code: choice.text for choice in offered}
    return tuple(texts.get(code, code) for code in words.choices)


def _verdict(outline: Outline, turn: Turn, words: LearnerText | None) -> VerdictShown:
    verdict = Verdict.model_validate(turn.verdict)
    said = words.text if words is not None and words.text else ""
    judged = Judged(outline.ask(turn.ask_code), verdict, outline.lesson.meta.language, said)
    return VerdictShown(
        result=verdict.result.value,
        name=_RESULTS[verdict.result.value],
        rule=verdict.rule,
        words=rule_in_words(verdict),
        percent=round(100 * verdict.score),
        grader=verdict.grader,
        lines=for_staff(judged),
        misconception=verdict.misconception or "",
        doubtful=verdict.doubtful,
        deviation=_DEVIATIONS.get(turn.deviation, turn.deviation),
    )


def _escalation(told: dict[str, Any]) -> EscalationShown:
    outcome = str(told["outcome"])
    return EscalationShown(
        outcome=outcome,
        name=_ESCALATIONS.get(outcome, outcome),
        model=str(told["model"]),
        cost=cents(int(told["costMicrocents"])) if told.get("asked") else "",
        tricks=bool(told.get("tricks")),
    )


def _move(command: dict[str, str]) -> MoveShown:
    op, reason = command["op"], command.get("reason", "")
    target = command.get("targetAskCode", "")
    return MoveShown(op, _MOVES.get(op, op), target, reason, _REASONS.get(reason, reason))


def _shown(outline: Outline, before: PlayerState, after: PlayerState, turn: Turn) -> Shown:
    told = turn.kind in (Turn.Kind.ANSWER, Turn.Kind.SKIP, Turn.Kind.REPORT)
    # What staff do tells the learner only where they stand at the question, or have just left it.
    told = told or (turn.kind in _BY_STAFF and after.notice != before.notice)
    ask = outline.ask(turn.ask_code) if turn.ask_code else None
    fresh = slice(before.record(turn.ask_code).hints, after.record(turn.ask_code).hints)
    closed_as = after.record(turn.ask_code).outcome if ask and before.is_open(turn.ask_code) else "open"
    return Shown(
        notice=notice_view(outline, after) if told and turn.state == Turn.State.DONE else None,
        hints=tuple(markdown(hint) for hint in ask.hints[fresh]) if ask and turn.kind not in _BY_STAFF else (),
        micro_step=_micro_step(ask, after) if ask and after.phase == "micro" and before.phase != "micro" else "",
        step=_step(outline, after.cursor) if after.cursor != before.cursor else None,
        closed_as="" if closed_as == "open" else closed_as,
        reread=after.reread and not before.reread,
        finished=after.phase == "finished",
    )


def _micro_step(ask: Ask, after: PlayerState) -> SafeString | str:
    return next((markdown(micro.body) for micro in ask.micro_steps if micro.code == after.micro_step), "")


def _code(outline: Outline, index: int) -> str:
    step = outline.places[index].step
    return step.code if isinstance(step, Ask) else ""


def _step(outline: Outline, index: int) -> StepShown:
    step = outline.places[index].step
    return _question(step) if isinstance(step, Ask) else StepShown(step_name(step.type), step.title or "")


def _question(ask: Ask) -> StepShown:
    return StepShown(step_name("ASK"), ask.code, markdown(ask.question))
