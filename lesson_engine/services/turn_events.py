"""What a turn leaves in the telemetry. Source: spec/3 "Eventos Registrados"; it never has the words themselves."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from gateway.contracts import LOCAL_EMBEDDING_MODEL
from lesson_engine.contracts import Verdict, VerdictResult
from lesson_engine.escalation.asking import Escalation
from lesson_engine.models import LearnerText, Turn
from lesson_engine.outcomes.results import outcomes_of
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import AskRecord, PlayerState
from lesson_engine.player.zones import own_word, zone_name
from lesson_engine.services.answering import Judgement
from lesson_engine.services.words import words_digest
from telemetry.contracts import EventDraft, EventName, timestamp_jsonl


def of_action(
    outline: Outline,
    turn: Turn,
    before: PlayerState,
    after: PlayerState,
    step_at: datetime | None,
    noted: Sequence[EventDraft] = (),
) -> list[EventDraft]:
    """Events of every action that is no answer. `step_at` is when the step before came, if that is known; `noted` are
    further events of the same action.
    """
    drafts = [_start(turn), *noted]
    if turn.kind == Turn.Kind.MODE:
        drafts.append(EventDraft(event=EventName.MODE_CHANGED, data={"mode": turn.mode}))
    if turn.kind == Turn.Kind.HINT:
        drafts.append(_hint_shown(turn.ask_code, after))
    if turn.kind == Turn.Kind.SKIP or (turn.kind == Turn.Kind.REPORT and before.is_open(turn.ask_code)):
        drafts.append(_rejected(turn.ask_code, after, closed=True))
    if turn.kind == Turn.Kind.SELF:
        drafts += _own_word(turn, after)
    if after.cursor != before.cursor:
        drafts.append(_step_shown(outline, turn, before, after, step_at))
    if after.phase == "finished":
        data = {**_outcomes(outline, after), **_left(outline, turn, before, step_at)}
        drafts.append(EventDraft(event=EventName.SESSION_FINISHED, data=data))
    return drafts


def of_answer(
    outline: Outline,
    turn: Turn,
    words: LearnerText,
    before: PlayerState,
    done: Judgement,
    step_at: datetime | None,
) -> list[EventDraft]:
    """Events of an answer."""
    drafts = [_start(turn, words)]
    if done.escalation is not None:
        drafts.append(_escalated(turn, done.escalation))
    drafts.append(_evaluated(turn, before, done))
    if done.embedded:
        # The local embedder was used, which leaves a session's money as it is.
        used = {"tier": "embed", "model": LOCAL_EMBEDDING_MODEL, "costMicrocents": 0}
        drafts.append(EventDraft(event=EventName.BUDGET_USAGE, data=used))
    if done.command is not None:
        planned = done.command.model_dump(mode="json", by_alias=True, exclude_none=True)
        drafts.append(EventDraft(event=EventName.ADAPTATION_PLANNED, data={"askCode": turn.ask_code, **planned}))
    if done.state.record(turn.ask_code).hints > before.record(turn.ask_code).hints:
        drafts.append(_hint_shown(turn.ask_code, done.state))
    if done.state.record(turn.ask_code).outcome == "mastered":
        drafts.append(_accepted(turn.ask_code, done.state))
    else:
        drafts.append(_rejected(turn.ask_code, done.state, closed=not done.state.is_open(turn.ask_code)))
    if done.state.cursor != before.cursor:
        drafts.append(_step_shown(outline, turn, before, done.state, step_at))
    return drafts


def _start(turn: Turn, words: LearnerText | None = None) -> EventDraft:
    # Events are written when a turn is done; an answer began earlier, before it was judged.
    data: dict[str, Any] = {"turn": turn.version, "kind": turn.kind, "startedAt": timestamp_jsonl(turn.started_at)}
    if turn.ask_code:
        data["askCode"] = turn.ask_code
    if words is not None:
        data["answerHash"] = words_digest(words)
    return EventDraft(event=EventName.TURN_START, data=data)


def _evaluated(turn: Turn, before: PlayerState, done: Judgement) -> EventDraft:
    verdict = done.verdict
    data: dict[str, Any] = {
        "askCode": turn.ask_code,
        **_judged(verdict),
        "deviation": done.deviation.value,
        "attempts": done.state.record(turn.ask_code).attempts,
        "first": _is_first(before.record(turn.ask_code), verdict),
    }
    if verdict.misconception:
        data["misconception"] = verdict.misconception
    if done.command and done.command.reason:
        data["reason"] = done.command.reason
    if done.attack_like:
        data["attackLike"] = True
    return EventDraft(event=EventName.EVALUATION_RESULT, data=data)


def _is_first(before: AskRecord, verdict: Verdict) -> bool:
    """Whether it is the first reply to its question that could be judged, also where it costs no attempt."""
    is_later = before.attempts or before.asked_again or before.strayed
    return verdict.result is not VerdictResult.NOT_GRADABLE and not is_later


def _judged(verdict: Verdict) -> dict[str, Any]:
    """How a verdict came about, and how sure. `provenance` is left out of one from before it was kept."""
    data = {
        "result": verdict.result.value,
        "rule": verdict.rule,
        "score": round(verdict.score, 4),
        "grader": verdict.grader,
        "doubtful": verdict.doubtful,
        "zone": zone_name(verdict),
    }
    return data | {"provenance": verdict.provenance} if verdict.provenance else data


def _own_word(turn: Turn, after: PlayerState) -> list[EventDraft]:
    """The learner's own word on their last answer, and that the question ends with it."""
    verdict, record = Verdict.model_validate(turn.verdict), after.record(turn.ask_code)
    data = {"askCode": turn.ask_code, **_judged(verdict), "attempts": record.attempts}
    said = EventDraft(event=EventName.EVALUATION_RESULT, data=data)
    is_right = record.outcome == "mastered"
    ended = _accepted(turn.ask_code, after) if is_right else _rejected(turn.ask_code, after, closed=True)
    return [said, ended.model_copy(update={"data": {**ended.data, "ownWord": own_word(turn.result)}})]


