"""Values in words: short, clean, without instructions to a model."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from language.fold import visible
from language.word_lists import json_file
from planning.experience import normalised, speaks_to_a_model
from reflection.redaction import redact

DATA: Final = Path(__file__).parent / "data"
_READ: Final = 400
_REDACTED: Final = 800
"""Characters; secrets are hidden before a text is cut, or half of one would stay."""
_OPTIONAL: Final = re.compile(r"\[([^\[\]]*)\]")
_SLOT: Final = re.compile(r"\{(\w+)\}")
_UNSAFE: Final = re.compile(
    r"[{}\[\]|`\\\"«»“”*#~^]|https?://\S+|www\.\S+|(?<=\S)[<>](?!=)|[<>](?![=\s\d])"  # "quality >= 7" stays
)
_SENTENCE: Final = re.compile(r"([.!?…:] +)([.,;])")
_LONG: Final = re.compile(r"\S{41,}")


def data_read(name: str) -> Any:
    """A JSON file of `data/`."""
    return json_file(DATA / name)


def shown(value: object, length: int = 60) -> str:
    """A value for use in a sentence: one line, no marks, at most `length` characters, no secrets or personal data.
    Empty for a structure, and for text that speaks to a model.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return number_shown(value)
    if not isinstance(value, str):
        return ""
    text = redact(visible(value[:_REDACTED]), "…")[:_READ]
    if speaks_to_a_model(text):
        return ""
    text = " ".join(_LONG.sub("…", _UNSAFE.sub(" ", text)).split()).strip(" .,;:-_'")
    if len(text) <= length:
        return text
    return text[: length - 1].rsplit(" ", 1)[0].rstrip(" .,;:-") + "…"


def number_shown(number: float) -> str:
    """Without needless decimals; very large ones short."""
    if isinstance(number, int) and abs(number) >= 10**15:
        return f"{'-' if number < 0 else ''}10^{len(str(abs(number))[:400]) - 1}"
    return f"{round(number, 2):g}" if abs(number) < 1e6 else f"{number:.6g}"


def number_in(value: object) -> float | None:
    """A number as a float; None for anything else, as truth values and numbers that no float holds."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300
    return float(value) if is_number else None  # type: ignore[arg-type]  # checked


def filled(template: str, parts: Mapping[str, str]) -> str:
    """The template with its slots filled; text in square brackets goes where one of its slots is empty."""

    def optional(match: re.Match[str]) -> str:
        wanted = _SLOT.findall(match[1])
        return match[1] if all(parts.get(name) for name in wanted) else ""

    text = _OPTIONAL.sub(optional, template)
    text = _SLOT.sub(lambda match: parts.get(match[1], ""), text)
    return " ".join(_SENTENCE.sub(r"\1", text).replace(" ,", ",").replace(" .", ".").split())


def fits(template: str, parts: Mapping[str, str]) -> bool:
    """Whether every slot outside square brackets is filled."""
    return all(parts.get(name) for name in _SLOT.findall(_OPTIONAL.sub("", template)))


def chosen(options: Sequence[str], parts: Mapping[str, str], seed: str) -> str:
    """One of the templates that fit, always the same for the same seed; empty where none does."""
    fitting = [option for option in options if fits(option, parts)]
    if not fitting:
        return ""
    most = max(len(_SLOT.findall(option)) for option in fitting)
    rich = [option for option in fitting if len(_SLOT.findall(option)) >= most - 1]
    return filled(rich[int(sha256(seed.encode(errors="replace")).hexdigest()[:8], 16) % len(rich)], parts)


def sentence(text: str) -> str:
    """With a capital at its beginning and a full stop at its end."""
    text = text.strip()
    if not text:
        return ""
    return text[:1].upper() + text[1:] + ("" if text[-1] in ".!?…" else ".")


@cache
def cues(name: str) -> re.Pattern[str]:
    """The words of a list in `words.json`, in both languages, over normalised text."""
    words = data_read("words.json")[name]
    return re.compile(r"(?<!\w)(?:" + "|".join(words) + r")(?!\w)")


def cue_in(name: str, text: str) -> str:
    """The first words of the list that the text has; empty where it has none."""
    match = cues(name).search(normalised(text[:_READ]))
    return match[0] if match else ""
