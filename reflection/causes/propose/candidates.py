"""Adjustments that could be proposed, as typed values: conditions, priorities, and steps in other words.

The words of steps are in `data/adjustments.json`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from memory.contracts import Adjustment, AdjustmentOperation
from planning.contracts import Step
from planning.experience import adjustment_worded, condition_said, field_in, field_key, normalised, phrase_of
from reflection.causes.contracts import CauseKind
from reflection.causes.detect.activation import edits_of
from reflection.causes.detect.reading import Case
from reflection.causes.detect.task_specific import is_task_specific
from reflection.causes.texts import data_read
from reflection.redaction import has_secrets


@dataclass(frozen=True)
class AdjustmentCandidate:
    """An adjustment with its sentence, how firm it is, and whether it overrides what is set, which the plan does not
    show.
    """

    adjustment: Adjustment
    firmness: int = 1
    overrides: bool = False


class CandidateBuilder:
    """Makes the candidates for one failure, in the language of its plan. What cannot be worded is left out."""

    def __init__(self, case: Case) -> None:
        data = data_read("adjustments.json")
        self._rewords: dict[str, list[str]] = data["rewords"][case.language]
        self._kinds: dict[str, list[str]] = data["steps"]
        self._case = case
        self._edits = edits_of(case)

    def add(self, condition: str, firmness: int = 1, *, overrides: bool = False) -> Iterator[AdjustmentCandidate]:
        """Hold the plan to a condition, unless that is of this task alone."""
        yield from self._condition(AdjustmentOperation.ADD_CONSTRAINT, condition, firmness, overrides=overrides)

    def filter(self, condition: str, firmness: int = 3) -> Iterator[AdjustmentCandidate]:
        """Filter by a condition, unless that is of this task alone."""
        yield from self._condition(AdjustmentOperation.FILTER, condition, firmness)

    def _condition(
        self, operation: AdjustmentOperation, condition: str, firmness: int, *, overrides: bool = False
    ) -> Iterator[AdjustmentCandidate]:
        value = condition_said(condition) if condition else None
        if value and not is_task_specific(self._case, condition):
            adjustment = Adjustment(operation=operation, setting="constraint", value=value)
            yield from self._worded(adjustment, firmness, overrides=overrides)

    def remove(self, setting: str, value: str) -> Iterator[AdjustmentCandidate]:
        """Take away a constraint or a criterion; nothing for an empty value."""
        if value:
            text = (condition_said(value) if setting == "constraint" else None) or value.strip()
            yield from self._worded(Adjustment(operation=AdjustmentOperation.REMOVE, setting=setting, value=text), 2)

    def priority(self, name: str) -> Iterator[AdjustmentCandidate]:
        """Put this field first; nothing where the plan does so already."""
        old = self._case.plan.config.priority
        if name and (not old or field_key(old) != field_key(name)):
            previous = (phrase_of(self._shown_priority(old)).lower() or None) if old else None
            value = phrase_of(name).lower()
            adjustment = Adjustment(
                operation=AdjustmentOperation.CHANGE, setting="priority", value=value, previous=previous
            )
            yield from self._worded(adjustment, 2)

    def _shown_priority(self, priority: str) -> str:
        """The present priority, as people of this language say it."""
        names: dict[str, str] = data_read("words.json")[f"priorities {self._case.language}"]
        name = re.sub(r"^(?:el|la|los|las) ", "", names.get(normalised(priority), ""))
        return name or field_in(priority, self._case.language)

    def reword(
        self, purpose: str, names: Mapping[str, str] | None = None, firmness: int = 2
    ) -> Iterator[AdjustmentCandidate]:
        """The step that the purpose is about, in other words; nothing where a step says this already."""
        kind, *forms = self._rewords[purpose]
        if any(self._is_in_plan(form, names or {}) for form in forms):
            return
        steps = self._steps_of(kind)
        yield from islice((each for step in steps for each in self._reworded(step, forms, names or {}, firmness)), 1)

    def lesson(self, kind: CauseKind) -> Iterator[AdjustmentCandidate]:
        """Other steps for a session with a lesson."""
        for place, (old, new) in enumerate(data_read("adjustments.json")["lesson"][self._case.language][kind.value]):
            if any(normalised(step.description).startswith(normalised(old)) for step in self._case.plan.steps):
                yield from self._change(old, new, 2 + place)

    def _worded(
        self, adjustment: Adjustment, firmness: int, *, overrides: bool = False
    ) -> Iterator[AdjustmentCandidate]:
        worded = adjustment_worded(adjustment, self._case.language)
        if worded is not None and not has_secrets(worded.text):
            yield AdjustmentCandidate(worded, firmness, overrides)

    def _change(self, old: str, new: str, firmness: int) -> Iterator[AdjustmentCandidate]:
        if phrase_of(new) == new:
            adjustment = Adjustment(operation=AdjustmentOperation.CHANGE, setting="steps", value=new, previous=old)
            yield from self._worded(adjustment, firmness)

    def _is_in_plan(self, form: str, names: Mapping[str, str]) -> bool:
        text = re.sub(r"\{name\}|\{unit\}", lambda match: names.get(match[0][1:-1], ""), form)
        telling = max((part.strip(" ,") for part in re.split(r"\{\w+\}", text)), key=len)
        return any(normalised(telling) in normalised(step.description) for step in self._case.plan.steps)

    def _reworded(
        self, step: Step, forms: list[str], names: Mapping[str, str], firmness: int
    ) -> Iterator[AdjustmentCandidate]:
        """The step in each form that can be worded."""
        short = self._short(step)
        first = short.split()[0]
        words = {"step": short, "rest": short[:1].lower() + short[1:], "verb": first.lower(), "Verb": first, **names}
        telling = first.lower() in self._kinds["verbs"]  # what it does is said by its first word
        for form in forms:
            if "{verb}" not in form.lower() or telling:
                for old in (short, *self._beginnings(step)):
                    yield from self._change(old, form.format_map(words), firmness)

    def _steps_of(self, kind: str) -> list[Step]:
        """The steps of a kind, by how they begin, the last first, at most three; of a plan's end its last two besides.
        Those that were changed before are not changed again.
        """
        steps = [step for step in self._case.plan.steps[::-1] if not self._is_edited(step)]
        of_kind = [step for step in steps if normalised(step.description).startswith(tuple(self._kinds[kind]))]
        if kind != "confirm":
            return of_kind[:3]
        ending = self._case.plan.steps[-2:]
        return [*of_kind[:2], *(step for step in steps if step in ending and step not in of_kind)]

    def _is_edited(self, step: Step) -> bool:
        description = normalised(step.description)
        return any(edit in description for edit in self._edits)

    def _beginnings(self, step: Step) -> Iterator[str]:
        """Shorter beginnings by which the step is found as well: some of a step are read as something else."""
        words = step.description.split()
        for count in (4, 3):
            beginning = " ".join(words[:count]).rstrip(",:;(")
            if len(words) > count and self._is_unique(beginning):
                yield beginning

    def _short(self, step: Step) -> str:
        """The beginning of a step, without what is of this task alone, by which it is found in plans for others."""
        words = re.sub(r"[:(;].*", "", step.description).split()
        for place, word in enumerate(words):
            if place > 2 and word.lower() in self._kinds["stops"]:
                beginning = " ".join(words[:place]).rstrip(",")
                if self._is_unique(beginning):
                    return beginning
        return " ".join(words)[:100]

    def _is_unique(self, beginning: str) -> bool:
        """Whether one step of the plan alone has all these words."""
        words = set(normalised(beginning).split())
        return sum(words <= set(normalised(step.description).split()) for step in self._case.plan.steps) == 1
