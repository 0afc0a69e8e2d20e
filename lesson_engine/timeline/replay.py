"""What each turn of a session did, played again from its record.

A turn keeps what was judged and planned, not every page that was shown. That follows from the lesson, which never
changes, and the player, which is pure. Where the record and today's player part, the replay stops telling.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lesson_engine.adaptation import apply_adapt_command
from lesson_engine.contracts import AdaptCommand, TopicDeviation, Verdict, VerdictResult
from lesson_engine.errors import ActionNotPossible, AdaptCommandRefused
from lesson_engine.models import Turn, VerdictReview
from lesson_engine.player import machine
from lesson_engine.player.histories import ask_history
from lesson_engine.player.outline import Outline
from lesson_engine.player.overruling import AskHistory, overrule
from lesson_engine.player.state import PlayerState
from lesson_engine.player.zones import own_word


@dataclass(frozen=True)
class Replayed:
    """A turn with the state before and after it. Both are None from where today's player would not have gone along."""

    turn: Turn
    before: PlayerState | None
    after: PlayerState | None


class _Past:
    """The turns so far by their question, and all reviews of answers."""

    def __init__(self, reviews: Iterable[VerdictReview]) -> None:
        self.turns: dict[str, list[Turn]] = defaultdict(list)
        self.reviews = sorted(reviews, key=lambda review: review.pk)

    def history(self, scored: Turn) -> AskHistory:
        """The answers to a question as they were when this turn scored it anew.

        Raises `ActionNotPossible` where the review that made the turn is not at hand.
        """
        last = next((review.pk for review in self.reviews if review.rescoring_id == scored.pk), None)
        if last is None:
            raise ActionNotPossible("The review that made this turn is not known.")
        counting = {review.turn_id: review for review in self.reviews if review.pk <= last}
        rows = counting.items()
        results = {pk: VerdictResult(review.result) for pk, review in rows if review.takes_back_id is None}
        return ask_history(self.turns[scored.ask_code], results)


def replay(
    outline: Outline, turns: Iterable[Turn], voided: Iterable[str] = (), reviews: Iterable[VerdictReview] = ()
) -> Iterator[Replayed]:
    """Every turn of a session in order, from its first.

    `voided` are the questions withdrawn before it began, `reviews` all that staff said of its answers, also what they
    took back.
    """
    state: PlayerState | None = machine.begin(outline, voided)
    past = _Past(reviews)
    for turn in turns:
        after = _after(outline, state, turn, past) if state is not None else None
        yield Replayed(turn, state if after is not None else None, after)
        state = after
        past.turns[turn.ask_code].append(turn)


def _after(outline: Outline, state: PlayerState, turn: Turn, past: _Past) -> PlayerState | None:
    try:
        return _moved(outline, state, turn, past)
    except (ActionNotPossible, AdaptCommandRefused):
        return None


def _moved(outline: Outline, state: PlayerState, turn: Turn, past: _Past) -> PlayerState:
    match turn.kind:
        case Turn.Kind.CONTINUE:
            return machine.proceed(outline, state)
        case Turn.Kind.HINT:
            return machine.show_hint(outline, state)
        case Turn.Kind.SKIP:
            return machine.skip(outline, state)
        case Turn.Kind.COMPARE:
            return machine.compare(outline, state)
        case Turn.Kind.SELF:
            return machine.self_assess(outline, state, own_word(turn.result))
        case Turn.Kind.REPORT:
            return machine.report(outline, state)
        case Turn.Kind.VOID:
            return machine.void(outline, state, turn.ask_code)
        case Turn.Kind.REVIEW:
            return overrule(outline, state, turn.ask_code, past.history(turn))
        case Turn.Kind.ANSWER if turn.state == Turn.State.DONE:
            return _answered(outline, state, turn)
    return state


def _answered(outline: Outline, state: PlayerState, turn: Turn) -> PlayerState:
    verdict = Verdict.model_validate(turn.verdict)
    counted = machine.record_verdict(outline, state, verdict, TopicDeviation(turn.deviation))
    if turn.command is None:
        return counted
    return apply_adapt_command(AdaptCommand.model_validate(turn.command), outline, counted)
