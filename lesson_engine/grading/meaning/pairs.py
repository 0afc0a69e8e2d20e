"""A reply beside references: the numbers that the model judges by. Every number is documented in docs/grading.md."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..lexicon import lexicon
from ..normalise import Phrase, read
from ..polarity import conflict
from .clauses import clauses
from .frequency import weight
from .overlap import (
    Overlap,
    common_run,
    cosine,
    coverage,
    letter_runs,
    meaning_likeness,
    near_pairs,
    overlap,
    spelling_likeness,
)

Vectors = NDArray[np.float32]
EMBED_CHARS: Final = 600
"""What is embedded of a text: more than any answer needs, so that a long paste costs no more than an answer."""
MOST_REFERENCES: Final = 8
"""The nearest ones, which are compared word by word."""
_MOST_WORDS, _MOST_QUESTION_WORDS, _MOST_CLAUSES = 50, 60, 8
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
class _Text:
    """A text in the forms that are compared."""

    text: str
    phrase: Phrase
    words: tuple[str, ...]
    content: tuple[str, ...]
    stems: frozenset[str]
    clauses: tuple[str, ...]
    numerals: frozenset[str]
    denials: int


def compare(
    question: str,
    references: Sequence[str],
    reply: str,
    language: str,
    embed: Callable[[Sequence[str]], Vectors],
) -> Comparison:
    """What can be said of a reply and at least one reference without judging. Asks `embed` once."""
    asked, said = _authored(question[-EMBED_CHARS:], language), _text(reply[:EMBED_CHARS], language)
    wanted = [_authored(text[:EMBED_CHARS], language) for text in references]
    texts = _texts(asked, said, wanted)
    vectors = dict(zip(texts, embed(texts), strict=True))
    cosines = _Cosines(asked, said, wanted, vectors)
    nearest = cosines.nearest()
    best = nearest[0]
    near = [wanted[at] for at in nearest]
    numbers = {
        **cosines.numbers(),
        **_coverage(asked, said, near, language),
        **_order(asked, said, near),
        **_lengths(asked, said, wanted, near[0]),
        **_polarity(said, near, language),
        **_numerals(asked, said, near),
        **_alignment(asked, said, near, vectors, language),
        **_clauses(said, near, vectors),
        **_overlaps(asked, said, near, vectors, language),
    }
    rounded = {name: round(float(value), 5) for name, value in numbers.items()}  # batches differ in the seventh place
    ours, theirs = vectors[said.text], vectors[wanted[best].text]
    products = np.concatenate([ours * theirs, np.abs(ours - theirs)]).astype(np.float64)
    return Comparison(numbers=rounded, products=products, at=best, cosines=tuple(map(float, cosines.plain)))


def texts_to_embed(question: str, references: Sequence[str], reply: str, language: str) -> list[str]:
    """What `compare` will embed."""
    asked, said = _authored(question[-EMBED_CHARS:], language), _text(reply[:EMBED_CHARS], language)
    return _texts(asked, said, [_authored(text[:EMBED_CHARS], language) for text in references])


def _texts(asked: _Text, said: _Text, wanted: Sequence[_Text]) -> list[str]:
    everything = [said.text, asked.text, _after(asked, said), *said.clauses, *said.words, *asked.words]
    for text in wanted:
        everything += [text.text, _after(asked, text), *text.clauses, *text.words]
    return list(dict.fromkeys(everything))


def _after(asked: _Text, text: _Text) -> str:
    return f"{asked.text} {text.text}"


@lru_cache(maxsize=8192)
def _authored(text: str, language: str) -> _Text:
    return _text(text, language)


def _text(text: str, language: str) -> _Text:
    phrase, data = read(text, language), lexicon(language)
    return _Text(
        text=text,
        phrase=phrase,
        words=tuple(dict.fromkeys(phrase.words))[:_MOST_QUESTION_WORDS],
        content=tuple(dict.fromkeys(phrase.content))[:_MOST_WORDS],
        stems=frozenset(phrase.stems),
        clauses=clauses(text)[:_MOST_CLAUSES],
        numerals=_numerals_of(phrase),
        denials=sum(word in data.negations for word in phrase.words),
    )


_DIGITS: Final = {
    word: str(value)
    for value, words in enumerate(
        ("zero cero", "one uno una un", "two dos", "three tres", "four cuatro", "five cinco", "six seis", "seven siete")
    )
    for word in words.split()
    if word not in ("un", "una")
}


def _numerals_of(phrase: Phrase) -> frozenset[str]:
    """Numbers and letters that name things: "4", "4.5", "bulb B"."""
    words = (_DIGITS.get(word, word) for word in phrase.words)
    return frozenset(word for word in words if word[0].isdigit() or (len(word) == 1 and word in "bcdfghx"))


class _Cosines:
    """Likeness of whole texts: alone, after the question, and of what each adds to the question."""

    def __init__(self, asked: _Text, said: _Text, wanted: Sequence[_Text], vectors: dict[str, Vectors]) -> None:
        self._reply, self._question = vectors[said.text], vectors[asked.text]
        references = np.stack([vectors[text.text] for text in wanted])
        behind = np.stack([vectors[_after(asked, text)] for text in wanted])
        self.plain = references @ self._reply
        self._behind = behind @ vectors[_after(asked, said)]
        self._known = references @ self._question
        self._beyond = _along(_without(references, self._question), _without(self._reply[None], self._question)[0])

    def nearest(self) -> list[int]:
        """Places of the nearest references, the nearest first."""
        return [int(at) for at in np.argsort(-(self.plain + self._behind), kind="stable")[:MOST_REFERENCES]]

    def numbers(self) -> dict[str, float]:
        return {
            "cosine": self.plain.max(),
            "cosine_mean": self.plain.mean(),
            "cosine_behind_question": self._behind.max(),
            "cosine_question": float(self._reply @ self._question),
            "reference_question": self._known.max(),
            "cosine_beyond": self._beyond.max(),
            "cosine_beyond_mean": self._beyond.mean(),
        }


def _without(vectors: Vectors, axis: Vectors) -> Vectors:
    return vectors - (vectors @ axis)[:, None] * axis


def _along(vectors: Vectors, other: Vectors) -> Vectors:
    found: Vectors = (vectors @ other) / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(other) + 1e-6)
    return found


def _weights(texts: Sequence[_Text], language: str) -> dict[str, float]:
    """Each stem's weight: that of its commonest word in the texts."""
    found: dict[str, float] = {}
    for text in texts:
        for word, its_stem in zip(text.phrase.content, text.phrase.stems, strict=True):
            found[its_stem] = min(found.get(its_stem, 99.0), weight(word, language))
    return found


