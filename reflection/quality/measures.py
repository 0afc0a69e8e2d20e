"""Completeness, relevance and novelty of a reflection. Sources: RT-010, 1 and 2; design.md, "Settled", 3."""

from collections.abc import Sequence
from typing import Any, Final

from reflection.likeness import novelty_scored, relevance_scored
from reflection.quality.metrics import REFLECTION_QUALITY_METRICS

PATTERNS: Final = "patterns_identified"
_TEXT_OVER = 10


def missing_fields(reflection: Any, needs_patterns: bool = True) -> list[str]:
    """Required fields that are empty, as a text of 10 characters is. `needs_patterns` False: patterns may be."""
    required: list[str] = REFLECTION_QUALITY_METRICS["completeness"]["required_fields"]
    return [
        name
        for name in required
        if not is_present(getattr(reflection, name, None)) and (needs_patterns or name != PATTERNS)
    ]


def completeness_of(reflection: Any, needs_patterns: bool = True) -> float:
    """The share of required fields that are there, 0 to 1."""
    required = len(REFLECTION_QUALITY_METRICS["completeness"]["required_fields"])
    return (required - len(missing_fields(reflection, needs_patterns))) / required


def is_present(value: Any) -> bool:
    """Whether a field is filled; blanks do not count."""
    if isinstance(value, str):
        return len(value) > _TEXT_OVER and not value.isspace()
    return isinstance(value, list | tuple) and any(str(item).strip() for item in value)


def embedded_text(analysis: str, learning: str) -> str:
    """The text of a reflection that is compared with its task and with others: analysis and learning."""
    return f"{analysis} {learning}".strip()


def text_of(reflection: Any) -> str:
    """The same for a reflection."""
    return embedded_text(*(str(getattr(reflection, name, None) or "") for name in ("analysis", "learning")))


def relevance_of(reflection: Any, task: Any) -> float | None:
    """0 to 1; None where the task is not known."""
    if not isinstance(task, str) or not task.strip():
        return None
    text = text_of(reflection)
    return float(relevance_scored(text, task)) if text else 0.0


def novelty_of(reflection: Any, existing: Sequence[str] | None) -> float:
    """0 to 1, how far it is from the nearest earlier one; 1 without any."""
    earlier = [text for text in existing or () if text.strip()]
    return float(novelty_scored(text_of(reflection), earlier)) if earlier else 1.0
