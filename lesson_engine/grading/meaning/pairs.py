"""A reply compared with references: the numbers that the model judges by. docs/grading.md documents each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..polarity import conflict
from .frequency import weight
from .overlap import (
    common_run,
    cosine,
    coverage,
    letter_runs,
    meaning_likeness,
    near_pairs,
    overlaps,
    spelling_likeness,
    word_weights,
)
from .texts import MOST_WORDS, Text, authored_text_of, text_of

Vectors = NDArray[np.float32]
EMBED_CHARS: Final = 600
"""What is embedded of a text: more than any answer needs, so that a long paste costs no more than an answer."""
MOST_REFERENCES: Final = 8
"""The nearest ones, which are compared word by word."""
_NEVER: Final = -1.0


@dataclass(frozen=True, slots=True)
class Comparison:
    """`numbers` by name; `products` of the vectors of the reply and of the nearest reference, whose place is `at`."""

    numbers: dict[str, float]
    products: NDArray[np.float64]
    at: int
    cosines: tuple[float, ...]
    """Of every reference."""


@dataclass(frozen=True, slots=True)
class _Vectors:
    """Vectors of texts, a row each."""

    rows: dict[str, int]
    matrix: Vectors

    def of(self, texts: Sequence[str]) -> Vectors:
        """The vectors of these texts, in their order."""
        return self.matrix[[self.rows[text] for text in texts]]


def compare(
    question: str,
    references: Sequence[str],
    reply: str,
    language: str,
    embed: Callable[[Sequence[str]], Vectors],
) -> Comparison:
    """What can be said of a reply and at least one reference without judging. Asks `embed` once."""
    asked, given, wanted = _read(question, references, reply, language)
    texts = _texts(asked, given, wanted)
    vectors = _Vectors({text: at for at, text in enumerate(texts)}, embed(texts))
    cosines = _Cosines(asked, given, wanted, vectors)
    nearest = cosines.nearest()
    best = nearest[0]
    near = [wanted[at] for at in nearest]
    numbers = {
        **cosines.numbers(),
        **_coverage(asked, given, near, language),
        **_order(asked, given, near),
        **_lengths(asked, given, wanted, near[0]),
        **_polarity(given, near, language),
        **_numerals(asked, given, near),
        **_alignment(asked, given, near, vectors, language),
        **_clauses(given, near, vectors),
        **_overlaps(asked, given, near, vectors, language),
    }
    rounded = {name: round(float(value), 5) for name, value in numbers.items()}  # batches differ in the seventh place
    ours, theirs = vectors.of([given.text, wanted[best].text])
    products = np.concatenate([ours * theirs, np.abs(ours - theirs)]).astype(np.float64)
    return Comparison(numbers=rounded, products=products, at=best, cosines=tuple(map(float, cosines.plain)))


def texts_to_embed(question: str, references: Sequence[str], reply: str, language: str) -> list[str]:
    """What `compare` will embed."""
    return _texts(*_read(question, references, reply, language))


def _read(question: str, references: Sequence[str], reply: str, language: str) -> tuple[Text, Text, list[Text]]:
    """The question and the reply, and the references."""
    asked, given = authored_text_of(question[-EMBED_CHARS:], language), text_of(reply[:EMBED_CHARS], language)
    return asked, given, [authored_text_of(text[:EMBED_CHARS], language) for text in references]


def _texts(question: Text, reply: Text, references: Sequence[Text]) -> list[str]:
    texts = [reply.text, question.text, _after(question, reply), *reply.clauses, *reply.words, *question.words]
    for text in references:
        texts += [text.text, _after(question, text), *text.clauses, *text.words]
    return list(dict.fromkeys(texts))


def _after(question: Text, text: Text) -> str:
    return f"{question.text} {text.text}"


class _Cosines:
    """Likeness of whole texts: alone, after the question, and of what each adds to the question."""

    def __init__(self, question: Text, reply: Text, references: Sequence[Text], vectors: _Vectors) -> None:
        alone = vectors.of([text.text for text in references])
        self._reply, self._question, reply_behind = vectors.of([reply.text, question.text, _after(question, reply)])
        self.plain = alone @ self._reply
        self._behind = vectors.of([_after(question, text) for text in references]) @ reply_behind
        self._of_question = alone @ self._question
        self._beyond = _along(_without(alone, self._question), _without(self._reply[None], self._question)[0])

    def nearest(self) -> list[int]:
        """Places of the nearest references, the nearest first."""
        return [int(at) for at in np.argsort(-(self.plain + self._behind), kind="stable")[:MOST_REFERENCES]]

    def numbers(self) -> dict[str, float]:
        return {
            "cosine": self.plain.max(),
            "cosine_mean": self.plain.mean(),
            "cosine_behind_question": self._behind.max(),
            "cosine_question": float(self._reply @ self._question),
            "reference_question": self._of_question.max(),
            "cosine_beyond": self._beyond.max(),
            "cosine_beyond_mean": self._beyond.mean(),
        }


def _without(vectors: Vectors, axis: Vectors) -> Vectors:
    return vectors - (vectors @ axis)[:, None] * axis


def _along(vectors: Vectors, other: Vectors) -> Vectors:
    cosines: Vectors = (vectors @ other) / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(other) + 1e-6)
    return cosines


def _weights(texts: Sequence[Text], language: str) -> dict[str, float]:
    """Each stem's weight: that of its commonest word in the texts."""
    weights: dict[str, float] = {}
    for text in texts:
        for word, stem in zip(text.phrase.content, text.phrase.stems, strict=True):
            weights[stem] = min(weights.get(stem, 99.0), weight(word, language))
    return weights


