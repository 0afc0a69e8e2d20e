"""Prompts for reflections: instructions, data, and what fell short last time. Sources: RT-010, 7; RT-009, costs.

Texts: `data/prompts.txt`, `data/hints.json`.
"""

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from gateway.client import Message
from language.word_lists import json_file
from memory.strategy.registry import settings_all
from reflection.contracts import ATTEMPTS_AT_MOST, Metric, PatternFound, Reflection, ValidationResult
from reflection.contracts.failure import Failure
from reflection.quality.metrics import STORED_FROM, threshold_of
from reflection.writing.attempts import AttemptMade
from reflection.writing.prompt_data import shown_of

FIRST_BYTES, AGAIN_BYTES = 1_250, 1_500
"""Of a prompt for ours: two cents are 4,000 tokens for all attempts, and until it is answered a byte counts as one."""
PASSED_BYTES = 6_000
"""Of the data for a model that is passed in."""
_DATA_AT_LEAST, _QUOTED = 320, 160
_DATA: Final = Path(__file__).parent / "data"
_LANGUAGES: Final = {"en": "English", "es": "Spanish"}
_ORDER: Final = (
    Metric.DEPTH,
    Metric.ACTIONABILITY,
    Metric.COMPLETENESS,
    Metric.PATTERNS,
    Metric.RELEVANCE,
    Metric.NOVELTY,
)
_SHORT: Final = 10
"""Characters of a field that counts as empty. Source: RT-010, 2 (`_check_completeness`)."""


def messages_of(
    failure: Failure,
    patterns: Sequence[PatternFound] = (),
    attempt: int = 1,
    before: AttemptMade | None = None,
    refused: str = "",
) -> list[Message]:
    """For ours: the instructions and, apart, the failure as data. `before` is the attempt to improve, `refused` the
    reason why the last reply was no reflection.
    """
    size = FIRST_BYTES if attempt == 1 else AGAIN_BYTES
    instructions = _instructions(failure, attempt, fallen_of(before, refused, failure.language, patterns))
    room = max(_DATA_AT_LEAST, size - len(instructions.encode()))
    return [Message(role="system", content=instructions), Message(content=shown_of(failure, patterns, room).whole)]


def _instructions(failure: Failure, attempt: int, fallen: list[str]) -> str:
    """The instructions, with as many of the lines on what fell short as leave room for data."""
    names = _names(failure)
    if attempt == 1:
        return _texts()["standard"].format(**names)
    text = _texts()["enhanced for ours"]
    while True:
        whole = text.format(attempt=attempt, most=ATTEMPTS_AT_MOST, fallen="\n".join(fallen), **names).strip()
        if len(fallen) < 2 or len(whole.encode()) <= AGAIN_BYTES - _DATA_AT_LEAST:
            return whole
        fallen = fallen[:-1]


def _names(failure: Failure) -> dict[str, str]:
    forms: str = _hints()["forms"][failure.language]
    return {"language": _LANGUAGES[failure.language], "forms": forms, "form": forms.rpartition(", ")[2]}


def prompt_of(
    failure: Failure,
    patterns: Sequence[PatternFound] = (),
    attempt: int = 1,
    before: AttemptMade | None = None,
    refused: str = "",
) -> str:
    """The same for a passed model, which takes one text and costs us nothing: as RT-010, 7 words it."""
    shown, names = shown_of(failure, patterns, PASSED_BYTES), _names(failure)
    if attempt == 1:
        return f"{_texts()['standard'].format(**names)}\n\n{shown.whole}"
    groups = {name: json.dumps(group, ensure_ascii=False, indent=1) for name, group in vars(shown).items()}
    fallen = "\n".join(fallen_of(before, refused, failure.language, patterns))
    return _texts()["enhanced"].format(attempt=attempt, most=ATTEMPTS_AT_MOST, fallen=fallen, **names, **groups)


def fallen_of(
    before: AttemptMade | None, refused: str, language: str, patterns: Sequence[PatternFound] = ()
) -> list[str]:
    """What fell short last time, by how much, with a hint: a heading with the first line, then a line each; empty for a
    first attempt. The words of gates and models are quoted.
    """
    lines = [f"- no reflection: {_quoted(refused)}; return the JSON object alone"] if refused else []
    if before is not None:
        lines += _fallen(before.validation, lambda name: _hint(name, language, _missing(before.reflection, patterns)))
    return [f"Last time fell short:\n{lines[0]}", *lines[1:]] if lines else []


def _fallen(validation: ValidationResult, hint: Callable[[str], str]) -> list[str]:
    violated = _violated(validation)
    lines = []
    for metric in _ORDER:
        value, least = validation.metrics.get(metric), threshold_of(metric)
        if value is not None and value < least:
            lines.append(f"- {metric} {value:.2f} < {least:g}, {least - value:.2f} short: {hint(metric)}")
        elif metric in violated:
            lines.append(f"- {metric}: {hint(metric)}")
    if "executable" in violated or any(fault.metric is None for fault in validation.faults):
        lines.insert(min(2, len(lines)), f"- {hint('executable')}")
    if not lines and validation.violations:
        return [f"- {_quoted(text)}" for text in validation.violations[:3]]
    if not lines and validation.metrics:
        worst = min(_ORDER, key=lambda metric: validation.metrics.get(metric, 1.0))
        lines = [f"- quality {validation.quality_score:.2f} < {STORED_FROM:g}, least of all {worst}: {hint(worst)}"]
    return lines


def _violated(validation: ValidationResult) -> set[str]:
    """The metrics of the violations: as they say, or as RT-010 words them."""
    named = {fault.metric.value for fault in validation.faults if fault.metric is not None}
    begins: dict[str, str] = _hints()["violations"]
    return named | {name for text in validation.violations for start, name in begins.items() if text.startswith(start)}


def _missing(reflection: Reflection, patterns: Sequence[PatternFound]) -> list[str]:
    """Fields that count as empty; patterns only where some are given."""
    missing = [name for name in ("analysis", "learning") if len(getattr(reflection, name)) <= _SHORT]
    missing += [] if reflection.strategy_adjustments else ["strategy_adjustments"]
    return missing + (["patterns_identified"] if patterns and not reflection.patterns_identified else [])


def _hint(name: str, language: str, missing: Sequence[str]) -> str:
    settings = ", ".join(setting.name for setting in settings_all()[:8])
    hint: str = _hints()[name][language]
    return hint.format(missing=", ".join(missing) or "every field", settings=settings)


def _quoted(text: str) -> str:
    return json.dumps(" ".join(text.split())[:_QUOTED], ensure_ascii=False)


def _hints() -> dict[str, Any]:
    hints: dict[str, Any] = json_file(_DATA / "hints.json")
    return hints


@cache
def _texts() -> dict[str, str]:
    """The sections of `data/prompts.txt`."""
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in (_DATA / "prompts.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            lines = sections.setdefault(line[1:-1], [])
        elif not line.startswith("# "):
            lines.append(line)
    return {name: "\n".join(lines).strip() for name, lines in sections.items()}
