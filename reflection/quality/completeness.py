"""Whether a reflection says all that it must. Sources: RT-010, 2; design.md, "Settled", 3."""

from typing import Any, Final

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
    """Whether a field says something. Nothing but blanks says nothing."""
    if isinstance(value, str):
        return len(value) > _TEXT_OVER and not value.isspace()
    return isinstance(value, list | tuple) and any(str(one).strip() for one in value)