def _coverage(question: Text, reply: Text, near: Sequence[Text], language: str) -> dict[str, float]:
    weights = _weights([question, reply, *near], language)
    shares = [coverage(text.phrase.stems, reply.stems, question.stems, weights) for text in near]
    references = frozenset[str]().union(*(text.stems for text in near))
    new = reply.stems - question.stems
    return {
        "covered_new": max(new for new, _ in shares),
        "covered": max(every for _, every in shares),
        "covered_new_nearest": shares[0][0],
        "covered_nearest": shares[0][1],
        "known_words": _weighed(reply.stems & references, reply.stems, weights),
        "known_new_words": _weighed(new & references, new, weights),
        "words_of_question": len(reply.stems & question.stems) / max(1, len(reply.stems)),
        "new_words": len(new),
    }


def _weighed(part: frozenset[str], every: frozenset[str], weights: dict[str, float]) -> float:
    total = sum(weights[stem] for stem in sorted(every))
    return sum(weights[stem] for stem in sorted(part)) / total if total else _NEVER


def _order(question: Text, reply: Text, near: Sequence[Text]) -> dict[str, float]:
    runs, ours = letter_runs(reply.phrase.words), reply.phrase
    pairs = near_pairs(ours.stems)
    return {
        "letters": max(cosine(runs, letter_runs(text.phrase.words)) for text in near),
        "letters_question": cosine(runs, letter_runs(question.phrase.words)),
        "order": max(
            2 * common_run(ours.words, text.phrase.words) / (len(ours.words) + len(text.phrase.words) + 1e-6)
            for text in near
        ),
        "order_content": max(
            common_run(ours.stems, text.phrase.stems) / max(1, len(text.phrase.stems)) for text in near
        ),
        "pairs": max(
            len(pairs & near_pairs(text.phrase.stems)) / max(1, len(near_pairs(text.phrase.stems))) for text in near
        ),
    }


def _lengths(question: Text, reply: Text, references: Sequence[Text], best: Text) -> dict[str, float]:
    ours, theirs = len(reply.phrase.words), len(best.phrase.words)
    return {
        "reply_length": min(60, ours),
        "reference_length": min(60, theirs),
        "length_ratio": min(5.0, ours / max(1, theirs)),
        "question_length": min(80, len(question.phrase.words)),
        "references": min(14, len(references)),
        "shortest_reference": min(60, *(len(text.phrase.words) for text in references), 60),
    }


