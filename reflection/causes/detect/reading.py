"""A failure, looked at: criteria with their gaps, values of the result, the user's feedback, what the plan names."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, Final

from planning.experience import normalised
from planning.understanding import TaskReading, task_read
from reflection.causes.contracts import Cause, CauseKind, Fact
from reflection.causes.detect.checks import Check, Leaf, check_of, parent_of
from reflection.causes.texts import cues, data_read, shown
from reflection.contracts.failure import Failure
from reflection.redaction import redact

LEAVES_AT_MOST: Final = 1_500
DEEPEST: Final = 12
LIST_AT_MOST: Final = 60


class Case:
    """A failure and its evidence. Everything is read once, and no more of the result than it takes."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        self.plan = failure.plan
        self.language = failure.language
        by_text = {criterion.text: criterion for criterion in failure.plan.success_criteria}
        self.checks = [
            check_of(place, result, by_text.get(result.source))
            for place, result in enumerate(failure.evaluation.criteria_met)
        ]

    @cached_property
    def failed(self) -> list[Check]:
        """Criteria that were not met, but for verdicts; the task's own first, then what the user names, then what is
        furthest off.
        """
        failed = [check for check in self.checks if check.result.met is False and not check.is_verdict]
        return sorted(
            failed,
            key=lambda check: (not check.asked, not self._names(check), -min(check.gap or 0.5, 2.0), check.place),
        )

    def _names(self, check: Check) -> bool:
        """Whether the user names it in refusing the result."""
        return self.rejected is not None and check.is_named_in(self.feedback[:400])

    @property
    def worst(self) -> Check | None:
        """The first of the failed criteria."""
        return self.failed[0] if self.failed else None

    @cached_property
    def rejected(self) -> Check | None:
        """The verdict of the user that went against it."""
        return next((check for check in self.checks if check.result.met is False and check.is_verdict), None)

    @cached_property
    def met(self) -> list[Check]:
        return [check for check in self.checks if check.result.met is True]

    @cached_property
    def unknown(self) -> list[Check]:
        return [check for check in self.checks if check.result.met is None]

    @cached_property
    def counted(self) -> list[Check]:
        """All criteria but verdicts."""
        return [check for check in self.checks if not check.is_verdict]

    @property
    def has_measured(self) -> bool:
        """Whether a criterion failed by a value that was read."""
        return any(check.found is not None for check in self.failed)

    @property
    def main(self) -> Check | None:
        """The failed criterion that explains most: a measured one before a verdict."""
        return self.worst or self.rejected

    @property
    def priority(self) -> str:
        """The field that the plan puts first; empty for none."""
        return self.plan.config.priority or ""

    @property
    def confirmed(self) -> bool:
        """Whether the user said yes."""
        return any(check.is_verdict for check in self.met)

    @cached_property
    def reading(self) -> TaskReading | None:
        """The task as it is understood; None for what is none."""
        try:
            return task_read(self.plan.task, self.plan.metadata.task_type or None)
        except ValueError:
            return None

    @property
    def reading_topic(self) -> str:
        """What the task is about in a few words: its object, else its type."""
        phrases = self.reading.phrases if self.reading else {}
        return phrases.get("object") or phrases.get("topic") or self.failure.domain.replace("_", " ")

    @cached_property
    def leaves(self) -> list[Leaf]:
        """The values of the result, as far as they are read."""
        return list(_leaves(self.failure.result))

    @cached_property
    def feedback(self) -> str:
        """The user's feedback without secrets; empty where there is none."""
        values = [self.rejected.result.actual] if self.rejected else []
        values += [leaf.value for leaf in self.leaves if cues("feedback keys").search(leaf.key.replace("_", " "))]
        texts = [value for value in values if isinstance(value, str) and len(value.split()) > 1]
        return redact(max(texts, key=lambda text: len(text[:400]), default=""), "…")

    @cached_property
    def option(self) -> str:
        """The name of what was chosen or made."""
        named = [leaf for leaf in self.leaves if leaf.key in data_read("words.json")["name keys"]]
        near = parent_of(self.main.result.path) if self.main else ""
        for leaf in sorted(named, key=lambda leaf: (parent_of(leaf.path) != near, leaf.path.count("["))):
            text = shown(leaf.value, 40)
            if isinstance(leaf.value, str) and text and "[" not in leaf.path:
                return text
        return ""

    def cause(
        self, kind: CauseKind, check: Check | None, score: float, facts: list[Fact] | None = None, **parts: str
    ) -> Cause:
        """A cause of this failure, about the criterion, or about the main one."""
        about = check or self.main
        return Cause(
            kind=kind,
            about=about.result.criterion if about else shown(self.plan.task, 80),
            field=about.field if about else "",
            score=round(max(0.0, min(score, 0.99)), 3),
            facts=(*([about.fact] if about else []), *(facts or [])),
            parts={name: text for name, text in parts.items() if text},
        )

    def check_of(self, cause: Cause) -> Check | None:
        """The criterion that the cause is about; the main one where it is about none."""
        return next((check for check in self.checks if check.result.criterion == cause.about), self.main)

    def mention_of(self, check: Check) -> tuple[str, int]:
        """The constraint of the field of this criterion, and the order of the step that names it; empty and 0 for
        none.
        """
        constraint = next((text for text in self.plan.constraints if check.is_field_of(text)), "")
        return constraint, next((step.order for step in self.plan.steps if check.is_named_in(step.description)), 0)


Finder = Callable[[Case], Iterator[Cause]]


def _leaves(result: object) -> Iterator[Leaf]:
    left: list[tuple[str, str, Any, int]] = [("", "", result, 0)]
    visited = 0
    while left and visited < LEAVES_AT_MOST:
        path, key, value, depth = left.pop()
        visited += 1
        if isinstance(value, dict) and depth < DEEPEST:
            inside = [(str(name)[:60], item) for name, item in list(value.items())[:LIST_AT_MOST]]
            left += [
                (f"{path}.{name}".lstrip("."), normalised(name), item, depth + 1) for name, item in reversed(inside)
            ]
        elif isinstance(value, list | tuple) and depth < DEEPEST:
            items = list(enumerate(value[:LIST_AT_MOST]))
            left += [(f"{path}[{place}]", key, item, depth + 1) for place, item in reversed(items)]
        elif isinstance(value, str | int | float | bool):
            yield Leaf(path[:200], key, value)
