"""What of a reflection is embedded, and how near it is to its task and to earlier reflections. Source: RT-010, 1."""

from collections.abc import Sequence
from typing import Any

from reflection.likeness import novelty_scored, relevance_scored


def embedded_text(analysis: str, learning: str) -> str:
    """What of a reflection is compared with its task and with others: what went wrong and what follows from it."""
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