def _polarity(reply: Text, near: Sequence[Text], language: str) -> dict[str, float]:
    against = [conflict(reply.phrase, text.phrase, language) for text in near]
    ours, theirs = reply.denials, near[0].denials
    return {
        "denials": min(4, ours),
        "reference_denials": min(4, theirs),
        "denials_odd": ours % 2 != theirs % 2,
        "denials_differ": (ours > 0) != (theirs > 0),
        "denials_differ_everywhere": all((ours > 0) != (text.denials > 0) for text in near),
        "denied_words": min(4, len(against[0].negated)),
        "opposite": against[0].opposite is not None,
        "contradicts_all": all(against),
    }


def _numerals(question: Text, reply: Text, near: Sequence[Text]) -> dict[str, float]:
    ours, theirs = reply.numerals, [text.numerals for text in near]
    named = question.numerals.union(*theirs)
    return {
        "numerals_shared": max(len(ours & names) / len(ours | names) if ours | names else _NEVER for names in theirs),
        "numerals_strange": min(4, len(ours - named)),
        "numerals_missing": min(4, min(len(names - ours) for names in theirs)),
    }


def _alignment(question: Text, reply: Text, near: Sequence[Text], vectors: _Vectors, language: str) -> dict[str, float]:
    """For each word of a reference the nearest word of the reply, by meaning; rare words weigh more."""
    names = ("aligned", "aligned_new", "aligned_reply")
    if not reply.content:
        return dict.fromkeys((*names, *(f"{name}_nearest" for name in names)), _NEVER)
    ours = vectors.of(reply.content)
    shares = [_aligned(text, frozenset(question.content), ours, vectors, language) for text in near]
    columns = list(zip(names, zip(*shares, strict=True), strict=True))
    best = {name: max(column) for name, column in columns}
    return best | {f"{name}_nearest": column[0] for name, column in columns}


def _aligned(
    text: Text, asked: frozenset[str], ours: Vectors, vectors: _Vectors, language: str
) -> tuple[float, float, float]:
    """How well the words of a text are matched, those of them that the question has not, and those of the reply."""
    if not text.content:
        return _NEVER, _NEVER, _NEVER
    alike = vectors.of(text.content) @ ours.T
    nearest, worth = alike.max(axis=1), np.array([weight(word, language) for word in text.content])
    matched = float((nearest * worth).sum() / worth.sum())
    new = np.array([word not in asked for word in text.content])
    beyond = float((nearest * worth)[new].sum() / worth[new].sum()) if new.any() else matched
    return matched, beyond, float(alike.max(axis=0).mean())


def _clauses(reply: Text, near: Sequence[Text], vectors: _Vectors) -> dict[str, float]:
    ours = vectors.of(reply.clauses)
    alike = vectors.of(near[0].clauses) @ ours.T
    every = vectors.of([clause for text in near for clause in text.clauses]) @ ours.T
    return {
        "clause_least": alike.max(axis=1).min(),
        "clause_mean": alike.max(axis=1).mean(),
        "clause_reply": alike.max(axis=0).mean(),
        "clause_most": alike.max(),
        "clause_anywhere": every.max(),
    }


def _overlaps(question: Text, reply: Text, near: Sequence[Text], vectors: _Vectors, language: str) -> dict[str, float]:
    ours, words, theirs = reply.words[:MOST_WORDS], question.words, [text.words[:MOST_WORDS] for text in near]
    distinct = dict.fromkeys((*words, *ours, *(word for text in theirs for word in text)))
    places = {word: at for at, word in enumerate(distinct)}
    weights = word_weights(places, language)
    spelt, meant = spelling_likeness(tuple(places)), meaning_likeness(vectors.of(tuple(places)))
    numbers: dict[str, float] = {}
    for name, likeness in (("spelt", spelt), ("meant", meant)):
        overlap = overlaps(places, weights, likeness, words, ours, theirs)
        best = int(overlap.dice.argmax())
        numbers |= {f"{name}_{key}": float(shares[best]) for key, shares in overlap._asdict().items()}
        numbers[f"{name}_most_of_reference"] = float(overlap.of_reference.max())
        numbers[f"{name}_most_new"] = float(overlap.new_of_reference.max())
    return numbers
