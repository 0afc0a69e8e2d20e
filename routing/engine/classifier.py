"""Reads messages by a pack: which domains, and how sure. Deterministic; no model is asked."""

import threading
from collections import Counter, OrderedDict
from collections.abc import Sequence
from typing import Final

import numpy as np

from gateway.services import texts_embed_locally
from language.detect import language_of
from routing.contracts.reading import DomainScore, Found, Nearest, Reading
from routing.engine.confidence import Line, Profile, adapted, certainty_of, coefficients, profile_of
from routing.engine.embedded import Embedded, Indices
from routing.engine.lexical import Keywords, Lexical
from routing.engine.signals import FEATURES, Blend, Flags, Floats, Marks
from routing.engine.text import Question, is_wordless, message_read, question_of
from routing.packs.pack import Pack

NEAR: Final = 0.25
"""A share from which another domain than the first may be meant as well."""
PART: Final = 0.7
"""A probability from which a part of a message asks about a domain of its own."""
PART_OF_FEW_WORDS: Final = 0.35
"""The same in a message of a few words, where each part is one or two: "tax or brand?"."""


def abstains(reading: Reading) -> bool:
    """Whether the message seems to belong to no domain of the pack."""
    return reading.certainty == "low"


def domains_of(reading: Reading, *, at_most: int = 3) -> tuple[str, ...]:
    """The first domain, and those that are near it."""
    near = [score.domain for score in reading.scores[1:] if score.share >= NEAR]
    return (reading.first, *near)[:at_most]


_PROFILED: Final = 600
_NEAREST: Final = 3
_PLACES: Final = 4
_OUTSIDE: Final = 0.22
"""Messages outside for each one inside, as the public test set has it."""
_NEAR_ENOUGH: Final = 0.35
"""Cosine under which an example is no explanation."""
_AGREE: Final = FEATURES.index("agree_domain")


