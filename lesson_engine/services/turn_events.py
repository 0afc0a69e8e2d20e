"""What a turn leaves in the telemetry. Source: spec/3 "Eventos Registrados"; the words themselves never stand in it."""

from typing import Any

from gateway.contracts import LOCAL_EMBEDDING_MODEL
from lesson_engine.contracts import VerdictResult
from lesson_engine.models import LearnerText, Turn
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from lesson_engine.services.answering import Judgement
from lesson_engine.services.words import words_digest
from telemetry.contracts import EventDraft, EventName, timestamp_jsonl


def of_action(outline: Outline, turn: Turn, before: PlayerState, after: PlayerState) -> list[EventDraft]:
    """Events of continue, hint, skip and mode."""
    drafts = [_start(turn)]
    if turn.kind == Turn.Kind.MODE:
        drafts.append(EventDraft(event=EventName.MODE_CHANGED, data={"mode": turn.mode}))
    if turn.kind == Turn.Kind.HINT:
        drafts.append(_hint_shown(turn.ask_code, after))
    if turn.kind == Turn.Kind.SKIP:
        drafts.append(_rejected(turn.ask_code, after, closed=True))
    if after.cursor != before.cursor:
        drafts.append(_step_shown(outline, after))
    if after.phase == "finished":
        drafts.append(EventDraft(event=EventName.SESSION_FINISHED, data=_outcomes(after)))
    return drafts


def of_answer(
    outline: Outline, turn: Turn, words: LearnerText, before: PlayerState, done: Judgement
) -> list[EventDraft]:
    """Events of an answer."""
    drafts = [_start(turn, words), _evaluated(turn, done)]
    if done.embedded:
        drafts.append(_embedded())
    if done.command is not None:
        planned = done.command.model_dump(mode="json", by_alias=True, exclude_none=True)
        drafts.append(EventDraft(event=EventName.ADAPTATION_PLANNED, data={"askCode": turn.ask_code, **planned}))
    if done.state.record(turn.ask_code).hints > before.record(turn.ask_code).hints:
        drafts.append(_hint_shown(turn.ask_code, done.state))
    if done.verdict.result == VerdictResult.ACCEPT:
        accepted = {"askCode": turn.ask_code, "attempts": done.state.record(turn.ask_code).attempts}
        drafts.append(EventDraft(event=EventName.ADVANCEMENT_ACCEPT, data=accepted))
    else:
        drafts.append(_rejected(turn.ask_code, done.state, closed=not done.state.is_open(turn.ask_code)))
    if done.state.cursor != before.cursor:
        drafts.append(_step_shown(outline, done.state))
    return drafts


def _start(turn: Turn, words: LearnerText | None = None) -> EventDraft:
    # Events are written when a turn is done; an answer began earlier, before it was judged.
    data: dict[str, Any] = {"turn": turn.version, "kind": turn.kind, "startedAt": timestamp_jsonl(turn.started_at)}
    if turn.ask_code:
        data["askCode"] = turn.ask_code
    if words is not None:
        data["answerHash"] = words_digest(words)
    return EventDraft(event=EventName.TURN_START, data=data)


def _evaluated(turn: Turn, done: Judgement) -> EventDraft:
    verdict = done.verdict
    data: dict[str, Any] = {
        "askCode": turn.ask_code,
        "result": verdict.result.value,
        "rule": verdict.rule,
        "score": round(verdict.score, 4),
        "deviation": done.deviation.value,
        "grader": verdict.grader,
        "doubtful": verdict.doubtful,
        "attempts": done.state.record(turn.ask_code).attempts,
    }
    if verdict.misconception:
        data["misconception"] = verdict.misconception
    if done.command and done.command.reason:
        data["reason"] = done.command.reason
    return EventDraft(event=EventName.EVALUATION_RESULT, data=data)


def _embedded() -> EventDraft:
    """The local embedder was used, which leaves a session's money as it is."""
    used = {"tier": "embed", "model": LOCAL_EMBEDDING_MODEL, "costMicrocents": 0}
    return EventDraft(event=EventName.BUDGET_USAGE, data=used)


def _rejected(ask_code: str, after: PlayerState, *, closed: bool) -> EventDraft:
    record = after.record(ask_code)
    data = {"askCode": ask_code, "attempts": record.attempts, "closed": closed, "outcome": record.outcome}
    return EventDraft(event=EventName.ADVANCEMENT_REJECT, data=data)


def _hint_shown(ask_code: str, after: PlayerState) -> EventDraft:
    return EventDraft(event=EventName.HINT_SHOWN, data={"askCode": ask_code, "hint": after.record(ask_code).hints})


def _step_shown(outline: Outline, after: PlayerState) -> EventDraft:
    place = outline.places[after.cursor]
    return EventDraft(event=EventName.STEP_SHOWN, data={"step": place.path, "type": place.step.type})


def _outcomes(after: PlayerState) -> dict[str, Any]:
    outcomes = [record.outcome for record in after.asks.values()]
    return {name: outcomes.count(name) for name in ("mastered", "shown", "skipped")}
