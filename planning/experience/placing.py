"""Steps of learnings and adjustments: their sentences, and where in a plan they go."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from language.tokens import any_of
from language.word_lists import rows_of
from planning.criteria import CriterionKind
from planning.experience.conditions import bound_of, parsed
from planning.experience.editing import Draft, DraftStep
from planning.experience.fields import field_in, field_key
from planning.experience.words import DATA, normalised, stems
from planning.understanding.contracts import TaskReading

_OBJECTS_AT_MOST: Final = 60
_CHOOSING: Final = frozenset(("search", "filter", "sort", "select"))


@dataclass(frozen=True)
class Sentence:
    """A step in both languages, with places for what it is about, and what comes of it."""

    texts: dict[str, str]
    outputs: dict[str, str]


@cache
def _sentences() -> dict[str, Sentence]:
    rows = rows_of(DATA / "sentences.jsonl", _sentence)
    return dict(rows)


def _sentence(row: dict[str, Any]) -> tuple[str, Sentence]:
    texts = {language: row[language] for language in ("en", "es")}
    return row["name"], Sentence(texts, {language: row[f"output_{language}"] for language in texts})


@cache
def _kinds() -> dict[str, re.Pattern[str]]:
    rows = rows_of(DATA / "steps.jsonl", lambda row: (row["kind"], [*row["en"], *row["es"]]))
    return {kind: re.compile(rf"\W*(?:{any_of(words)})(?!\w)") for kind, words in rows}


def is_kind(step: DraftStep, kind: str) -> bool:
    """Whether the step begins as steps of this kind do: search, filter, sort, select or confirm."""
    return _kinds()[kind].match(normalised(step.description)) is not None


class Placing:
    """Steps put into a draft where they belong, in the words of the task's language."""

    def __init__(self, draft: Draft, reading: TaskReading) -> None:
        self._draft = draft
        self._language = reading.language if reading.language in ("en", "es") else "en"
        objects = reading.phrases.get("objects", "")
        usable = objects and len(objects) <= _OBJECTS_AT_MOST and "\n" not in objects
        self._objects = objects if usable else _sentences()["objects"].texts[self._language]

    @property
    def chooses(self) -> bool:
        """Whether the plan chooses among options, so that they can be filtered and sorted: it searches and selects, or
        does one of it with what the task is about. A report that collects data chooses nothing.
        """
        steps = self._draft.steps
        searching = [step for step in steps if is_kind(step, "search")]
        selecting = [step for step in steps if is_kind(step, "select")]
        return bool(searching and selecting) or any(self._is_of_objects(step) for step in searching + selecting)

    def _is_of_objects(self, step: DraftStep) -> bool:
        options = _sentences()["objects"].texts
        about = set(stems(" ".join([self._objects.split()[-1], *options.values()])))
        return not about.isdisjoint(stems(step.description))

    # Sentences

    def filter_said(self, condition: str) -> tuple[str, str]:
        """The step that holds options, or the work, to a condition; and what comes of it."""
        return self._said("filter" if self.chooses else "keep", condition=self.worded(condition))

    def worded(self, condition: str) -> str:
        """The condition with the name of its field in the language of the task."""
        parse = parsed(condition)
        if parse is None or parse.kind in (CriterionKind.PRESENCE, CriterionKind.ABSENCE):
            return condition
        name = parse.field.replace("_", " ")
        ours = field_in(name, self._language)
        begins = normalised(condition).startswith(normalised(name))
        return ours + condition[len(name) :] if ours != name and begins else condition

    def _said(self, name: str, **slots: str) -> tuple[str, str]:
        sentence = _sentences()[name]
        words = {"objects": self._objects, **slots}
        text, output = sentence.texts[self._language], sentence.outputs[self._language]
        outcome = output.format_map(words)
        return text.format_map(words), outcome[:1].upper() + outcome[1:]

    # Steps

    def filter_by(self, condition: str) -> bool:
        return self._add(self.filter_said(condition), sorting=False)

    def prefer(self, wish: str) -> bool:
        return self._add(self._said("prefer", condition=self.worded(wish)), sorting=False)

    def avoid(self, thing: str) -> bool:
        return self._add(self._said("avoid", condition=thing), sorting=False)

    def prefer_over(self, first: str, second: str) -> bool:
        """Put in the step that weighs one thing against another where options are not sorted by them."""
        names = {"first": self._name(first), "second": self._name(second)}
        return self._add(self._said("prefer_over", **names), sorting=False)

    def sort_by(self, first: str, second: str | None) -> bool:
        """Let options be sorted by a field: the step that sorts says so, or a new one. Whether anything changed."""
        if not self.chooses:
            return self.prefer_over(first, second) if second else self.prefer(self._name(first))
        name = "sort_over" if second else "sort"
        description, output = self._said(name, first=self._name(first), second=self._name(second or ""))
        sorting = next((step for step in self._draft.steps if is_kind(step, "sort")), None)
        if sorting is None:
            return self._add((description, output), sorting=True)
        if sorting.description == description or (second is None and self._sorts_by(sorting, first)):
            return False
        sorting.description, sorting.expected_output = description, output
        return True

    def sort_forget(self, first: str) -> bool:
        """Take out the step that sorts by a field. Whether there was one."""
        sorting = [step for step in self._draft.steps if is_kind(step, "sort") and self._sorts_by(step, first)]
        gone = [self._draft.step_remove(step) for step in sorting]
        return any(gone)

    def _sorts_by(self, step: DraftStep, name: str) -> bool:
        sorted_by = _kinds()["sort"].sub("", normalised(step.description), count=1).split(",")[0]
        return field_key(sorted_by.strip()) == field_key(name)

    def _name(self, name: str) -> str:
        return field_in(name, self._language)

    def _add(self, texts: tuple[str, str], *, sorting: bool) -> bool:
        return self._draft.step_add(*texts, self._place(sorting))

    def _place(self, sorting: bool) -> int:
        """Before the first step that selects (or sorts, for one that does not sort itself), after those that search
        and filter. Where nothing is chosen: before the confirmation, or last.
        """
        steps = self._draft.steps
        if not self.chooses:
            last = [place for place, step in enumerate(steps) if place and is_kind(step, "confirm")]
            return last[0] if last else len(steps)
        for place, step in enumerate(steps):
            if place and (is_kind(step, "select") or (not sorting and is_kind(step, "sort"))):
                return place
        return max(place for place, step in enumerate(steps) if any(is_kind(step, kind) for kind in _CHOOSING)) + 1

    # What steps say of a condition

    def steps_holding(self, condition: str) -> list[DraftStep]:
        """The steps that hold to a condition on the same side of the same field, or say just the same."""
        wanted = bound_of(parsed(condition))
        holding = self.steps_saying(condition)
        for step in self._draft.steps:
            bound = bound_of(parsed(condition_held(step)))
            if wanted and bound and (bound.field, bound.side) == (wanted.field, wanted.side) and step not in holding:
                holding.append(step)
        return holding

    def steps_saying(self, condition: str) -> list[DraftStep]:
        """The steps that hold to just this condition."""
        wanted = {normalised(condition), normalised(self.worded(condition))}
        return [step for step in self._draft.steps if normalised(condition_held(step)) in wanted]


def condition_held(step: DraftStep) -> str:
    """The condition after the colon of a step that filters or makes sure; empty for others."""
    _, colon, condition = step.description.partition(": ")
    return condition.strip() if colon and (is_kind(step, "filter") or is_kind(step, "keep")) else ""
