"""The differences between two versions as values for a page."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.text import Truncator

from lesson_engine.contracts import Ask, Step
from lesson_engine.player.outline import Outline, Place
from lesson_engine.player.step_names import step_name

from .matching import matched, moments_matched, moved
from .words import Piece, word_pieces

MOST_CHARACTERS = 400_000
"""Of differences on one page; beyond it steps are named without what changed in them."""
_TITLE_SHOWN = 80

Kind = Literal["same", "changed", "added", "removed"]


@dataclass(frozen=True)
class FieldChange:
    """A part of a step, by its name in the lesson file, and how its text changed."""

    name: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class StepChange:
    """A step of the new version, or one that only the old one has.

    `was` is where a step stood before that moved: the moment's title and the step's number in it; `cut` says that the
    page has no room for its fields.
    """

    kind: Kind
    name: str
    title: str
    number: int
    was: tuple[str, int] | None = None
    fields: tuple[FieldChange, ...] = ()
    cut: bool = False


@dataclass(frozen=True)
class MomentChange:
    """A moment with its steps that differ, in order; `same` counts those that do not."""

    kind: Kind
    title: tuple[Piece, ...]
    steps: tuple[StepChange, ...]
    same: int


@dataclass(frozen=True)
class Comparison:
    """All differences; `about` are those of the lesson's own data."""

    about: tuple[FieldChange, ...]
    moments: tuple[MomentChange, ...]

    @property
    def steps(self) -> list[StepChange]:
        return [step for moment in self.moments for step in moment.steps]

    @property
    def counts(self) -> dict[str, int]:
        """How many steps of each kind; what moved and changed counts for both."""
        kinds = [step.kind for step in self.steps]
        return {
            **{kind: kinds.count(kind) for kind in ("added", "removed", "changed")},
            "moved": sum(step.was is not None for step in self.steps),
            "same": sum(moment.same for moment in self.moments),
        }

    @property
    def nothing(self) -> bool:
        return not self.about and all(m.kind == "same" and not m.steps for m in self.moments)


def compare(old: Outline, new: Outline) -> Comparison:
    """What it takes to come from `old` to `new`."""
    return _Comparer(old, new).comparison()


class _Comparer:
    def __init__(self, old: Outline, new: Outline) -> None:
        self.old, self.new = old, new
        self.pairs = matched(old, new)
        self.kept = {o: n for n, o in self.pairs.items()}
        self.moments = moments_matched(old, new, self.pairs)
        self.moved = moved(self.pairs)
        self.room = MOST_CHARACTERS

    def comparison(self) -> Comparison:
        head = {"meta", "policy"}
        about = self._fields(_named(self.old, head), _named(self.new, head))
        before, after = _by_moment(self.old), _by_moment(self.new)
        moments = [self._moment(at, before, places) for at, places in enumerate(after)]
        gone = set(range(len(before))) - set(self.moments.values())
        return Comparison(about, (*moments, *(self._moment_gone(at, before[at]) for at in sorted(gone))))

    def _moment(self, at: int, before: list[list[Place]], places: list[Place]) -> MomentChange:
        was = self.moments.get(at)
        title = self.new.lesson.moments[at].title
        old_title = "" if was is None else self.old.lesson.moments[was].title
        removed = self._removed(at, [] if was is None else before[was])
        steps = [*removed[None]]
        for place in places:
            steps += [self._step(place), *removed[place.index]]
        differ = tuple(step for step in steps if step.kind != "same" or step.was)
        kind: Kind = "added" if was is None else "same" if title == old_title else "changed"
        return MomentChange(kind, word_pieces(old_title, title), differ, len(steps) - len(differ))

    def _removed(self, moment: int, before: list[Place]) -> defaultdict[int | None, list[StepChange]]:
        """Steps of the old moment that are gone, by the step of the new one after which they stood; None: the first."""
        removed: defaultdict[int | None, list[StepChange]] = defaultdict(list)
        anchor: int | None = None
        for place in before:
            now = self.kept.get(place.index)
            if now is None:
                removed[anchor].append(self._only("removed", self.old, place))
            elif now not in self.moved and self.new.places[now].moment == moment:
                anchor = now
        return removed

    def _moment_gone(self, at: int, before: list[Place]) -> MomentChange:
        gone = (place for place in before if place.index not in self.kept)
        steps = tuple(self._only("removed", self.old, place) for place in gone)
        return MomentChange("removed", word_pieces(self.old.lesson.moments[at].title, ""), steps, 0)

    def _step(self, place: Place) -> StepChange:
        if place.index not in self.pairs:
            return self._only("added", self.new, place)
        before = self.old.places[self.pairs[place.index]]
        stayed = place.index not in self.moved and self.moments.get(place.moment) == before.moment
        was = None if stayed else (self.old.lesson.moments[before.moment].title, _number(before))
        if before.step == place.step:
            return self._change("same", place, was)
        return self._change("changed", place, was, before.step, place.step)

    def _only(self, kind: Kind, outline: Outline, place: Place) -> StepChange:
        return self._change(kind, place, None, *((None, place.step) if kind == "added" else (place.step, None)))

    def _change(
        self, kind: Kind, place: Place, was: tuple[str, int] | None, old: Step | None = None, new: Step | None = None
    ) -> StepChange:
        full = self.room <= 0
        fields = self._fields(_texts(old), _texts(new))
        name, title = step_name(place.step.type), _title(place.step)
        return StepChange(kind, name, title, _number(place), was, fields, cut=full and old is not new)

    def _fields(self, old: dict[str, str], new: dict[str, str]) -> tuple[FieldChange, ...]:
        """Nothing once the page is full."""
        if self.room <= 0:
            return ()
        names = [name for name in {**old, **new} if old.get(name, "") != new.get(name, "")]
        self.room -= sum(len(old.get(name, "")) + len(new.get(name, "")) for name in names)
        return tuple(FieldChange(name, word_pieces(old.get(name, ""), new.get(name, ""))) for name in names)


def _by_moment(outline: Outline) -> list[list[Place]]:
    moments: list[list[Place]] = [[] for _ in outline.lesson.moments]
    for place in outline.places:
        moments[place.moment].append(place)
    return moments


def _number(place: Place) -> int:
    """The step's number in its moment, from 1."""
    return int(place.path.rpartition("[")[2].rstrip("]")) + 1


def _title(step: Step) -> str:
    if isinstance(step, Ask):
        return step.code
    return step.title or Truncator(step.body or "").chars(_TITLE_SHOWN)


def _named(outline: Outline, parts: set[str]) -> dict[str, str]:
    return dict(_flat(outline.lesson.model_dump(mode="json", include=parts), ""))


def _texts(step: Step | None) -> dict[str, str]:
    """The step's fields, each as text under its name in the file; none of no step."""
    return dict(_flat(step.model_dump(mode="json"), "")) if step else {}


def _flat(value: Any, name: str) -> Iterator[tuple[str, str]]:
    """Texts that belong together stay one text: a list of phrases has a line for each."""
    if isinstance(value, dict):
        for key, child in value.items():
            yield from _flat(child, f"{name}.{key}" if name else key)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        for at, child in enumerate(value, start=1):
            yield from _flat(child, f"{name}[{child.get('code', at)}]")
    elif isinstance(value, list):
        yield name, "\n".join(", ".join(item) if isinstance(item, list) else str(item) for item in value)
    elif value is not None:
        yield name, str(value).lower() if isinstance(value, bool) else str(value)
