"""An accepted answer as somebody types it in a hurry, and its denial."""

import re
from collections.abc import Iterator

from language import LANGUAGES, language_base
from language.fold import fold
from lesson_engine.grading.slips import MIN_LETTERS, is_word

_WORD = re.compile(r"[^\W\d_]+")
_DENIED = {"en": ("It is not", "It is not true that"), "es": ("No es", "No es verdad que")}
"""In front of a reason, a purpose or what something is, and in front of a sentence."""
_REASONS = {
    "en": ("because", "to", "by", "for", "since", "so that", "due"),
    "es": ("porque", "para", "por", "ya que", "debido", "al"),
}
_NOT = {"en": "not", "es": "no"}
_IS = {"en": re.compile(r"(it is|they are)\b", re.IGNORECASE), "es": re.compile(r"(?=(es|son)\b)", re.IGNORECASE)}


def in_capitals(text: str) -> str:
    return text.upper()


def without_stop(text: str) -> str:
    return text.removesuffix(".")


def with_slip(text: str, language: str) -> str:
    """Two letters of its longest word swapped; as it is where no word is long enough or another word would come out."""
    words = sorted(_WORD.finditer(text), key=lambda word: -len(word[0]))
    slips = (_slip_in(word, text, language) for word in words if len(word[0]) > MIN_LETTERS)
    return next((slip for slip in slips if slip), text)


def _slip_in(word: re.Match[str], text: str, language: str) -> str | None:
    for at in _middle_first(len(word[0])):
        first, second = word[0][at], word[0][at + 1]
        typed = f"{word[0][:at]}{second}{first}{word[0][at + 2 :]}"
        if first != second and not is_word(fold(typed), language):
            return f"{text[: word.start()]}{typed}{text[word.end() :]}"
    return None


def _middle_first(letters: int) -> Iterator[int]:
    """Places of a letter that is neither the first nor the last but one."""
    middle = letters // 2 - 1
    yield from sorted(range(1, letters - 2), key=lambda at: abs(at - middle))


def denied(text: str, language: str, *, is_definition: bool) -> str | None:
    """The answer with a denial in front of it; None in a language that is not known."""
    if language[:2] not in LANGUAGES:
        return None
    base = language_base(language)
    before_reason, before_sentence = _DENIED[base]
    begun = _begun_small(text)
    if found := _IS[base].match(begun):
        turned = f"{found[0]} {_NOT[base]} {begun[found.end() :].lstrip()}".strip()
        return f"{turned[0].upper()}{turned[1:]}"
    is_reason = any(re.match(rf"{opening}\b", begun, re.IGNORECASE) for opening in _REASONS[base])
    return f"{before_reason if is_definition or is_reason else before_sentence} {begun}"


def _begun_small(text: str) -> str:
    """With a small first letter, but in an abbreviation or a symbol."""
    return f"{text[0].lower()}{text[1:]}" if text[1:2].islower() or text[1:2] == " " else text
