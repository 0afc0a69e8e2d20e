"""From a criterion as people write it to what it says. Source: docs/criteria.md."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from .chunks import chunks_of
from .contracts import CriterionParse
from .lexicon import LANGUAGES, Lexicon, lexicon
from .phrases import tagged
from .rules import parse_by_rules
from .tokens import TEXT_AT_MOST, Token, tidy, tokens_of
from .values import values_merged

_BULLET: Final = re.compile(r"^(?:[-*•·–]\s+|\d{1,2}[.)]\s+|\[[ xX]?\]\s*)+")
_END: Final = ".!;, "
_SPANISH: Final = re.compile(r"[ñ¿¡áéíóú]", re.IGNORECASE)


@lru_cache(maxsize=2048)
def criterion_parse(text: str) -> CriterionParse | None:
    """What the criterion says; None where the grammar cannot tell, and then nobody guesses."""
    if not text or len(text) > TEXT_AT_MOST:
        return None
    tidied = _BULLET.sub("", tidy(text)).strip(_END)
    if not tidied or len(tidied) > TEXT_AT_MOST:
        return None
    tokens = tokens_of(tidied)
    for language in languages_of(tokens, tidied):
        if parse := _parse(tokens, lexicon(language)):
            return parse
    return None


def languages_of(tokens: Sequence[Token], text: str) -> tuple[str, ...]:
    """The language that more of the words are of; both, the likelier first, where little tells them apart."""
    words = [token.text for token in tokens if token.kind == "word"]
    english, spanish = (sum(_weight(word, lexicon(language)) for word in words) for language in LANGUAGES)
    spanish += 4 * bool(_SPANISH.search(text))
    first, second = LANGUAGES if english >= spanish else LANGUAGES[::-1]
    return (first, second) if abs(english - spanish) <= 1 else (first,)


def _weight(word: str, words: Lexicon) -> int:
    if word in words.words:
        return 2
    return 1 if words.ends("ending", word) else 0


def _parse(tokens: Sequence[Token], words: Lexicon) -> CriterionParse | None:
    found = _led(tagged(tokens, words))
    if not found or _is_foreign(found, words):
        return None
    return parse_by_rules(chunks_of(values_merged(found, words), words), words)


def _led(tokens: Sequence[Token]) -> Sequence[Token]:
    """Without what only says that a criterion follows: "make sure that"."""
    start = 0
    while start < len(tokens) and "lead" in tokens[start].senses:
        start += 1
    return tokens[start:]


def _is_foreign(tokens: Sequence[Token], words: Lexicon) -> bool:
    """Whether a word unknown here denies in the other language: then something would be lost."""
    other = lexicon(next(language for language in LANGUAGES if language != words.language))
    denies = ("not", "no", "lack", "block", "nor")
    return any(
        not token.senses and token.kind == "word" and any(other.has(kind, token.text) for kind in denies)
        for token in tokens
    )
