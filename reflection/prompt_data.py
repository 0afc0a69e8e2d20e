"""What a model is shown of a failure: JSON, what matters most first, within so many bytes, and no secrets."""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple

from evaluation.contracts import CriterionResult
from planning.learning import folded, speaks_to_a_model
from reflection.contracts import PatternFound
from reflection.discretion import HIDDEN, hidden, is_secret_name, leaves_of, lists
from reflection.failure import Failure

_ONE: Final = frozenset({"task", "priority", "relevancy", "text"})
"""Keys with one value; the others have lists."""
_ACTUAL, _LEAVES, _PAST = 60, 24, 8
_LEFT_OUT: Final = "(left out)"
_SENTENCE: Final = re.compile(r"(?<=[.!?;])\s+")


class _Piece(NamedTuple):
    group: str
    key: str
    value: Any


@dataclass
class Shown:
    """What is shown, as JSON objects: `plan` and `evaluation`, and what was `known` before."""

    plan: dict[str, Any] = field(default_factory=dict)
    evaluation: dict[str, Any] = field(default_factory=dict)
    known: dict[str, Any] = field(default_factory=dict)

    @property
    def whole(self) -> str:
        """All of it in one line."""
        groups = {name: group for name, group in vars(self).items() if group}
        return json.dumps(groups, ensure_ascii=False, separators=(",", ":"))


def shown_of(failure: Failure, patterns: Sequence[PatternFound], size: int) -> Shown:
    """As much of the failure as there is room for in `size` bytes of JSON."""
    shown, left, longest = Shown(), size - 40, max(60, size // 4)
    for group, key, value in _pieces(failure, patterns):
        said = _said(value, longest) if isinstance(value, str) else value
        where: dict[str, Any] = getattr(shown, group)
        cost = len(json.dumps(said, ensure_ascii=False).encode(errors="replace")) + 2
        cost += 0 if key in where else len(key) + 6
        if cost > left or said == "":
            continue
        left -= cost
        if key in _ONE:
            where[key] = said
        elif said not in where.setdefault(key, []):
            where[key].append(said)
    return shown


def _said(text: str, longest: int) -> str:
    """Plain words in one line, without secrets, and without what is meant for a model and not for a person."""
    plain = "".join(" " if unicodedata.category(one)[0] in "CZ" else one for one in text[: 4 * longest])
    kept = [one for one in _SENTENCE.split(hidden(" ".join(plain.split()))) if not speaks_to_a_model(one)]
    said = " ".join(kept)[:longest]
    return _LEFT_OUT if speaks_to_a_model(said) or (plain.strip() and not said) else said


def _pieces(failure: Failure, patterns: Sequence[PatternFound]) -> Iterator[_Piece]:
    """What there is to show, what matters most first."""
    plan, checks = failure.plan, failure.evaluation.criteria_met
    failed, met = _checked(checks, met=False), _checked(checks, met=True)
    told, found = _told(failure), [_pattern(one) for one in patterns]
    constraints, steps = list(plan.constraints), [step.description for step in plan.steps]
    settings = [f"{name} = {value}" for name, value in plan.config.settings.items() if not is_secret_name(name)]
    adjusted = [one.adjustment.text or str(one.adjustment.value) for one in reversed(failure.adjustments)]
    learned = [one.learning for one in failure.reflections if one.task_type in ("", failure.domain)]
    yield _Piece("plan", "task", plan.task)
    if failure.plan_text != plan.task:
        yield _Piece("plan", "text", failure.plan_text)
    yield _Piece("evaluation", "text", failure.evaluation_text)
    yield from (_Piece("evaluation", "failed", text) for text in failed[:3])
    if plan.config.priority:
        yield _Piece("plan", "priority", plan.config.priority)
    yield from (_Piece("plan", "constraints", text) for text in constraints[:2])
    yield from (_Piece("evaluation", "result", text) for text in told[:3])
    yield from (_Piece("known", "patterns", text) for text in found[:2])
    yield from (_Piece("evaluation", "failed", text) for text in failed[3:10])
    yield from (_Piece("known", "adjusted_before", text) for text in adjusted[:2])
    yield from (_Piece("evaluation", "unknown", text) for text in _checked(checks, met=None)[:3])
    yield from (_Piece("plan", "settings", text) for text in settings[:4])
    yield from (_Piece("evaluation", "met", text) for text in met[:4])
    yield from (_Piece("known", "learned_before", text) for text in learned[:2])
    yield from (_Piece("plan", "steps", text) for text in steps[:8])
    yield from (_Piece("evaluation", "result", text) for text in told[3:])
    yield from (_Piece("known", "patterns", text) for text in found[2:8])
    yield from (_Piece("plan", "constraints", text) for text in constraints[2:12])
    yield from (_Piece("evaluation", "met", text) for text in met[4:12])
    yield from (_Piece("known", "happened_before", one.content) for one in failure.past[:_PAST])
    yield from (_Piece("known", "learned_before", text) for text in learned[2:6])


def _checked(checks: Sequence[CriterionResult], *, met: bool | None) -> list[str]:
    """Criteria that ended so, with the values that were read, and why nobody knows."""
    return [_check(one) for one in checks if one.met is met]


def _check(check: CriterionResult) -> str:
    if check.met is None:
        return f"{check.criterion} ({check.reason})" if check.reason else check.criterion
    if check.actual is None:
        return check.criterion
    secret = is_secret_name(check.path or "") or is_secret_name(check.criterion)
    actual = json.dumps(check.actual, ensure_ascii=False, default=str)[:_ACTUAL]
    return f"{check.criterion}: was {HIDDEN if secret else actual}"


def _pattern(pattern: PatternFound) -> str:
    figures = f" ({pattern.support} of {pattern.total})" if pattern.total else ""
    return f"{pattern.text}{figures}"


def _told(failure: Failure) -> list[str]:
    """What the result says: beside what failed first, then what people and programs said of it."""
    near = {_parent(one.path) for one in failure.evaluation.criteria_met if one.met is False and one.path}
    read = {one.path for one in failure.evaluation.criteria_met if one.path}
    telling = frozenset(lists()["telling"])
    ranked = []
    for place, (path, value) in enumerate(islice(leaves_of(failure.result), _LEAVES * 4)):
        if path in read or value is None or value == "" or is_secret_name(path):
            continue
        words = re.findall(r"[a-z]+", folded(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", path)))
        rank = 0 if telling & set(words) else 1 if _parent(path) in near else 2
        ranked.append((rank, place, f"{path}: {value}" if path else str(value)))
    return [text for _, _, text in sorted(ranked)[:_LEAVES]]


def _parent(path: str) -> str:
    return re.sub(r"(?:\.[^.\[\]]+|\[\d+\])$", "", path) if re.search(r"[.\[]", path) else ""
