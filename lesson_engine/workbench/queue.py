"""What staff look at next, page by page: the doubtful first, or at random, or what they said before."""

import hashlib
from dataclasses import dataclass
from typing import Final, Literal, get_args

from lesson_engine.models import Turn
from lesson_engine.reviewed import VerdictFilter, verdicts_reviewed, verdicts_waiting, waiting_page

Show = Literal["waiting", "doubtful", "sure", "sample", "reviewed"]
SHOWS: Final[tuple[Show, ...]] = get_args(Show)
SAMPLED_FROM: Final = 2_000
"""How many of the latest sure verdicts a random one is drawn from."""
_DOUBT: Final[dict[Show, bool]] = {"doubtful": True, "sure": False, "sample": False}
_HEAVY = ("session__state", "session__lesson_version__source", "session__lesson_version__summary")


@dataclass(frozen=True)
class Place:
    """A verdict in the queue; `after` is the cursor with which the queue goes on behind it."""

    turn: Turn
    after: str


def queue_of(show: Show, wanted: VerdictFilter, *, after: str, limit: int) -> tuple[Place, ...]:
    """The next `limit` verdicts behind the cursor `after`, which is empty at the beginning. Two queries at most.

    Raises `ValueError` for a cursor that this queue did not give.
    """
    narrowed = wanted.model_copy(update={"doubtful": _DOUBT.get(show)})
    if show == "reviewed":
        return _reviewed(wanted, after, limit)
    if show == "sample":
        return _sample(narrowed, after, limit)
    found = waiting_page(narrowed, after=after, limit=limit).turns
    return tuple(Place(turn, f"{'d' if (turn.verdict or {}).get('doubtful') else 's'}{turn.pk}") for turn in found)


def turn_shown(pk: int) -> Turn | None:
    """The judged answer with this key, with all that a card shows of it."""
    return next(iter(_turns([pk]).values()), None)


def _sample(wanted: VerdictFilter, after: str, limit: int) -> tuple[Place, ...]:
    """In an order that has nothing to do with what was answered, when, or by whom, and is the same for everybody."""
    drawn = _number(after, "x")
    latest = verdicts_waiting(wanted).values_list("pk", flat=True)[:SAMPLED_FROM]
    rest = sorted((_scramble(pk), pk) for pk in latest)
    if drawn is not None:
        rest = [one for one in rest if one[0] > _scramble(drawn)]
    found = _turns([pk for _, pk in rest[:limit]])
    return tuple(Place(turn, f"x{turn.pk}") for turn in found.values())


def _reviewed(wanted: VerdictFilter, after: str, limit: int) -> tuple[Place, ...]:
    below = _number(after, "r")
    reviews = verdicts_reviewed(wanted) if below is None else verdicts_reviewed(wanted).filter(pk__lt=below)
    rows = dict(reviews.values_list("turn_id", "pk")[:limit])
    return tuple(Place(turn, f"r{rows[turn.pk]}") for turn in _turns(list(rows)).values())


def _turns(keys: list[int]) -> dict[int, Turn]:
    """Judged answers by their keys, in the same order."""
    answers = Turn.objects.filter(pk__in=keys, kind=Turn.Kind.ANSWER, state=Turn.State.DONE)
    joined = answers.select_related("words", "session__user", "session__lesson", "session__lesson_version")
    found = {turn.pk: turn for turn in joined.defer(*_HEAVY)}
    return {key: found[key] for key in keys if key in found}


def _number(after: str, mark: str) -> int | None:
    if not after:
        return None
    number = after.removeprefix(mark)
    if number == after or not (number.isascii() and number.isdecimal() and len(number) < 19):
        raise ValueError(f"this queue gave out no cursor {after!r}")
    return int(number)


def _scramble(pk: int) -> str:
    return hashlib.sha256(str(pk).encode()).hexdigest()
