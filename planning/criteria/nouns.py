"""Noun phrases: from tokens with codes to chunks, and what a phrase looks at and belongs to."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from planning.criteria.lexicon import Lexicon
from planning.criteria.sentence import NOUNISH, Code
from planning.criteria.tagging import codes_of
from planning.criteria.tokens import Token

_SMALL: Final = frozenset({"preposition", "from", "to", "reference", "by", "at", "of", "per"})
_OF: Final = {"en": ("of",), "es": ("de", "del", "de la", "de las", "de los", "de el", "de su", "de sus")}
_SIGNS: Final = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class Noun:
    """A phrase as words, without its articles. `subject` is empty where none was named."""

    words: tuple[Token, ...]
    subject: tuple[Token, ...] = ()
    every: bool = False
    count: bool = False

    @property
    def field(self) -> str:
        return snake(self.words)

    @property
    def text(self) -> str:
        return shown(self.words)


def snake(tokens: Sequence[Token]) -> str:
    """Words as a name: "free_cancellation"."""
    return "_".join(filter(None, (_SIGNS.sub("_", token.raw.lower()).strip("_") for token in tokens)))


def shown(tokens: Sequence[Token]) -> str:
    """Words in small letters, as written."""
    return " ".join(token.raw.lower() for token in tokens)


def as_written(tokens: Sequence[Token]) -> str:
    return " ".join(token.raw for token in tokens)


def is_small(token: Token) -> bool:
    """Whether a token is a preposition or the like in a noun phrase."""
    return token.kind != "quoted" and not _SMALL.isdisjoint(token.senses) and "amenity" not in token.senses


def bare(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """A phrase without articles, and without prepositions at either end."""
    kept = [token for token in tokens if "article" not in token.senses or is_small(token) or token.kind == "quoted"]
    while kept and is_small(kept[0]):
        kept.pop(0)
    while kept and (is_small(kept[-1]) or "count" in kept[-1].senses):
        kept.pop()
    return tuple(kept)


def noun_of(tokens: Sequence[Token], words: Lexicon, *, property_of: bool = True) -> Noun | None:
    """A phrase taken apart; None where it has no word. `property_of`: a subject is looked for ("hotel quality")."""
    every = any("every" in token.senses for token in tokens)
    kept = bare([token for token in tokens if "every" not in token.senses])
    if kept and "count" in kept[0].senses and len(kept) > 1:
        counted = noun_of(kept[1:], words, property_of=property_of)
        return replace(counted, count=True, every=every) if counted else None
    if kept and "share" in kept[0].senses and len(kept) > 1:
        kept = bare(kept[1:])
    if not kept:
        return None
    if not property_of:
        return Noun(kept, every=every)
    field, subject = _apart(kept, words)
    field, subject = _without_fillers(field), _without_fillers(subject)
    return Noun(field, subject, every=every) if field else None


def _without_fillers(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    kept = tuple(token for token in tokens if "filler" not in token.senses)
    return bare(kept) or tokens


def _apart(tokens: tuple[Token, ...], words: Lexicon) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    """Field and subject of "quality of the hotel", "hotel's quality", "hotel quality", "calidad del hotel"."""
    for at, token in enumerate(tokens[1:-1], 1):
        if token.text == "'s":
            return tokens[at + 1 :], tokens[:at]
        if token.text in _OF[words.language] and _belongs(tokens, at, words):
            return tokens[:at], bare(tokens[at + 1 :])
    things = 0
    while things < len(tokens) - 1 and is_thing(tokens[things]):
        things += 1
    rest = tokens[things:]
    if words.language == "es" and not ({"attribute", "name"} & rest[0].senses.keys()):
        return tokens, ()  # an adjective: "platos vegetarianos"
    if things and not is_small(rest[0]):
        return rest, tokens[:things]
    return tokens, ()


def _belongs(tokens: tuple[Token, ...], at: int, words: Lexicon) -> bool:
    """Whether "de" names an owner ("calidad del hotel") and is no part of a name ("hora de salida")."""
    follows = tokens[at + 1]
    return words.language == "en" or tokens[at].text != "de" or is_thing(follows) or follows.raw[:1].isupper()


def is_thing(token: Token) -> bool:
    """Whether a word names a thing or a person that has properties."""
    return bool({"thing", "user"} & token.senses.keys()) and token.kind == "word"


def is_bare_thing(noun: Noun) -> bool:
    """Whether a phrase only names a thing ("the selected hotel"), and no property of it."""
    last = noun.words[-1]
    if noun.subject or not is_thing(last) or "attribute" in last.senses:
        return False
    return all(is_thing(token) or "filler" in token.senses for token in noun.words)


_BUDGET: Final = frozenset({"budget", "presupuesto"})
_NO_NOUN: Final = frozenset({Code.ARTICLE, Code.FILLER})


@dataclass(frozen=True, slots=True)
class Chunk:
    """Neighbouring tokens that do one thing. `code`: "n" a noun phrase, "p" a lone preposition, else theirs."""

    code: str
    tokens: tuple[Token, ...]

    @property
    def token(self) -> Token:
        return self.tokens[0]


def chunks_of(tokens: Sequence[Token], words: Lexicon) -> list[Chunk]:
    codes = codes_of(tokens, words)
    return list(_without_brackets(_joined(tokens, codes)))


def _joined(tokens: Sequence[Token], codes: str) -> list[Chunk]:
    chunks: list[Chunk] = []
    run: list[tuple[str, Token]] = []
    for code, token in zip(codes, tokens, strict=True):
        if code in NOUNISH:
            run.append((code, token))
            continue
        chunks.extend(_noun(run, code, chunks))
        run = []
        chunks.append(Chunk(code, (token,)))
    chunks.extend(_noun(run, "", chunks))
    return chunks


def _noun(run: Sequence[tuple[str, Token]], follows: str, before: Sequence[Chunk]) -> list[Chunk]:
    """A run as a noun phrase; as a lone preposition, or nothing where it only has small words."""
    if before and before[-1].code in "cl" and follows == Code.VALUE:
        run = [(code, token) for code, token in run if token.text not in _BUDGET]
    names = [token for code, token in run if code == Code.WORD]
    fillers = [token for code, token in run if code == Code.FILLER]
    if names or (fillers and follows != Code.VALUE):
        return [Chunk("n", tuple(token for _, token in run))]
    prepositions = tuple(token for code, token in run if code not in _NO_NOUN)
    return [Chunk("p", prepositions)] if prepositions else []


def _without_brackets(chunks: Sequence[Chunk]) -> Sequence[Chunk]:
    """Brackets around a value alone are as good as none: "within budget ($200)"."""
    kept: list[Chunk] = []
    at = 0
    while at < len(chunks):
        codes = "".join(chunk.code for chunk in chunks[at : at + 3])
        if codes == "(v)":
            kept.append(chunks[at + 1])
            at += 3
        else:
            kept.append(chunks[at])
            at += 1
    return kept