def _coverage(asked: _Text, said: _Text, near: Sequence[_Text], language: str) -> dict[str, float]:
    weights = _weights([asked, said, *near], language)
    shares = [coverage(text.phrase.stems, said.stems, asked.stems, weights) for text in near]
    references = frozenset[str]().union(*(text.stems for text in near))
    new = said.stems - asked.stems
    return {
        "covered_new": max(new for new, _ in shares),
        "covered": max(whole for _, whole in shares),
        "covered_new_nearest": shares[0][0],
        "covered_nearest": shares[0][1],
        "known_words": _weighed(said.stems & references, said.stems, weights),
        "known_new_words": _weighed(new & references, new, weights),
        "words_of_question": len(said.stems & asked.stems) / max(1, len(said.stems)),
        "new_words": len(new),
    }


def _weighed(part: frozenset[str], whole: frozenset[str], weights: dict[str, float]) -> float:
    total = sum(weights[stem] for stem in sorted(whole))
    return sum(weights[stem] for stem in sorted(part)) / total if total else _NEVER


def _order(asked: _Text, said: _Text, near: Sequence[_Text]) -> dict[str, float]:
    runs, ours = letter_runs(said.phrase.words), said.phrase
    pairs = near_pairs(ours.stems)
    return {
        "letters": max(cosine(runs, letter_runs(text.phrase.words)) for text in near),
        "letters_question": cosine(runs, letter_runs(asked.phrase.words)),
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


def _lengths(asked: _Text, said: _Text, wanted: Sequence[_Text], best: _Text) -> dict[str, float]:
    ours, theirs = len(said.phrase.words), len(best.phrase.words)
    return {
        "reply_length": min(60, ours),
        "reference_length": min(60, theirs),
        "length_ratio": min(5.0, ours / max(1, theirs)),
        "question_length": min(80, len(asked.phrase.words)),
        "references": min(14, len(wanted)),
        "shortest_reference": min(60, *(len(text.phrase.words) for text in wanted), 60),
    }


def _polarity(said: _Text, near: Sequence[_Text], language: str) -> dict[str, float]:
    against = [conflict(said.phrase, text.phrase, language) for text in near]
    ours, theirs = said.denials, near[0].denials
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


def _numerals(asked: _Text, said: _Text, near: Sequence[_Text]) -> dict[str, float]:
    ours, theirs = said.numerals, [text.numerals for text in near]
    known = asked.numerals.union(*theirs)
    return {
        "numerals_shared": max(len(ours & one) / len(ours | one) if ours | one else _NEVER for one in theirs),
        "numerals_strange": min(4, len(ours - known)),
        "numerals_missing": min(4, min(len(one - ours) for one in theirs)),
    }


def _alignment(
    asked: _Text, said: _Text, near: Sequence[_Text], vectors: dict[str, Vectors], language: str
) -> dict[str, float]:
    """For each word of a reference the nearest word of the reply, by meaning, weighted by what the word tells."""
    names = ("aligned", "aligned_new", "aligned_reply")
    if not said.content:
        return dict.fromkeys((*names, *(f"{name}_nearest" for name in names)), _NEVER)
    ours = np.stack([vectors[word] for word in said.content])
    asked_words = frozenset(asked.content)
    found: list[tuple[float, float, float]] = []
    for text in near:
        if not text.content:
            found.append((_NEVER, _NEVER, _NEVER))
            continue
        alike = np.stack([vectors[word] for word in text.content]) @ ours.T
        nearest, worth = alike.max(axis=1), np.array([weight(word, language) for word in text.content])
        whole = float((nearest * worth).sum() / worth.sum())
        new = np.array([word not in asked_words for word in text.content])
        beyond = float((nearest * worth)[new].sum() / worth[new].sum()) if new.any() else whole
        found.append((whole, beyond, float(alike.max(axis=0).mean())))
    best = {name: max(one[at] for one in found) for at, name in enumerate(names)}
    return {**best, **{f"{name}_nearest": found[0][at] for at, name in enumerate(names)}}


def _clauses(said: _Text, near: Sequence[_Text], vectors: dict[str, Vectors]) -> dict[str, float]:
    ours = np.stack([vectors[clause] for clause in said.clauses])
    alike = np.stack([vectors[clause] for clause in near[0].clauses]) @ ours.T
    every = np.stack([vectors[clause] for text in near for clause in text.clauses]) @ ours.T
    return {
        "clause_least": alike.max(axis=1).min(),
        "clause_mean": alike.max(axis=1).mean(),
        "clause_reply": alike.max(axis=0).mean(),
        "clause_most": alike.max(),
        "clause_anywhere": every.max(),
    }


def _overlaps(
    asked: _Text, said: _Text, near: Sequence[_Text], vectors: dict[str, Vectors], language: str
) -> dict[str, float]:
    ours, words = said.words[:_MOST_WORDS], asked.words
    places = {
        word: at
        for at, word in enumerate(
            dict.fromkeys((*words, *ours, *(w for text in near for w in text.words[:_MOST_WORDS])))
        )
    }
    spelt = spelling_likeness(tuple(places))
    meant = meaning_likeness(np.stack([vectors[word] for word in places]) if places else np.zeros((0, 1), np.float32))
    numbers: dict[str, float] = {}
    for name, likeness in (("spelt", spelt), ("meant", meant)):
        found = [overlap(places, likeness, words, ours, text.words[:_MOST_WORDS], language) for text in near]
        best = max(found, key=_dice)
        numbers |= {f"{name}_{key}": value for key, value in asdict(best).items()}
        numbers[f"{name}_most_of_reference"] = max(one.of_reference for one in found)
        numbers[f"{name}_most_new"] = max(one.new_of_reference for one in found)
    return numbers


def _dice(found: Overlap) -> float:
    return found.dice
