"""How far a session has come, by moment, as plain values."""

from dataclasses import dataclass
from typing import Literal

from lesson_engine.player.outline import Outline, Place
from lesson_engine.player.state import PlayerState

MomentState = Literal["done", "current", "ahead"]


@dataclass(frozen=True)
class RailMoment:
    """A moment on the progress rail; `percent` of its steps lie behind."""

    title: str
    state: MomentState
    percent: int


def percent_done(outline: Outline, state: PlayerState) -> int:
    """Share of the lesson's steps that lie behind."""
    return 100 if state.phase == "finished" else _percent(state.cursor, len(outline.places))


def rail(outline: Outline, state: PlayerState) -> tuple[RailMoment, ...]:
    """The lesson's moments, and how far each has come."""
    over = state.phase == "finished"
    here = outline.places[state.cursor].moment
    return tuple(
        _rail_moment(title.title, [p for p in outline.places if p.moment == m], state, m - here if not over else -1)
        for m, title in enumerate(outline.lesson.moments)
    )


def _rail_moment(title: str, places: list[Place], state: PlayerState, distance: int) -> RailMoment:
    if distance:
        return RailMoment(title, "done" if distance < 0 else "ahead", 100 if distance < 0 else 0)
    behind = sum(place.index < state.cursor for place in places)
    return RailMoment(title, "current", _percent(behind, len(places)))


def _percent(part: int, whole: int) -> int:
    return round(100 * part / whole)
