"""How much of what a task asks for is found in a result: word by word, by form and by meaning, and as a whole."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gateway.services import texts_embed_locally
from planning.understanding.known import Known, canonical_of

from .asked import Asked
from .limits import is_written
from .result import Said
from .terms import Term
from .words import alike, folded, word_set, words_of

_CHUNKS: Final = 36
_WORDS: Final = 4
"""Words of a chunk that is compared with one word of the task."""
_SENTENCE: Final = 60
_VALUES: Final = 300
_TEXT: Final = 14
"""Spaces from which a value is a text of its own."""
_WORD: Final = 30
_NOTHING, _SAME = 0.42, 0.80
"""Cosines of two words by the local embedder: unrelated ones, and one word in two languages. Measured on
tests/data/relevance."""
_REACH: Final = 3
_CLAUSE: Final = re.compile(r"[.,;:!?()\n]+(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Match:
    """How a result fits a task, each 0 to 1 but for the cosines `whole` and `values`.

    `main`: that the thing itself is there; `words`: the share of the terms that is found; `whole`: task and result as
    sentences; `values`: the terms and what the result says, without the names of its fields; `names`: the share of the
    task's names that is found, 1 where it has none. `denied` counts terms that the result says are not so, `unwanted`
    negated ones that it says are so.
    """

    main: float
    words: float
    whole: float
    values: float
    names: float = 1.0
    denied: int = 0
    unwanted: int = 0


@dataclass(frozen=True, slots=True)
class _Token:
    word: str
    negated: bool


def match_of(asked: Asked, said: Said, known: Sequence[Known]) -> Match:
    """`known` is what of the result is known."""
    tokens = _tokens(said)
    there = {one.canonical: one.negated for one in sorted(known, key=lambda one: not one.negated)}
    forms = {term: _by_form(term, tokens, there) for term in asked.terms}
    wanted = [term for term in asked.terms if not term.negated]
    joined = _short([term.word for term in wanted]) or "nothing"
    open_terms = [term.word[:_WORD] for term in wanted if forms[term] is None]
    sentences = [_short(asked.topic.split()), _sentence(said), joined, _values(said)]
    first, chunks = len(sentences) + len(open_terms), _chunks(said)
    vectors = texts_embed_locally([*sentences, *open_terms, *chunks])
    cosines = vectors @ vectors.T
    rows = cosines[len(sentences) : first, first:]
    nearest = dict(zip(open_terms, (float(row.max(initial=0.0)) for row in rows), strict=True))
    found = {
        term: _ramp(nearest[term.word[:_WORD]]) if form is None else max(0.0, form)
        for term in wanted
        for form in (forms[term],)
    }
    kinds = {term for term in wanted if forms[term] is None and _is_kind(term, asked, said)}
    others = max((one for term, one in found.items() if term not in kinds), default=1.0)
    found |= {term: max(found[term], others) for term in kinds}  # a letter is one as far as it is about the rest
    return Match(
        main=_main(asked, found, there),
        words=sum(found.values()) / len(found) if found else 0.0,
        whole=float(cosines[0, 1]),
        values=float(cosines[2, 3]),
        names=_named(asked.names, found),
        denied=sum(forms[term] == -1.0 for term in wanted),
        unwanted=sum(term.negated and form == 1.0 for term, form in forms.items()),
    )


def _main(asked: Asked, found: Mapping[Term, float], there: Mapping[str, bool]) -> float:
    if not asked.objects:
        return max(found.values(), default=0.0)
    words = {*asked.thing, *words_of(asked.objects[0])}
    by_word = [one for term, one in found.items() if term.word in words or asked.objects[0] in canonical_of(term.word)]
    return max((*by_word, float(asked.objects[0] in there)))


def _is_kind(term: Term, asked: Asked, said: Said) -> bool:
    """Whether the word says what kind of text is wanted, and the result is one: a letter does not call itself so."""
    if term.word not in word_set("texts.txt", "written") or not is_written(asked):
        return False
    return any(isinstance(piece.value, str) and piece.text.count(" ") >= _TEXT for piece in said.pieces)


def _named(names: Sequence[str], found: Mapping[Term, float]) -> float:
    words = {word for name in names for word in words_of(name)}
    those = [one for term, one in found.items() if term.word in words]
    return sum(those) / len(those) if those else 1.0


def _by_form(term: Term, tokens: Sequence[_Token], there: Mapping[str, bool]) -> float | None:
    """1 where the word or one that means the same is there, -1 where it is only there negated; None where it is not."""
    found = [token.negated for token in tokens if alike(term.word, token.word)]
    found += [there[one] for one in canonical_of(term.word) if one in there]
    if not found:
        return None
    return -1.0 if all(found) else 1.0


def _tokens(said: Said) -> list[_Token]:
    found: dict[_Token, None] = {}
    for piece in said.pieces:
        no = piece.is_none
        own = _with_negation(" ".join(piece.keys))
        found |= dict.fromkeys(_Token(one.word, one.negated is not no) for one in own)
        found |= dict.fromkeys(_Token(word, False) for word in piece.above[: len(piece.above) - len(piece.keys)])
        found |= dict.fromkeys(_with_negation(piece.text))
    seen = {one.word for one in found}
    found |= {_Token(word, False): None for name in said.names for word in name if word not in seen}
    return list(found)


def words_said(said: Said) -> dict[str, bool]:
    """The words of a result, and whether each is only there negated."""
    found: dict[str, bool] = {}
    for token in _tokens(said):
        found[token.word] = found.get(token.word, True) and token.negated
    return found


def _with_negation(text: str) -> list[_Token]:
    """Words with whether they are negated: by a word before them in the same clause, or by "free" behind them."""
    found: list[_Token] = []
    for part in _CLAUSE.split(folded(text)):
        left = 0
        for word in words_of(part):
            if word in word_set("words.txt", "negation"):
                left = _REACH
            elif word == "free" and found and found[-1].word in word_set("words.txt", "free_of"):
                found[-1] = _Token(found[-1].word, not found[-1].negated)
            elif word not in word_set("words.txt", "stop"):
                found.append(_Token(word, left > 0))
                left -= 1
    return found


def _chunks(said: Said) -> list[str]:
    """Names and short values, and the words of longer ones: what one word of a task may be compared with."""
    names: dict[str, None] = {}
    values: dict[str, None] = {}
    for piece in said.pieces:
        names |= dict.fromkeys([" ".join(piece.keys)] if piece.keys else [])
        for part in folded(piece.text).replace(";", ",").replace(". ", ",").split(","):
            words = [word for word in words_of(part) if not word.isdigit()]
            if words and len(words) <= _WORDS:
                values[" ".join(words)] = None
            elif words:
                empty = word_set("words.txt", "stop")
                values |= dict.fromkeys(word for word in words if word not in empty and len(word) > 3)
    for name in said.names:
        names |= dict.fromkeys([" ".join(name)] if name else [])
    half = _CHUNKS // 2
    chosen = [*list(names)[: max(half, _CHUNKS - len(values))], *values][:_CHUNKS]
    return [one for one in dict.fromkeys(_short(one.split()) for one in chosen) if one]


def _sentence(said: Said) -> str:
    words: list[str] = []
    last: tuple[str, ...] = ()
    for piece in said.pieces:
        name = " ".join(piece.keys)
        value = piece.text if not isinstance(piece.value, bool) else ("yes" if piece.value else "no")
        words += (f"{name}: {value}," if name and piece.keys != last else f"{value},").split()[:_SENTENCE]
        last = piece.keys
        if len(words) >= _SENTENCE:
            break
    return _short(words) or "nothing"


def _values(said: Said) -> str:
    texts = ", ".join(piece.text for piece in said.pieces if isinstance(piece.value, str))
    return _short(texts[:_VALUES].split()) or "nothing"


def _short(words: Sequence[str]) -> str:
    """Words to embed: nobody's sentence has longer ones, and they take long."""
    return " ".join(word[:_WORD] for word in words[:_SENTENCE])


def _ramp(cosine: float) -> float:
    return max(0.0, min(1.0, (cosine - _NOTHING) / (_SAME - _NOTHING)))
