"""What the network reads: the answer, the question, and what is known of right and wrong answers, word by word.

Each text is a segment: a head, which stands for the whole of it, and its words. Words have vectors that depend on the
words around them (`language.encoder`), heads the mean of theirs; every word has marks (how common it is, whether it
denies, in which other segments it stands too), and every two places a relation (how far apart in one text; the same
word in two texts) and a cosine.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from language.encoder import word_encoder
from lesson_engine.contracts import Ask, DefinitionAnswer, LabelledAnswer, OpenAnswer, VerdictResult

from ..andamio_3.stems import stem
from ..lexicon import lexicon
from ..vocabulary import authored_texts
from .spelling import BREAK, Known, bare, frequency, known_words, spelt_words

Floats = NDArray[np.float32]


class Kind(IntEnum):
    """What a segment is. IDEAS: ways to say one idea that must be there. The numbers are the network's."""

    ANSWER = 0
    QUESTION = 1
    RIGHT = 2
    WRONG = 3
    IDEAS = 4
    PARTLY = 5


MOST_WORDS: Final[Mapping[Kind, int]] = {
    Kind.ANSWER: 40, Kind.QUESTION: 40, Kind.RIGHT: 28, Kind.WRONG: 22, Kind.IDEAS: 14, Kind.PARTLY: 22,
}  # fmt: skip
MOST_SEGMENTS: Final[Mapping[Kind, int]] = {Kind.RIGHT: 5, Kind.WRONG: 5, Kind.PARTLY: 3, Kind.IDEAS: 4}
"""The nearest ones to the answer; of ideas the first."""
MOST_PLACES: Final = 160
MARKED: Final = (Kind.ANSWER, Kind.QUESTION, Kind.RIGHT, Kind.WRONG, Kind.IDEAS)
"""A word is marked where it also stands in a segment of these."""
FAR: Final = 4
"""Words apart, either way, from which two of one text are far."""
HEAD, TO_HEAD, SAME_WORD, HEADS, REPEATED, RELATIONS = 10, 11, 12, 13, 14, 15
"""Relations after those of distance (1 to 9; 0 is none), and how many there are."""
_MOST_FREQUENT: Final = 7.5


@dataclass(frozen=True, slots=True)
class Words:
    """A text as it is read. `stems` are empty where a clause ends; `marks` is (words, 4)."""

    words: tuple[str, ...]
    stems: tuple[str, ...]
    marks: Floats


@dataclass(frozen=True, slots=True)
class Segment:
    """`code` is that of the misconception that a WRONG text is an example of, `at` the place of an accepted answer."""

    kind: Kind
    words: Words
    code: str | None = None
    at: int | None = None

    @property
    def vectors(self) -> "_Vectors":
        """Of the head and of each word. Those of the author's texts are kept, examples are soon forgotten."""
        if self.kind is Kind.ANSWER:
            return _vectors(self.words.words)
        is_authored = self.kind in (Kind.QUESTION, Kind.IDEAS) or self.at is not None or self.code is not None
        return (_kept_vectors if is_authored else _vectors_of_late)(self.words.words)


@dataclass(frozen=True)
class Inputs:
    """n places, the answer's head the first. `heads` are where segments begin, in the order of `segments`."""

    segments: tuple[Segment, ...]
    heads: tuple[int, ...]
    vectors: Floats
    """(n, 768)"""
    kinds: NDArray[np.int64]
    is_head: NDArray[np.bool_]
    places: NDArray[np.int64]
    """Of a word in its text, from 1; 0 is the head."""
    marks: Floats
    """(n, 4 + len(MARKED))"""
    relations: NDArray[np.int64]
    cosines: Floats


def inputs_of(
    ask: Ask,
    reply: str,
    *,
    language: str,
    vocabulary: frozenset[str] = frozenset(),
    examples: Sequence[LabelledAnswer] = (),
) -> Inputs:
    """The inputs for a reply to an open question or definition. `examples` are what staff said of other answers."""
    authored = authored_segments(ask, language, vocabulary)
    labelled = [labelled_segment(ask, example, language, vocabulary) for example in examples]
    return assemble(reply_segment(ask, reply, language, vocabulary), [*authored, *labelled])


