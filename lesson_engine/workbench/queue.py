"""What staff look at next, page by page: learners' own words and then doubt first, or at random, or the reviewed."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from lesson_engine.models import Turn
from lesson_engine.workbench.addresses import is_key
from lesson_engine.workbench.reviewed import HEAVY, OWN_WORD, VerdictFilter, verdicts_reviewed, verdicts_waiting

Show = Literal["waiting", "doubtful", "sure", "sample", "reviewed"]
SAMPLED_FROM: Final = 2_000
"""How many of the latest sure verdicts a random one is drawn from."""
_DOUBT: Final[dict[Show, bool]] = {"doubtful": True, "sure": False, "sample": False}
_PARTS: Final = {
    "o": {"doubtful": True, "own_word": True},
    "d": {"doubtful": True, "own_word": False},
    "s": {"doubtful": False},
}
"""Of what waits, in order. Only answers in doubt are compared."""


@dataclass(frozen=True)
class Place:
    """A verdict in the queue; `after` is the cursor with which the queue goes on behind it."""

    turn: Turn
    after: str


def queue_of(show: Show, wanted: VerdictFilter, *, after: str, limit: int) -> tuple[Place, ...]:
    """The next `limit` verdicts behind the cursor `after`, which is empty at the beginning. Three queries at most.

    Raises `ValueError` for a cursor that this queue did not give.
    """
    doubtful = _DOUBT.get(show, wanted.doubtful)
    if wanted.doubtful not in (None, doubtful):
        return ()
    narrowed = wanted.model_copy(update={"doubtful": doubtful})
    if show == "reviewed":
        return _reviewed(wanted, after, limit)
    if show == "sample":
        return _sample(narrowed, after, limit)
    return _waiting(narrowed, after, limit)


def turn_shown(pk: int) -> Turn | None:
    """The judged answer with this key, with all that a card shows of it."""
    return turns_shown([pk]).get(pk)


def turns_shown(keys: Sequence[int]) -> dict[int, Turn]:
    """The judged answers with these keys, by their keys and in the same order, as `turn_shown`. One query."""
    answers = Turn.objects.filter(pk__in=keys, kind=Turn.Kind.ANSWER, state=Turn.State.DONE)
    joined = answers.select_related("words", "session__user", "session__lesson", "session__lesson_version")
    turns = {turn.pk: turn for turn in joined.defer(*HEAVY).annotate(own_word=OWN_WORD)}
    return {key: turns[key] for key in keys if key in turns}


def _waiting(wanted: VerdictFilter, after: str, limit: int) -> tuple[Place, ...]:
    """First what rests on learners' own words, then what the grader was unsure of, then the others.

    A filter by lesson costs a query more for each part.
    """
    marks = tuple(mark for mark, part in _PARTS.items() if wanted.doubtful in (None, part["doubtful"]))
    begin = after[:1] if after[:1] in marks else marks[0]
    below = _number(after, begin)
    places: list[Place] = []
    for mark in marks[marks.index(begin) :]:
        turns = verdicts_waiting(wanted.model_copy(update=_PARTS[mark]))
        if mark == begin and below is not None:
            turns = turns.filter(pk__lt=below)
        places += (Place(turn, f"{mark}{turn.pk}") for turn in turns[: limit - len(places)])
        if len(places) == limit:
            break
    return tuple(places)


def _sample(wanted: VerdictFilter, after: str, limit: int) -> tuple[Place, ...]:
    """In an order that does not depend on answer, time or learner, and is the same for all staff."""
    drawn = _number(after, "x")
    latest = verdicts_waiting(wanted).values_list("pk", flat=True)[:SAMPLED_FROM]
    order = sorted((_scramble(pk), pk) for pk in latest)
    if drawn is not None:
        order = [(rank, pk) for rank, pk in order if rank > _scramble(drawn)]
    turns = turns_shown([pk for _, pk in order[:limit]])
    return tuple(Place(turn, f"x{turn.pk}") for turn in turns.values())


def _reviewed(wanted: VerdictFilter, after: str, limit: int) -> tuple[Place, ...]:
    below = _number(after, "r")
    reviews = verdicts_reviewed(wanted) if below is None else verdicts_reviewed(wanted).filter(pk__lt=below)
    rows = dict(reviews.values_list("turn_id", "pk")[:limit])
    return tuple(Place(turn, f"r{rows[turn.pk]}") for turn in turns_shown(list(rows)).values())


def _number(after: str, mark: str) -> int | None:
    if not after:
        return None
    number = after.removeprefix(mark)
    if number == after or not is_key(number):
        raise ValueError(f"this queue gave out no cursor {after!r}")
    return int(number)


def _scramble(pk: int) -> str:
    return hashlib.sha256(str(pk).encode()).hexdigest()
