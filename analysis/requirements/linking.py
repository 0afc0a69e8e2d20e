"""How well each span of a question fits each column and each value of a table: features for the rankers."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from analysis.contracts.tables import Column, TableSchema
from analysis.requirements.groups import CONCEPTS, groups_of, groups_within
from analysis.requirements.spans import Question, Span, Vectors
from gateway.services import texts_embed_locally
from language.fold import fold
from language.names import name_words
from language.stems import stem
from language.word_lists import entries_of

Floats = npt.NDArray[np.float32]
FEATURES: Final = (
    "same", "covered", "precise", "cosine", "margin", "letters", "abbreviated", "rare", "best", "group", "part_group",
    "word_cosine", "word_margin",
)  # fmt: skip
_EMPTY_WORDS: Final = frozenset((
    "no", "n", "num", "numero", "number", "id", "ids", "code", "cod", "codigo", "ref", "of", "the", "de", "del", "la",
    "el", "los", "las", "en", "in", "a", "al", "para", "por", "per", "and", "y", "eur", "euro", "euros", "usd", "kg",
    "g", "mg", "lb", "lbs", "km", "m", "cm", "mm", "ha", "l", "ml", "kwh", "mw", "h", "hrs", "min", "mins", "seg",
    "s", "c", "f", "pct", "percent", "x",
))  # fmt: skip
"""Words of names that say next to nothing of what a column is: numbering, joints, units."""
_ID_WORDS: Final = frozenset({"id", "code", "codigo", "ref", "no", "num", "numero", "number", "uuid", "key", "clave"})


@dataclass(frozen=True)
class Name:
    """A name of a column, read: all its words, the stems of those that say something, its letters in threes, and how it
    is embedded.
    """

    words: tuple[str, ...]
    core: tuple[str, ...]
    stems: frozenset[str]
    threes: frozenset[str]
    text: str


@cache
def _abbreviations() -> dict[str, str]:
    return {short: fold(long) for short, long in entries_of(Path(__file__).parent / "data" / "abbreviations.txt")}


@lru_cache(8_192)
def name_read(name: str) -> Name:
    words = name_words(name) or (name.lower(),)
    core = tuple(_abbreviations().get(word, word) for word in words if word not in _EMPTY_WORDS) or words
    return Name(words, core, frozenset(map(stem, core)), threes_of(" ".join(core)), " ".join(core))


@lru_cache(32_768)
def threes_of(text: str) -> frozenset[str]:
    """The runs of three letters of a text, with its ends."""
    padded = f" {text} "
    return frozenset(padded[at : at + 3] for at in range(len(padded) - 2))


def names_of(column: Column) -> tuple[str, ...]:
    return (column.name, *column.synonyms)


def is_identifier(column: Column) -> bool:
    """Whether the column seems to number its rows, by its name."""
    return not _ID_WORDS.isdisjoint(name_read(column.name).words)


def column_features(question: Question, schema: TableSchema) -> Floats:
    """An array of spans by columns by `FEATURES`."""
    spans, columns = question.spans, schema.columns
    features = np.zeros((len(spans), len(columns), len(FEATURES)), dtype=np.float32)
    if not spans:
        return features
    cosines = np.stack([_cosines(question.vectors, column) for column in columns], axis=1)
    by_word = np.stack([_word_cosines(question.vectors, column) for column in columns], axis=1)
    by_name = {"cosine": cosines, "margin": _margins(cosines), "best": cosines - cosines.max(axis=0, keepdims=True)}
    by_name |= {"word_cosine": by_word, "word_margin": _margins(by_word)}
    for name, values in by_name.items():
        features[:, :, FEATURES.index(name)] = values
    shared = _stems_shared(columns)
    places = [
        FEATURES.index(name)
        for name in ("same", "covered", "precise", "letters", "abbreviated", "rare", "group", "part_group")
    ]
    for place, span in enumerate(spans):
        for at, column in enumerate(columns):
            features[place, at, places] = (
                *_words_compared(span, column),
                _rareness(span, column, shared),
                *_grouped(span, column),
            )
    return features


def _cosines(vectors: Vectors, column: Column) -> Floats:
    names = [name_read(name).text for name in names_of(column)]
    cosines: Floats = (vectors @ texts_embed_locally(names, keep=names).T).max(axis=1)
    return cosines


def _word_cosines(vectors: Vectors, column: Column) -> Floats:
    """The cosine of each span to the nearest single word of the names."""
    words = [word for name in names_of(column) for word in name_read(name).core]
    cosines: Floats = (vectors @ texts_embed_locally(words, keep=words).T).max(axis=1)
    return cosines


def _margins(cosines: Floats) -> Floats:
    """How far each is above the best other column for the same span; 0.5 where there is no other."""
    if cosines.shape[1] == 1:
        return np.full_like(cosines, 0.5)
    top = np.sort(cosines, axis=1)
    best, second = top[:, -1:], top[:, -2:-1]
    return np.where(cosines == best, cosines - second, cosines - best)


def _words_compared(span: Span, column: Column) -> tuple[float, float, float, float, float]:
    """same, covered, precise, letters and abbreviated, of the name that fits best."""
    best = (0.0, 0.0, 0.0, 0.0, 0.0)
    threes = threes_of(" ".join(span.words))
    for label in names_of(column):
        name = name_read(label)
        common = len(span.stems & name.stems)
        alike = len(threes & name.threes)
        letters = alike / (len(threes) + len(name.threes) - alike)
        same, is_cut = span.stems == name.stems, _is_abbreviated(span, name)
        shares = (common / len(name.stems), common / max(1, len(span.stems)))
        best = max(best, (float(same), *shares, letters, float(is_cut)))
    return best


def _grouped(span: Span, column: Column) -> tuple[float, float]:
    """Whether the span means the same as the whole name, and as a part of it."""
    own = groups_of(span.words, CONCEPTS)
    if not own:
        return 0.0, 0.0
    words = [name_read(name).core for name in names_of(column)]
    return (
        float(any(not own.isdisjoint(groups_of(name, CONCEPTS)) for name in words)),
        float(any(not own.isdisjoint(groups_within(name, CONCEPTS)) for name in words)),
    )


def _is_abbreviated(span: Span, name: Name) -> bool:
    """Whether the words of the name are cut from those of the span, as "qty" is from "quantity"."""
    if len(span.words) != len(name.core):
        return False
    pairs = list(zip(name.core, span.words, strict=True))
    return any(short != long for short, long in pairs) and all(_is_cut_from(short, long) for short, long in pairs)


def _is_cut_from(short: str, long: str) -> bool:
    if not (1 < len(short) <= len(long)) or short[0] != long[0]:
        return False
    letters = iter(long)
    return all(letter in letters for letter in short)


def _stems_shared(columns: Sequence[Column]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for column in columns:
        for word in name_read(column.name).stems:
            counts[word] = counts.get(word, 0) + 1
    return counts


def _rareness(span: Span, column: Column, shared: dict[str, int]) -> float:
    """How few columns share the words that span and name have in common: 1 for a word of this column alone."""
    common = span.stems & name_read(column.name).stems
    return max((1 / shared[word] for word in common), default=0.0)