def reply_segment(ask: Ask, reply: str, language: str, vocabulary: frozenset[str] = frozenset()) -> Segment:
    """A reply as it is read beside its ASK."""
    return Segment(Kind.ANSWER, read_words(reply, Kind.ANSWER, language, known_of(ask, vocabulary)))


def labelled_segment(
    ask: Ask, example: LabelledAnswer, language: str, vocabulary: frozenset[str] = frozenset()
) -> Segment:
    """Another answer to the ASK, of which staff said what it is worth."""
    kind = {VerdictResult.ACCEPT: Kind.RIGHT, VerdictResult.PARTIAL: Kind.PARTLY}.get(example.result, Kind.WRONG)
    return Segment(kind, read_words(example.text, kind, language, known_of(ask, vocabulary)))


def nearest_to(
    wanted: Sequence[str], texts: Sequence[str], ask: Ask, *, language: str, vocabulary: frozenset[str] = frozenset()
) -> str:
    """Which of some texts of an answer to the ASK is the most like one of the `wanted`, as a whole."""
    known = known_of(ask, vocabulary)

    def heads(some: Sequence[str]) -> Floats:
        read = (read_words(text, Kind.ANSWER, language, known) for text in some)
        return np.array([_vectors(words.words).likeness[0] for words in read], dtype=np.float32)

    return texts[int((heads(texts) @ heads(wanted).T).max(axis=1).argmax())]


@lru_cache(maxsize=512)
def known_of(ask: Ask, vocabulary: frozenset[str]) -> Known:
    """The words that are no slips of others beside this ASK."""
    return known_words(sorted(authored_texts(ask)), vocabulary)


@lru_cache(maxsize=512)
def authored_segments(ask: Ask, language: str, vocabulary: frozenset[str]) -> tuple[Segment, ...]:
    """The question, accepted answers, examples of misconceptions and ideas, as their author wrote them."""
    known = known_of(ask, vocabulary)

    def segment(kind: Kind, text: str, code: str | None = None, at: int | None = None) -> Segment:
        return Segment(kind, read_words(text, kind, language, known), code, at)

    answer = ask.answer
    segments = [segment(Kind.QUESTION, ask.question)] if ask.question.strip() else []
    if isinstance(answer, OpenAnswer | DefinitionAnswer):
        segments += [segment(Kind.RIGHT, text, at=at) for at, text in enumerate(answer.accepted)]
    segments += [segment(Kind.WRONG, text, wrong.code) for wrong in ask.misconceptions for text in wrong.examples]
    groups = getattr(answer, "keyword_groups", ())
    return (*segments, *(segment(Kind.IDEAS, f" {BREAK} ".join(group)) for group in groups))


def read_words(text: str, kind: Kind, language: str, known: Known) -> Words:
    """The words of a text with their stems and marks; at least one word."""
    words = spelt_words(text, language, known)[: MOST_WORDS[kind]] or (BREAK,)
    listed = lexicon(language)
    stems, marks = [], np.zeros((len(words), 4), dtype=np.float32)
    for at, word in enumerate(words):
        folded = bare(word)
        stems.append("" if word == BREAK else stem(folded, language) if folded.isalpha() else folded)
        marks[at] = (
            min(_MOST_FREQUENT, frequency(word, language)) / _MOST_FREQUENT,
            folded in listed.stopwords or word == BREAK,
            folded in listed.negations,
            word[0].isdigit(),
        )
    return Words(words, tuple(stems), marks)


def assemble(answer: Segment, others: Sequence[Segment]) -> Inputs:
    """The inputs of an answer beside the segments of its question."""
    own = answer.vectors
    heads = np.array([own.likeness[0], *(segment.vectors.likeness[0] for segment in others)], dtype=np.float32)
    nearest = _nearest(others, heads[1:] @ heads[0])
    return _laid_out([answer, *nearest], [own, *(segment.vectors for segment in nearest)])


@dataclass(frozen=True, slots=True)
class _Vectors:
    """Of a text's head and words, in half precision, which is enough: as the network reads them (places, 768), and of
    length 1, to be compared (places, 384).
    """

    whole: NDArray[np.float16]
    likeness: NDArray[np.float16]


