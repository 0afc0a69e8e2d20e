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
from language.frequency import frequencies
from language.names import name_words
from language.stems import stem
from language.word_lists import entries_of

Floats = npt.NDArray[np.float32]
FEATURES: Final = (
    "same", "covered", "precise", "cosine", "margin", "letters", "abbreviated", "size", "rare", "identifier", "time",
    "number", "text", "boolean", "best", "group", "part_group", "word_cosine", "word_margin",
)  # fmt: skip
_EMPTY_WORDS: Final = frozenset(
    [
        "no",
        "n",
        "num",
        "numero",
        "number",
        "id",
        "ids",
        "code",
        "cod",
        "codigo",
        "ref",
        "of",
        "the",
        "de",
        "del",
        "la",
        "el",
        "los",
        "las",
        "en",
        "in",
        "a",
        "al",
        "para",
        "por",
        "per",
        "and",
        "y",
        "eur",
        "euro",
        "euros",
        "usd",
        "kg",
        "g",
        "mg",
        "lb",
        "lbs",
        "km",
        "m",
        "cm",
        "mm",
        "ha",
        "l",
        "ml",
        "kwh",
        "mw",
        "h",
        "hrs",
        "min",
        "mins",
        "seg",
        "s",
        "c",
        "f",
        "pct",
        "percent",
        "x",
    ]
)
"""Words of names that say next to nothing of what a column is: numbering, joints, units."""
_COMMON: Final = 5.6
"""The Zipf frequency from which a word says nothing by itself."""
_PART: Final = 0.3
_SAME: Final = 0.85
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
    """Whether the column seems to number or name its rows: by its name, or because hardly a value comes twice."""
    return not _ID_WORDS.isdisjoint(name_read(column.name).words)


def column_features(question: Question, schema: TableSchema) -> Floats:
    """An array of spans by columns by `FEATURES`."""
    spans, columns = question.spans, schema.columns
    features = np.zeros((len(spans), len(columns), len(FEATURES)), dtype=np.float32)
    if not spans:
        return features
    cosines = np.stack([_cosines(question.vectors, column) for column in columns], axis=1)
    features[:, :, 3] = cosines
    features[:, :, 4] = _margins(cosines)
    features[:, :, 14] = cosines - cosines.max(axis=0, keepdims=True)
    by_word = np.stack([_word_cosines(question.vectors, column) for column in columns], axis=1)
    features[:, :, 17] = by_word
    features[:, :, 18] = _margins(by_word)
    shared = _stems_shared(columns)
    for place, span in enumerate(spans):
        for at, column in enumerate(columns):
            features[place, at, :3], features[place, at, 5:7] = _words_compared(span, column)
            features[place, at, 8] = _rareness(span, column, shared)
            features[place, at, 15:17] = _grouped(span, column)
    features[:, :, 7] = np.array([span.size for span in spans], dtype=np.float32)[:, None]
    features[:, :, 9:14] = np.array([_kinds(column) for column in columns], dtype=np.float32)
    return features


def may_name(question: Question, features: Floats, cues_listed: Floats) -> Floats:
    """How far spans can mean columns at all, whose vectors are near to anything: 0 for common words alone and for cues
    that share no word and no meaning with a name, a third for cues that are only a part of one ("total" of "Total
    amount"), else 1.
    """
    is_cue = np.zeros(len(question.spans), dtype=bool)
    if len(cues_listed):
        is_cue[:] = cues_listed.any(axis=1)
    is_empty = is_cue | np.array([_is_common(span) for span in question.spans], dtype=bool)
    covered, group, part = (features[:, :, FEATURES.index(name)] for name in ("covered", "group", "part_group"))
    shares = (covered + group + part) > 0
    is_part = is_cue[:, None] & (covered < 1) & (group == 0)
    return np.where(is_empty[:, None] & ~shares, 0.0, np.where(is_part, _PART, 1.0)).astype(np.float32)


def _is_common(span: Span) -> bool:
    """Whether all words of a span are common ones of either language: names of other languages stand in questions."""
    english, spanish = frequencies("en"), frequencies("es")
    return all(max(english.get(word, 0.0), spanish.get(word, 0.0)) >= _COMMON for word in span.words)


def exactness(features: Floats) -> Floats:
    """What it is worth that a span has just the words of a name: the marked questions seldom name a column that numbers
    its rows ("How many sensors", `sensor_id`), so that the model knows little of it.
    """
    return np.where(features[:, :, FEATURES.index("same")] == 1, _SAME, 0.0).astype(np.float32)


def is_near(features: Floats) -> npt.NDArray[np.bool_]:
    """Whether a span is near enough to a column at all: most pairs are not, and need no model to say so."""
    least = {"cosine": 0.3, "word_cosine": 0.4, "letters": 0.2, "covered": 0.01, "part_group": 0.5, "abbreviated": 0.5}
    near: npt.NDArray[np.bool_] = np.any(
        [features[:, :, FEATURES.index(name)] >= value for name, value in least.items()], axis=0
    )
    return near


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


def _words_compared(span: Span, column: Column) -> tuple[tuple[float, float, float], tuple[float, float]]:
    """(same, covered, precise), (letters, abbreviated), of the name that fits best."""
    best = (0.0, 0.0, 0.0), (0.0, 0.0)
    threes = threes_of(" ".join(span.words))
    for label in names_of(column):
        name = name_read(label)
        common = len(span.stems & name.stems)
        words = (float(span.stems == name.stems), common / len(name.stems), common / max(1, len(span.stems)))
        alike = len(threes & name.threes)
        letters = (alike / (len(threes) + len(name.threes) - alike), float(_is_abbreviated(span, name)))
        best = max(best, (words, letters))
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


def _kinds(column: Column) -> tuple[bool, ...]:
    is_plain = not (column.is_number or column.is_time or column.type == "boolean")
    return is_identifier(column), column.is_time, column.is_number, is_plain, column.type == "boolean"
