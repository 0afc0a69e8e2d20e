"""A lesson as the player walks it: its steps in one row, each with its moment and cycle."""

from dataclasses import dataclass
from functools import cached_property

from lesson_engine.contracts import Ask, Lesson, Step
from lesson_engine.grading.vocabulary import lesson_vocabulary


@dataclass(frozen=True)
class Place:
    """A step with its place. `path` is where it is in the lesson file."""

    index: int
    moment: int
    cycle: int
    step: Step
    path: str


class Outline:
    """The steps of a lesson, flattened.

    A cycle is any step that is neither ASK nor NARRATION, and what follows up to the next such step of the moment
    (design.md, "Lesson JSON v1"). What stands before the first such step of a moment is a cycle of its own.
    """

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.places = tuple(_places(lesson))

    @cached_property
    def asks(self) -> dict[str, Place]:
        """The place of each ASK by its code, in the order of the lesson."""
        return {place.step.code: place for place in self.places if isinstance(place.step, Ask)}

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words of the lesson, which its grading takes for no slips of one another."""
        return lesson_vocabulary(self.lesson)

    @cached_property
    def cycles(self) -> tuple[tuple[Place, ...], ...]:
        """The places of each cycle."""
        cycles: list[list[Place]] = []
        for place in self.places:
            if place.cycle == len(cycles):
                cycles.append([])
            cycles[place.cycle].append(place)
        return tuple(tuple(cycle) for cycle in cycles)

    def asks_of_cycle(self, cycle: int) -> list[Ask]:
        """The ASKs of a cycle in order."""
        return [place.step for place in self.cycles[cycle] if isinstance(place.step, Ask)]

    def ask(self, code: str) -> Ask:
        """The ASK with this code; raises `KeyError` for a code the lesson does not have."""
        step = self.asks[code].step
        assert isinstance(step, Ask)
        return step

    def material(self, index: int) -> list[Place]:
        """What was read before the questions around this place: its cycle's opening and the readings leading to it."""
        opening = self.cycles[self.places[index].cycle][0]
        if isinstance(opening.step, Ask):
            return []
        places = [opening]
        for place in reversed(self.places[: opening.index]):
            if place.moment != opening.moment or isinstance(place.step, Ask):
                break
            places.append(place)
        return places[::-1]


def _places(lesson: Lesson) -> list[Place]:
    places: list[Place] = []
    cycle = -1
    for m, moment in enumerate(lesson.moments):
        fresh = True
        for s, step in enumerate(moment.steps):
            if fresh or step.type not in ("ASK", "NARRATION"):
                cycle += 1
            fresh = False
            places.append(Place(len(places), m, cycle, step, f"moments[{m}].steps[{s}]"))
    return places
