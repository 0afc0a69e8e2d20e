"""Adjustments in the words of a language, and the steps that they are about."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from planning.contracts import Step
from planning.learning import adjustment_parse, field_in, field_key, folded
from reflection.causes.contracts import CauseKind
from reflection.causes.force import edits_of
from reflection.causes.own import stands_in_task
from reflection.causes.reading import Seen
from reflection.causes.wording import data_read
from reflection.discretion import hides


@dataclass(frozen=True)
class Rung:
    """An adjustment in words, the setting that it is to change, the value that it must be read as (empty for any), how
    firm it is, and whether it overrides what is set, so that the plan at hand does not show it.
    """

    text: str
    setting: str
    value: str = ""
    firmness: int = 1
    overrides: bool = False

    @property
    def is_read(self) -> bool:
        """Whether it is read as what it is meant to be, and says nothing that is nobody's business."""
        adjustment = None if hides(self.text) else adjustment_parse(self.text)
        if adjustment is None or adjustment.setting != self.setting:
            return False
        return not self.value or folded(str(adjustment.value)) == folded(self.value)


class Forms:
    """Adjustments in the words of one language."""

    def __init__(self, seen: Seen) -> None:
        data = data_read("adjustments.json")
        self._forms: dict[str, str] = data["forms"][seen.language]
        self._rewords: dict[str, list[str]] = data["rewords"][seen.language]
        self._kinds: dict[str, list[str]] = data["steps"]
        self._seen = seen
        self._edits = edits_of(seen)

    def add(self, condition: str, firmness: int = 1, *, overrides: bool = False) -> Iterator[Rung]:
        if condition and not stands_in_task(self._seen, condition):
            yield Rung(self._forms["add"].format(condition=condition), "constraint", "", firmness, overrides)

    def filter(self, condition: str, firmness: int = 3) -> Iterator[Rung]:
        if condition and not stands_in_task(self._seen, condition):
            yield Rung(self._forms["filter"].format(condition=condition), "constraint", "", firmness)

    def remove(self, what: str, value: str, *, overrides: bool = False) -> Iterator[Rung]:
        if value:
            yield Rung(self._forms[f"remove {what}"].format(value=value), what, "", 2, overrides)

    def priority(self, name: str, firmness: int = 2) -> Iterator[Rung]:
        old = self._seen.plan.config.priority
        if name and (not old or field_key(old) != field_key(name)):
            form = self._forms["priority" if old else "priority to"]
            yield Rung(form.format(old=self._said(old), new=name), "priority", "", firmness)

    def _said(self, priority: str | None) -> str:
        """What comes first now, as people of this language say it."""
        names: dict[str, str] = data_read("words.json")[f"priorities {self._seen.language}"]
        known = names.get(folded(priority or ""), "")
        return re.sub(r"^(?:el|la|los|las) ", "", known) or field_in(priority or "", self._seen.language)

    def reword(self, purpose: str, names: Mapping[str, str] | None = None, firmness: int = 2) -> Iterator[Rung]:
        """The step that the purpose is about, in other words."""
        kind, *forms = self._rewords[purpose]
        if any(self._is_said(form, names or {}) for form in forms):
            return
        rungs = (rung for step in self._steps_of(kind) for rung in self._worded(step, forms, names or {}, firmness))
        yield from islice(rungs, 1)

    def _is_said(self, form: str, names: Mapping[str, str]) -> bool:
        """Whether a step says this already, in whatever words it goes on."""
        known = re.sub(r"\{name\}|\{unit\}", lambda match: names.get(match[0][1:-1], ""), form)
        telling = max((part.strip(" ,") for part in re.split(r"\{\w+\}", known)), key=len)
        return any(folded(telling) in folded(one.description) for one in self._seen.plan.steps)

    def _worded(self, step: Step, forms: list[str], names: Mapping[str, str], firmness: int) -> Iterator[Rung]:
        """The step in each form that is read as what it is meant to be."""
        short = self.short(step)
        first = short.split()[0]
        words = {"step": short, "rest": _small(short), "verb": first.lower(), "Verb": first, **names}
        telling = first.lower() in self._kinds["verbs"]  # what it does is said by its first word
        for form in forms:
            if "{verb}" not in form.lower() or telling:
                changes = (self._change(old, form.format_map(words), firmness) for old in (short, *self._begins(step)))
                yield from (rung for rung in changes if rung.is_read)

    def lesson(self, kind: CauseKind) -> Iterator[Rung]:
        """What a session does otherwise."""
        for place, (old, new) in enumerate(data_read("adjustments.json")["lesson"][self._seen.language][kind.value]):
            if any(folded(step.description).startswith(folded(old)) for step in self._seen.plan.steps):
                yield self._change(old, new, 2 + place)

    def _change(self, old: str, new: str, firmness: int) -> Rung:
        return Rung(self._forms["reword"].format(old=old, new=new), "steps", new, firmness)

    def _steps_of(self, kind: str) -> list[Step]:
        """The steps of a kind, by how they begin, the last first; of a plan's end its last steps besides."""
        begins = tuple(self._kinds[kind])
        steps = [one for one in self._seen.plan.steps[::-1] if not self._is_edited(one)]
        found = [one for one in steps if folded(one.description).startswith(begins)]
        return (
            found[:3]
            if kind != "confirm"
            else [*found[:2], *(one for one in steps if one in self._seen.plan.steps[-2:] and one not in found)]
        )

    def _is_edited(self, step: Step) -> bool:
        """Whether it was changed before: it is not changed again."""
        said = folded(step.description)
        return any(edit in said for edit in self._edits)

    def _begins(self, step: Step) -> Iterator[str]:
        """Shorter beginnings by which the step is found as well: some of a step are read as something else."""
        words = step.description.split()
        for count in (4, 3):
            begin = " ".join(words[:count]).rstrip(",:;(")
            if len(words) > count and sum(_begins(one, begin) for one in self._seen.plan.steps) == 1:
                yield begin

    def short(self, step: Step) -> str:
        """The beginning of a step, without what is of this task alone, by which it is found in plans for others."""
        words = re.sub(r"[:(;].*", "", step.description).split()
        ends = [place for place, word in enumerate(words) if place > 2 and word.lower() in self._kinds["stops"]]
        for end in ends:
            begin = " ".join(words[:end]).rstrip(",")
            if sum(_begins(one, begin) for one in self._seen.plan.steps) == 1:
                return begin
        return " ".join(words)[:100]


def _begins(step: Step, begin: str) -> bool:
    return set(folded(begin).split()) <= set(folded(step.description).split())


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]
