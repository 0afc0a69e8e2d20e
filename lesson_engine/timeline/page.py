"""A session as a conversation that staff can read, as plain values: no rule is decided here, only put into words."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from core.pages.markup import markdown
from lesson_engine.contracts import Ask, Verdict
from lesson_engine.explanations import NOT_SURE, Judged, for_staff, rule_in_words
from lesson_engine.explanations.notices import notice_view
from lesson_engine.models import Turn
from lesson_engine.outcomes.results import outcomes_of
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import OwnWord, PlayerState
from lesson_engine.player.step_names import step_name
from lesson_engine.player.zones import own_word
from lesson_engine.selectors import TurnsPage
from lesson_engine.timeline.replay import Replayed, replay
from lesson_engine.timeline.trail import Trail, cents
from lesson_engine.timeline.values import (
    About,
    AnswerView,
    EffectView,
    EscalationView,
    MoveView,
    Rescored,
    StepView,
    Text,
    Timeline,
    TurnReviews,
    TurnView,
    VerdictView,
    turn_reviews,
)

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
_OWN_WORDS: dict[OwnWord, Text] = {"yes": _("Yes, that's it"), "partly": _("Partly"), "no": _("No")}
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
_WITH_NOTICE = (Turn.Kind.ANSWER, Turn.Kind.SKIP, Turn.Kind.REPORT, Turn.Kind.COMPARE, Turn.Kind.SELF)


def timeline(outline: Outline, turns: TurnsPage, trail: Trail, about: About) -> Timeline:
    """The page of turns in words. Earlier turns are only played again, to know what this page's turns met."""
    begun = machine.begin(outline, turns.voided)
    first = _step(outline, begun.cursor) if turns.page == 1 and begun.phase != "finished" else None
    shown: list[TurnView] = []
    ask_code = _code(outline, begun.cursor) if first else ""
    all_ = (*turns.earlier, *turns.turns)
    reviews = turn_reviews(turns.reviews, all_, _RESULTS)
    for done in replay(outline, all_, turns.voided, turns.reviews):
        if done.turn.version < turns.start:
            continue
        view = _turn(outline, done, ask_code, trail, about, reviews)
        shown.append(view)
        arrived = view.shown and view.shown.step
        ask_code = _code(outline, done.after.cursor) if arrived and done.after else done.turn.ask_code or ask_code
    return Timeline(
        first=first,
        turns=tuple(shown),
        page=turns.page,
        pages=turns.pages,
        spent=cents(trail.spent),
        voided=tuple(sorted(turns.voided)),
    )


def _turn(
    outline: Outline, done: Replayed, shown_code: str, trail: Trail, about: About, reviews: TurnReviews
) -> TurnView:
    turn = done.turn
    ask = outline.ask(turn.ask_code) if turn.ask_code in outline.asks else None
    return TurnView(
        turn=turn,
        at=turn.finished_at or turn.started_at,
        question=_question(ask) if ask and ask.code != shown_code else None,
        answer=answer_view(outline, turn),
        own_word=own_word_name(turn.result) if turn.kind == Turn.Kind.SELF else "",
        escalation=_escalation(trail.escalations[turn.version]) if turn.version in trail.escalations else None,
        move=_move(turn.command, doubtful=bool((turn.verdict or {}).get("doubtful"))) if turn.command else None,
        shown=_effect(outline, done.before, done.after, turn) if done.before and done.after else None,
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


def answer_view(outline: Outline, turn: Turn) -> AnswerView:
    """The answer of a turn with its words, which must have been fetched with it."""
    words = turn.words if hasattr(turn, "words") else None
    written: tuple[str, ...] = (words.text,) if words and words.text else ()
    if words and words.choices:
        texts = {choice.code: choice.text for choice in getattr(outline.ask(turn.ask_code).answer, "choices", ())}
        written = tuple(texts.get(code, code) for code in words.choices)
    return AnswerView(
        turn=turn,
        written=written,
        erased=words is not None and words.erased_at is not None,
        verdict=_verdict(outline, turn) if turn.verdict and turn.kind == Turn.Kind.ANSWER else None,
    )


def own_word_name(result: str) -> Text:
    """What the learner said who compared, as the button had it; `result` is that of their own verdict."""
    return _OWN_WORDS[own_word(result)]


def _verdict(outline: Outline, turn: Turn) -> VerdictView:
    verdict = Verdict.model_validate(turn.verdict)
    return VerdictView(
        verdict=verdict,
        name=NOT_SURE if verdict.doubtful else _RESULTS[verdict.result.value],
        words=rule_in_words(verdict),
        percent=round(100 * verdict.score),
        lines=for_staff(Judged(outline.ask(turn.ask_code), verdict, outline.lesson.meta.language)),
        deviation=_DEVIATIONS.get(turn.deviation, turn.deviation),
    )


def _escalation(data: dict[str, Any]) -> EscalationView:
    outcome = str(data["outcome"])
    return EscalationView(
        outcome=outcome,
        name=_ESCALATIONS.get(outcome, outcome),
        model=str(data["model"]),
        cost=cents(int(data["costMicrocents"])) if data.get("asked") else "",
        tricks=bool(data.get("tricks")),
    )


def _move(command: dict[str, str], *, doubtful: bool) -> MoveView:
    op, reason = command["op"], command.get("reason", "")
    target = command.get("targetAskCode", "")
    why = _("the grader was not sure") if doubtful and reason == "SEM_LOW" else _REASONS.get(reason, reason)
    return MoveView(op, _MOVES.get(op, op), target, reason, why)


def _effect(outline: Outline, before: PlayerState, after: PlayerState, turn: Turn) -> EffectView:
    has_notice = turn.kind in _WITH_NOTICE
    # Of what staff do the learner gets a notice only at the question, or just after it.
    has_notice = has_notice or (turn.kind in _BY_STAFF and after.notice != before.notice)
    ask = outline.ask(turn.ask_code) if turn.ask_code else None
    fresh = slice(before.record(turn.ask_code).hints, after.record(turn.ask_code).hints)
    closed_as = after.record(turn.ask_code).outcome if ask and before.is_open(turn.ask_code) else "open"
    detour = ask is not None and after.phase == "micro" and before.phase != "micro"
    bodies = (micro.body for micro in ask.micro_steps if micro.code == after.micro_step) if ask and detour else ()
    return EffectView(
        notice=notice_view(outline, after) if has_notice and turn.state == Turn.State.DONE else None,
        hints=tuple(markdown(hint) for hint in ask.hints[fresh]) if ask and turn.kind not in _BY_STAFF else (),
        micro_step=next(map(markdown, bodies), ""),
        step=_step(outline, after.cursor) if after.cursor != before.cursor else None,
        closed_as="" if closed_as == "open" else closed_as,
        reread=after.reread and not before.reread,
        finished=after.phase == "finished",
    )


def _code(outline: Outline, index: int) -> str:
    step = outline.places[index].step
    return step.code if isinstance(step, Ask) else ""


def _step(outline: Outline, index: int) -> StepView:
    step = outline.places[index].step
    return _question(step) if isinstance(step, Ask) else StepView(step_name(step.type), step.title or "")


def _question(ask: Ask) -> StepView:
    return StepView(step_name("ASK"), ask.code, markdown(ask.question))
