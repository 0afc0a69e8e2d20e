"""What became of one question of a session, from its turns."""

from collections.abc import Iterable, Mapping

from lesson_engine.contracts import VerdictResult
from lesson_engine.models import Turn
from lesson_engine.player.overruling import Answered, AskHistory


def ask_history(turns: Iterable[Turn], results: Mapping[int, VerdictResult]) -> AskHistory:
    """From the done turns of one ASK in order; `results` is what staff say of answers, by their turns."""
    answers: list[Answered] = []
    hints = 0
    for turn in turns:
        if turn.kind == Turn.Kind.HINT:
            hints += 1
        elif turn.kind == Turn.Kind.ANSWER and turn.state == Turn.State.DONE:
            graded = VerdictResult(turn.result)
            answers.append(Answered(graded=graded, result=results.get(turn.pk, graded), hints=hints))
            hints += (turn.command or {}).get("op") == "hint"
    return AskHistory(answers=tuple(answers), hints=hints)
