"""What became of one question of a session, from its turns."""

from collections.abc import Iterable, Mapping

from lesson_engine.contracts import TopicDeviation, Verdict, VerdictResult
from lesson_engine.models import Turn
from lesson_engine.player.overruling import Answered, AskHistory
from lesson_engine.player.zones import is_stray, is_unsure, leaves_doubt


def ask_history(turns: Iterable[Turn], results: Mapping[int, VerdictResult]) -> AskHistory:
    """From the done turns of one ASK in order; `results` is what staff say of answers, by their turns."""
    answers: list[Answered] = []
    places: list[int] = []
    hints, strayed = 0, False
    for turn in turns:
        if turn.kind == Turn.Kind.HINT:
            hints += 1
        elif turn.kind == Turn.Kind.SELF and answers:
            # It is the last word on the question, whatever was answered since.
            place = places.index(turn.about_id) if turn.about_id in places else -1
            answers.append(_by_own_word(answers.pop(place), VerdictResult(turn.result)))
            places.append(places.pop(place))
        elif turn.kind == Turn.Kind.ANSWER and turn.state == Turn.State.DONE:
            verdict, graded = Verdict.model_validate(turn.verdict), VerdictResult(turn.result)
            is_first_stray = not strayed and is_stray(verdict, TopicDeviation(turn.deviation))
            strayed = strayed or is_first_stray
            answers.append(
                Answered(
                    graded=graded,
                    result=results.get(turn.pk, graded),
                    hints=hints,
                    spared=is_unsure(verdict) or is_first_stray,
                    doubt=None if is_first_stray else leaves_doubt(verdict),
                    reviewed=turn.pk in results,
                )
            )
            places.append(turn.pk)
            hints += (turn.command or {}).get("op") == "hint"
    return AskHistory(answers=tuple(answers), hints=hints)


def answer_in_doubt(turns: Iterable[Turn]) -> Turn | None:
    """The last of an ASK's judged answers in order that is in doubt; the first reply that strays is none."""
    found, strayed = None, False
    for turn in turns:
        verdict = Verdict.model_validate(turn.verdict)
        if not strayed and is_stray(verdict, TopicDeviation(turn.deviation)):
            strayed = True
        elif is_unsure(verdict):
            found = turn
    return found


def _by_own_word(compared: Answered, said: VerdictResult) -> Answered:
    """The answer that was compared, which costs an attempt like any other; what staff say of it comes first."""
    result = compared.result if compared.reviewed else said
    return compared.model_copy(update={"graded": said, "result": result, "spared": False, "own_word": True})