def _escalated(turn: Turn, escalation: Escalation) -> EventDraft:
    """A second opinion was wanted; what it cost is told of by the ledger. `rule` and `score` are of the rules alone.

    What is not known is left out.
    """
    before = escalation.before
    data: dict[str, Any] = {
        "askCode": turn.ask_code,
        "rule": before.rule,
        "score": round(before.score, 4),
        "resultBefore": before.result.value,
        "outcome": escalation.outcome,
        "resultAfter": escalation.after.value,
        "model": escalation.model,
    }
    if escalation.asked is not None:
        data |= {"asked": escalation.asked, "costMicrocents": escalation.cost}
    if escalation.opinion is not None:
        data |= {"said": escalation.opinion.value, "confidence": escalation.confidence}
    if escalation.tricks:
        data["tricks"] = True
    return EventDraft(event=EventName.ESCALATION_TRIGGERED, data=data)


def _accepted(ask_code: str, after: PlayerState) -> EventDraft:
    data = {"askCode": ask_code, "attempts": after.record(ask_code).attempts}
    return EventDraft(event=EventName.ADVANCEMENT_ACCEPT, data=data)


def _rejected(ask_code: str, after: PlayerState, *, closed: bool) -> EventDraft:
    record = after.record(ask_code)
    data = {"askCode": ask_code, "attempts": record.attempts, "closed": closed, "outcome": record.outcome}
    return EventDraft(event=EventName.ADVANCEMENT_REJECT, data=data)


def _hint_shown(ask_code: str, after: PlayerState) -> EventDraft:
    return EventDraft(event=EventName.HINT_SHOWN, data={"askCode": ask_code, "hint": after.record(ask_code).hints})


def _step_shown(
    outline: Outline, turn: Turn, before: PlayerState, after: PlayerState, step_at: datetime | None
) -> EventDraft:
    place = outline.places[after.cursor]
    data = {"step": place.path, "type": place.step.type, **_left(outline, turn, before, step_at)}
    return EventDraft(event=EventName.STEP_SHOWN, data=data)


def _left(outline: Outline, turn: Turn, before: PlayerState, step_at: datetime | None) -> dict[str, Any]:
    """The step that was left, and for how many seconds it was shown, where that was kept."""
    place = outline.places[before.cursor]
    left: dict[str, Any] = {"leftStep": place.path, "leftType": place.step.type}
    if step_at is not None and turn.finished_at is not None:
        left["leftSeconds"] = max(0.0, round((turn.finished_at - step_at).total_seconds(), 3))
    return left


def _outcomes(outline: Outline, after: PlayerState) -> dict[str, Any]:
    outcomes = outcomes_of(outline, after)
    ended = {name: getattr(outcomes, name) for name in ("mastered", "shown", "skipped", "reported", "missed")}
    return {**ended, "voided": len(outline.asks) - outcomes.questions, "byOwnWord": outcomes.by_own_word}
