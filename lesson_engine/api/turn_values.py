"""Turns as API values."""

from lesson_engine.api_contracts import TurnCommand, TurnRecord, TurnVerdict
from lesson_engine.contracts import AdaptCommand, TopicDeviation, Verdict
from lesson_engine.explaining import explained
from lesson_engine.models import Turn
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState


def turn_record(turn: Turn, *, outline: Outline, state: PlayerState) -> TurnRecord:
    """One turn of the session that stands at `state`. What of its verdict quotes the learner is left out."""
    return TurnRecord.model_validate(
        {
            "version": turn.version,
            "kind": turn.kind,
            "mode": turn.mode,
            "question": turn.ask_code or None,
            "running": turn.state == Turn.State.RUNNING,
            "verdict": turn_verdict(turn),
            "explanation": _explanation(turn, outline, state),
            "command": _command(turn),
            "started_at": turn.started_at,
            "finished_at": turn.finished_at,
        }
    )


def turn_verdict(turn: Turn) -> TurnVerdict | None:
    """How the answer was judged; None for what was not."""
    if turn.verdict is None:
        return None
    verdict = Verdict.model_validate(turn.verdict)
    return TurnVerdict(
        result=verdict.result,
        rule=verdict.rule,
        score=verdict.score,
        grader=verdict.grader,
        doubtful=verdict.doubtful,
        no_attempt=verdict.no_attempt,
        misconception=verdict.misconception,
        deviation=TopicDeviation(turn.deviation),
    )


def _explanation(turn: Turn, outline: Outline, state: PlayerState) -> tuple[str, ...]:
    if turn.verdict is None or state.record(turn.ask_code).reviewed:  # what staff say counts, not what was found
        return ()
    lines = explained(outline, state, turn.ask_code, Verdict.model_validate(turn.verdict))
    return tuple(line.text for line in lines if not line.own)


def _command(turn: Turn) -> TurnCommand | None:
    if turn.command is None:
        return None
    command = AdaptCommand.model_validate(turn.command)
    return TurnCommand(op=command.op, target=command.target_ask_code, reason=command.reason)