def _sample(places: Indices, at_most: int) -> Indices:
    """At most so many of them, evenly spread."""
    chosen: Indices = places[:: max(1, -(-len(places) // at_most))]
    return chosen


def _languages_of(places: Indices, texts: Sequence[str]) -> frozenset[str]:
    """The languages that at least a twentieth of these texts is in."""
    counts = Counter(language_of(texts[place]) for place in places)
    return frozenset(language for language, count in counts.items() if count >= len(places) / 20)


class Classifier:
    """Reads messages by a pack. Building it embeds every example that is not cached; it is safe to share.

    Not `cached`: vectors are computed without the database.
    """

    def __init__(self, pack: Pack, *, cached: bool = True) -> None:
        rows = sorted(
            (place, label, text)
            for place, domain in enumerate(pack.domains)
            for label, texts in domain.examples.items()
            for text in texts
        )
        rows += sorted((len(pack.domains), label, text) for label, texts in pack.outside.items() for text in texts)
        self.domains = pack.keys
        names = list(dict.fromkeys((place, label) for place, label, _ in rows))
        number = {name: index for index, name in enumerate(names)}
        self._label_names = [label for _, label in names]
        self._labels = np.array([number[place, label] for place, label, _ in rows], dtype=np.int64)
        self._texts = [text for _, _, text in rows]
        domain_of = np.array([place for place, _ in names], dtype=np.int64)
        self._bounds = np.searchsorted(domain_of[self._labels], np.arange(len(self.domains) + 1))
        texts = [message_read(text) for text in self._texts]
        self._vectors = texts_embed_locally(texts, keep=texts if cached else ())
        embedded = Embedded(self._vectors, self._labels, len(names))
        lexical = Lexical(texts, self._labels, domain_of)
        self._blend = Blend(embedded, lexical, domain_of, len(self.domains), examples_of=self._labels)
        self._keywords = Keywords(pack)
        self._languages = _languages_of(_sample(np.arange(self._bounds[-1]), _PROFILED), texts)
        self._profile, self._in_scope, self._right = self._calibrated(texts)
        self._prepared: dict[Question, Reading] = {}

    def _calibrated(self, texts: Sequence[str]) -> tuple[Profile, Line, Line]:
        """The shared coefficients, adapted to the pack's own examples, each left out."""
        outside = self._bounds[-1]
        places = _sample(np.arange(outside), _PROFILED)
        marks = self._blend.marks_without(*self._left_out(texts, places))
        profile = profile_of(marks.features)
        inside = profile.relative(marks.features)
        right = marks.shares.argmax(axis=1) == np.searchsorted(self._bounds, places, side="right") - 1
        shared = coefficients()
        if outside == len(texts):
            return profile, shared.in_scope, adapted(shared.right, inside, right, np.ones(len(right)))
        # Messages of unlisted kinds belong nowhere too: each is read as if nothing of its label were listed.
        strange = _sample(np.arange(outside, len(texts)), _PROFILED)
        beyond = profile.relative(self._blend.marks_without(*self._left_out(texts, strange), whole_label=True).features)
        features = np.concatenate([inside, beyond])
        weights = np.concatenate([np.ones(len(inside)), np.full(len(beyond), _OUTSIDE * len(inside) / len(beyond))])
        no = np.zeros(len(beyond), dtype=bool)
        return (
            profile,
            adapted(shared.in_scope, features, np.concatenate([np.ones(len(inside), dtype=bool), no]), weights),
            adapted(shared.right, features, np.concatenate([right, no]), weights),
        )

    def _left_out(self, texts: Sequence[str], places: Indices) -> tuple[list[str], Indices, list[list[int]]]:
        sample = [texts[place] for place in places]
        return sample, places, self._domains_named(sample)

    def _domains_named(self, texts: Sequence[str]) -> list[list[int]]:
        """The domain of each keyword in each text."""
        return [[domain for domain, _ in self._keywords.matches(text)] for text in texts]

    def prepare(self, messages: Sequence[str]) -> None:
        """Read a chunk at once, for those who read them one by one next."""
        questions = [question_of(message) for message in messages]
        self._prepared = dict(zip(questions, self._readings(questions), strict=True))

    def read(self, message: str) -> Reading:
        """The domains of a message. Any text can be read; one without words belongs to no domain."""
        return self.read_together([question_of(message)])[0]

    def read_together(self, questions: Sequence[Question]) -> list[Reading]:
        """Several at once, without those that were prepared."""
        fresh = [question for question in dict.fromkeys(questions) if question not in self._prepared]
        readings = dict(zip(fresh, self._readings(fresh), strict=True))
        return [readings[question] if question in readings else self._prepared[question] for question in questions]

    def read_many(self, messages: Sequence[str]) -> list[Reading]:
        """The same for several, at once."""
        return self._readings([question_of(message) for message in messages])

    def _readings(self, questions: Sequence[Question]) -> list[Reading]:
        if not questions:
            return []
        texts = [question.text for question in questions]
        vectors = texts_embed_locally(texts)
        foreign = self._foreign(questions)
        marks = self._blend.marks(texts, vectors, self._domains_named(texts), foreign)
        relative = self._profile.relative(marks.features, foreign)
        # Rounded: a message alone and among others differ in the seventh place, which may decide nothing.
        in_scope, right = np.round(self._in_scope(relative), _PLACES), np.round(self._right(relative), _PLACES)
        return [
            self._reading(question, marks, row, float(in_scope[row]), float(right[row]), vectors[row])
            for row, question in enumerate(questions)
        ]

    def measured(self, messages: Sequence[str]) -> tuple[Floats, Floats]:
        """Shares and relative features of messages, a row for each, on which coefficients are fitted."""
        questions = [question_of(message) for message in messages]
        texts = [question.text for question in questions]
        foreign = self._foreign(questions)
        marks = self._blend.marks(texts, texts_embed_locally(texts), self._domains_named(texts), foreign)
        return marks.shares, self._profile.relative(marks.features, foreign)

    def _foreign(self, questions: Sequence[Question]) -> Flags:
        """Whether each is in a language that the pack has next to no examples in."""
        return np.array([(question.language or "en") not in self._languages for question in questions], dtype=bool)

    def _reading(
        self, question: Question, marks: Marks, row: int, in_scope: float, right: float, vector: np.ndarray
    ) -> Reading:
        if is_wordless(question.text):
            in_scope = right = 0.0
        shares = np.round(marks.shares[row], _PLACES)
        order = np.argsort(-shares, kind="stable")
        margin = float(shares[order[0]] - shares[order[1]]) if len(order) > 1 else 1.0
        nearest = self._nearest(vector, int(order[0]))
        return Reading(
            language=question.language or "en",
            scores=tuple(DomainScore(domain=self.domains[at], share=min(1.0, float(shares[at]))) for at in order),
            label=self._label_names[marks.labels[row]],
            probability=min(right, in_scope),
            in_scope=in_scope,
            certainty=certainty_of(min(right, in_scope), in_scope),
            margin=min(1.0, max(0.0, margin)),
            similarity=nearest[0].similarity if nearest else 0.0,
            agree=bool(marks.features[row, _AGREE]),
            nearest=tuple(nearest),
            found=tuple(
                Found(domain=self.domains[at], keyword=keyword) for at, keyword in self._keywords.matches(question.text)
            ),
        )

    def _nearest(self, vector: np.ndarray, domain: int) -> list[Nearest]:
        """The nearest examples of a domain that are near enough to be shown; at least the nearest one."""
        start, end = self._bounds[domain], self._bounds[domain + 1]
        cosines = self._vectors[start:end] @ vector
        best = np.argsort(-cosines, kind="stable")[:_NEAREST]
        return [
            Nearest(
                domain=self.domains[domain],
                label=self._label_names[self._labels[start + at]],
                text=self._texts[start + at],
                similarity=round(float(cosines[at]), _PLACES),
            )
            for rank, at in enumerate(best)
            if rank == 0 or cosines[at] >= _NEAR_ENOUGH
        ]


_HELD: Final = 8
_by_digest: OrderedDict[str, Classifier] = OrderedDict()
_building = threading.Lock()


def classifier_of(pack: Pack, *, cached: bool = True) -> Classifier:
    """The classifier of a pack in this process, built at its first use; the packs used last are held."""
    with _building:
        if pack.digest not in _by_digest:
            _by_digest[pack.digest] = Classifier(pack, cached=cached)
            if len(_by_digest) > _HELD:
                _by_digest.popitem(last=False)
        _by_digest.move_to_end(pack.digest)
        return _by_digest[pack.digest]
