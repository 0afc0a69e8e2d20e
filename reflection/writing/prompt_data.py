"""The failure as JSON for a model: the most important first, within a number of bytes, without secrets."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple

from evaluation.contracts import CriterionResult
from language.fold import visible
from language.names import split_camel
from planning.experience import normalised, speaks_to_a_model
from reflection.contracts import PatternFound
from reflection.contracts.failure import Failure
from reflection.redaction import HIDDEN, is_secret_name, leaves_of, lists, redact

_SINGLE: Final = frozenset({"task", "priority", "relevancy", "text"})
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
    """The data as JSON objects: `plan`, `evaluation`, and the `known` history."""

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
        text = _plain(value, longest) if isinstance(value, str) else value
        fields: dict[str, Any] = getattr(shown, group)
        cost = len(json.dumps(text, ensure_ascii=False).encode(errors="replace")) + 2
        cost += 0 if key in fields else len(key) + 6
        if cost > left or text == "":
            continue
        left -= cost
        if key in _SINGLE:
            fields[key] = text
        elif text not in fields.setdefault(key, []):
            fields[key].append(text)
    return shown


def _plain(text: str, longest: int) -> str:
    """Plain words in one line, without secrets and without sentences that speak to a model."""
    plain = visible(text[: 4 * longest])
    sentences = [sentence for sentence in _SENTENCE.split(redact(plain)) if not speaks_to_a_model(sentence)]
    clean = " ".join(sentences)[:longest]
    return _LEFT_OUT if speaks_to_a_model(clean) or (plain and not clean) else clean


def _pieces(failure: Failure, patterns: Sequence[PatternFound]) -> Iterator[_Piece]:
    """All data, the most important first."""
    plan, checks = failure.plan, failure.evaluation.criteria_met
    failed, met = _checked(checks, met=False), _checked(checks, met=True)
    values = _values(failure)
    recurring = [f"{row.text} ({row.support} of {row.total})" if row.total else row.text for row in patterns]
    constraints, steps = list(plan.constraints), [step.description for step in plan.steps]
    settings = [f"{name} = {value}" for name, value in plan.config.settings.items() if not is_secret_name(name)]
    adjusted = [
        adjustment.adjustment.text or str(adjustment.adjustment.value) for adjustment in reversed(failure.adjustments)
    ]
    learned = [
        reflection.learning for reflection in failure.reflections if reflection.task_type in ("", failure.domain)
    ]
    yield _Piece("plan", "task", plan.task)
    if failure.plan_text != plan.task:
        yield _Piece("plan", "text", failure.plan_text)
    yield _Piece("evaluation", "text", failure.evaluation_text)
    yield from (_Piece("evaluation", "failed", text) for text in failed[:3])
    if plan.config.priority:
        yield _Piece("plan", "priority", plan.config.priority)
    yield from (_Piece("plan", "constraints", text) for text in constraints[:2])
    yield from (_Piece("evaluation", "result", text) for text in values[:3])
    yield from (_Piece("known", "patterns", text) for text in recurring[:2])
    yield from (_Piece("evaluation", "failed", text) for text in failed[3:10])
    yield from (_Piece("known", "adjusted_before", text) for text in adjusted[:2])
    yield from (_Piece("evaluation", "unknown", text) for text in _checked(checks, met=None)[:3])
    yield from (_Piece("plan", "settings", text) for text in settings[:4])
    yield from (_Piece("evaluation", "met", text) for text in met[:4])
    yield from (_Piece("known", "learned_before", text) for text in learned[:2])
    yield from (_Piece("plan", "steps", text) for text in steps[:8])
    yield from (_Piece("evaluation", "result", text) for text in values[3:])
    yield from (_Piece("known", "patterns", text) for text in recurring[2:8])
    yield from (_Piece("plan", "constraints", text) for text in constraints[2:12])
    yield from (_Piece("evaluation", "met", text) for text in met[4:12])
    yield from (_Piece("known", "happened_before", episode.content) for episode in failure.past[:_PAST])
    yield from (_Piece("known", "learned_before", text) for text in learned[2:6])


def _checked(checks: Sequence[CriterionResult], *, met: bool | None) -> list[str]:
    """Criteria with this outcome, with their values, or the reason why there is none."""
    return [_check(check) for check in checks if check.met is met]


def _check(check: CriterionResult) -> str:
    if check.met is None:
        return f"{check.criterion} ({check.reason})" if check.reason else check.criterion
    if check.actual is None:
        return check.criterion
    secret = is_secret_name(check.path or "") or is_secret_name(check.criterion)
    actual = json.dumps(check.actual, ensure_ascii=False, default=str)[:_ACTUAL]
    return f"{check.criterion}: was {HIDDEN if secret else actual}"


def _values(failure: Failure) -> list[str]:
    """Values of the result: first comments of people and programs, then those near a failed criterion."""
    near = {_parent(check.path) for check in failure.evaluation.criteria_met if check.met is False and check.path}
    checked = {check.path for check in failure.evaluation.criteria_met if check.path}
    telling = frozenset(lists()["telling"])
    ranked = []
    for place, (path, value) in enumerate(islice(leaves_of(failure.result), _LEAVES * 4)):
        if path in checked or value is None or value == "" or is_secret_name(path):
            continue
        words = re.findall(r"[a-z]+", normalised(split_camel(path)))
        rank = 0 if telling & set(words) else 1 if _parent(path) in near else 2
        ranked.append((rank, place, f"{path}: {value}" if path else str(value)))
    return [text for _, _, text in sorted(ranked)[:_LEAVES]]


def _parent(path: str) -> str:
    return re.sub(r"(?:\.[^.\[\]]+|\[\d+\])$", "", path) if re.search(r"[.\[]", path) else ""
