"""From tokens with codes to chunks: noun phrases, values, and what relates them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .codes import ARTICLE, FILLER, NOUNISH, VALUE, WORD
from .lexicon import Lexicon
from .tagging import codes_of
from .tokens import Token

_BUDGET: Final = frozenset({"budget", "presupuesto"})
_NO_NOUN: Final = frozenset({ARTICLE, FILLER})


@dataclass(frozen=True, slots=True)
class Chunk:
    """Neighbouring tokens that do one thing. `code`: "n" a noun phrase, "p" a lone preposition, else theirs."""

    code: str
    tokens: tuple[Token, ...]

    @property
    def token(self) -> Token:
        """Its first token."""
        return self.tokens[0]


def chunks_of(tokens: Sequence[Token], words: Lexicon) -> list[Chunk]:
    """The chunks of a sentence."""
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
    if before and before[-1].code in "cl" and follows == VALUE:
        run = [(code, token) for code, token in run if token.text not in _BUDGET]
    names = [token for code, token in run if code == WORD]
    fillers = [token for code, token in run if code == FILLER]
    if names or (fillers and follows != VALUE):
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
