"""Turns as API values."""

from lesson_engine.api_contracts import TurnCommand, TurnRecord, TurnVerdict
from lesson_engine.contracts import AdaptCommand, TopicDeviation, Verdict
from lesson_engine.models import Turn


def turn_record(turn: Turn) -> TurnRecord:
    """One turn. What the verdict found is left out: it may quote the learner."""
    return TurnRecord.model_validate(
        {
            "version": turn.version,
            "kind": turn.kind,
            "mode": turn.mode,
            "question": turn.ask_code or None,
            "running": turn.state == Turn.State.RUNNING,
            "verdict": _verdict(turn),
            "command": _command(turn),
            "started_at": turn.started_at,
            "finished_at": turn.finished_at,
        }
    )


def _verdict(turn: Turn) -> TurnVerdict | None:
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


def _command(turn: Turn) -> TurnCommand | None:
    if turn.command is None:
        return None
    command = AdaptCommand.model_validate(turn.command)
    return TurnCommand(op=command.op, target=command.target_ask_code, reason=command.reason)
