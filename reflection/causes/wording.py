"""Values and data files in words: short, clean, never what somebody put there to be obeyed."""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from planning.learning import folded, speaks_to_a_model
from reflection.discretion import hidden

_DATA: Final = Path(__file__).parent / "data"
_SEEN: Final = 400
_HIDDEN_IN: Final = 800
"""What is hidden is hidden before a text is cut, or half of it would stand."""
_OPTIONAL: Final = re.compile(r"\[([^\[\]]*)\]")
_SLOT: Final = re.compile(r"\{(\w+)\}")
_UNSAFE: Final = re.compile(
    r"[{}\[\]|`\\\"«»“”*#~^]|https?://\S+|www\.\S+|(?<=\S)[<>](?!=)|[<>](?![=\s\d])"  # "quality >= 7" stays
)
_SENTENCE: Final = re.compile(r"([.!?…:] +)([.,;])")
_LONG: Final = re.compile(r"\S{41,}")


@cache
def data_read(name: str) -> Any:
    """A data file beside this module."""
    return json.loads((_DATA / name).read_text(encoding="utf-8"))


def shown(value: object, length: int = 60) -> str:
    """A value as it can stand in a sentence: one line, no marks, at most `length` characters. Empty for what says
    nothing, for a structure, and for text that speaks to a model; without secrets and personal data.
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return number_shown(value)
    if not isinstance(value, str):
        return ""
    text = hidden(" ".join("".join(_plain(one) for one in value[:_HIDDEN_IN]).split()), "…")[:_SEEN]
    if speaks_to_a_model(text):
        return ""
    text = " ".join(_LONG.sub("…", _UNSAFE.sub(" ", text)).split()).strip(" .,;:-_'")
    if len(text) <= length:
        return text
    return text[: length - 1].rsplit(" ", 1)[0].rstrip(" .,;:-") + "…"


def _plain(character: str) -> str:
    category = unicodedata.category(character)
    return " " if category[0] in "ZC" else character


def number_shown(number: float) -> str:
    """Without needless decimals; very large ones short."""
    if isinstance(number, int) and abs(number) >= 10**15:
        return f"{'-' if number < 0 else ''}10^{len(str(abs(number))[:400]) - 1}"
    return f"{round(number, 2):g}" if abs(number) < 1e6 else f"{number:.6g}"


def filled(template: str, parts: Mapping[str, str]) -> str:
    """The template with its slots filled; what stands in square brackets goes where one of its slots is empty."""

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
    fitting = [one for one in options if fits(one, parts)]
    if not fitting:
        return ""
    most = max(len(_SLOT.findall(one)) for one in fitting)
    rich = [one for one in fitting if len(_SLOT.findall(one)) >= most - 1]
    return filled(rich[int(sha256(seed.encode(errors="replace")).hexdigest()[:8], 16) % len(rich)], parts)


def sentence(text: str) -> str:
    """With a capital at its beginning and a full stop at its end."""
    text = text.strip()
    if not text:
        return ""
    return text[:1].upper() + text[1:] + ("" if text[-1] in ".!?…" else ".")


@cache
def cues(name: str) -> re.Pattern[str]:
    """The words of a list in `words.json`, in both languages, over folded text."""
    words = data_read("words.json")[name]
    return re.compile(r"(?<!\w)(?:" + "|".join(words) + r")(?!\w)")


def cue_in(name: str, text: str) -> str:
    """The first words of the list that the text has; empty where it has none."""
    match = cues(name).search(folded(text[:_SEEN]))
    return match[0] if match else ""


@cache
def data_lines(name: str) -> list[dict[str, Any]]:
    """The rows of a JSON lines file beside this module. Raises `ValueError` naming the line that cannot be read."""
    rows = []
    for number, line in enumerate((_DATA / name).read_text(encoding="utf-8").splitlines(), 1):
        try:
            rows.append(json.loads(line))
        except ValueError as error:
            raise ValueError(f"{name}, line {number}: cannot be read ({error}): {line[:80]}") from error
    return rows