def _vectors(words: tuple[str, ...]) -> _Vectors:
    encoded = word_encoder()(words)
    # A mean is nearer to nothing than a word is.
    whole = np.concatenate([2 * encoded.mean(axis=0, keepdims=True), encoded])
    later = whole[:, whole.shape[1] // 2 :]
    likeness = later / (np.linalg.norm(later, axis=1, keepdims=True) + 1e-6)
    return _Vectors(whole.astype(np.float16), likeness.astype(np.float16))


_kept_vectors = lru_cache(maxsize=4096)(_vectors)
_vectors_of_late = lru_cache(maxsize=256)(_vectors)


def _nearest(others: Sequence[Segment], cosines: Floats) -> list[Segment]:
    """The segments that are looked at, kind by kind, the nearest first."""
    chosen: list[Segment] = []
    for kind in (Kind.QUESTION, Kind.RIGHT, Kind.WRONG, Kind.PARTLY, Kind.IDEAS):
        own = [at for at, segment in enumerate(others) if segment.kind is kind]
        if kind in (Kind.RIGHT, Kind.WRONG, Kind.PARTLY):
            own.sort(key=lambda at: -cosines[at])
        chosen += [others[at] for at in own[: MOST_SEGMENTS.get(kind, 1)]]
    return chosen


def _laid_out(segments: Sequence[Segment], vectors: Sequence[_Vectors]) -> Inputs:
    kept: list[Segment] = []
    read: list[_Vectors] = []
    heads: list[int] = []
    count = 0
    for segment, own in zip(segments, vectors, strict=True):
        size = len(segment.words.words) + 1
        if count + size <= MOST_PLACES:
            kept.append(segment)
            read.append(own)
            heads.append(count)
            count += size
    sizes = [len(segment.words.words) + 1 for segment in kept]
    number = np.repeat(np.arange(len(kept)), sizes)
    kinds = np.repeat(np.array([segment.kind for segment in kept], dtype=np.int64), sizes)
    places = np.concatenate([np.arange(size) for size in sizes])
    is_head = places == 0
    stems = _numbered([stem for segment in kept for stem in ("", *segment.words.stems)])
    in_one = number[:, None] == number[None]
    same_word = (stems[:, None] == stems[None]) & (stems > 0)[None]
    marks = np.zeros((count, 4 + len(MARKED)), dtype=np.float32)
    marks[~is_head, :4] = np.concatenate([segment.words.marks for segment in kept])
    elsewhere = same_word & ~in_one
    for at, kind in enumerate(MARKED, 4):
        marks[:, at] = elsewhere[:, kinds == kind].any(axis=1)
    likeness = np.concatenate([own.likeness for own in read]).astype(np.float32)
    # A head is compared with heads alone; within one text the order says more than likeness.
    cosines = np.where(in_one | (is_head[:, None] != is_head[None]), 0, likeness @ likeness.T)
    return Inputs(
        segments=tuple(kept),
        heads=tuple(heads),
        vectors=np.concatenate([own.whole for own in read]).astype(np.float32),
        kinds=kinds,
        is_head=is_head,
        places=places,
        marks=marks,
        relations=_relations(places, in_one, same_word, is_head),
        cosines=cosines.astype(np.float32),
    )


def _relations(
    places: NDArray[np.int64], in_one: NDArray[np.bool_], same_word: NDArray[np.bool_], is_head: NDArray[np.bool_]
) -> NDArray[np.int64]:
    distance = np.clip(places[None] - places[:, None], -FAR, FAR)
    relations = np.where(in_one, distance + FAR + 1, 0)
    relations = np.where(in_one & is_head[None], HEAD, relations)
    relations = np.where(in_one & is_head[:, None], TO_HEAD, relations)
    relations = np.where(~in_one & same_word, SAME_WORD, relations)
    relations = np.where(~in_one & is_head[:, None] & is_head[None], HEADS, relations)
    return np.where(in_one & same_word & (distance != 0), REPEATED, relations)


def _numbered(stems: Sequence[str]) -> NDArray[np.int64]:
    """A number from 1 for each stem; 0 for none."""
    numbers = {stem: at for at, stem in enumerate(dict.fromkeys(stem for stem in stems if stem), 1)}
    return np.array([numbers.get(stem, 0) for stem in stems], dtype=np.int64)
