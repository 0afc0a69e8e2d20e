"""Reads messages by a pack: which domain, and how sure. Deterministic; no model is asked."""

import threading
from collections import Counter, OrderedDict
from collections.abc import Sequence
from typing import Final

import numpy as np

from gateway.services import texts_embed_locally
from planning.understanding import language_of
from routing.engine.confidence import Line, Profile, adapted, certainty_of, coefficients, profile_of
from routing.engine.embedded import Embedded, Indices
from routing.engine.keywords import Keywords
from routing.engine.lexical import Lexical
from routing.engine.signals import FEATURES, Blend, Flags, Floats, Marks
from routing.engine.text import is_wordless, message_read
from routing.pack import Pack
from routing.reading import DomainScore, Found, Nearest, Reading

_PROFILED: Final = 600
_NEAREST: Final = 3
_PLACES: Final = 4
_OUTSIDE: Final = 0.22
"""Messages outside for each one inside, as the public test set has it."""
_NEAR_ENOUGH: Final = 0.35
"""Cosine under which an example explains nothing to anybody."""
_AGREE: Final = FEATURES.index("agree_domain")


def _some(places: Indices, at_most: int) -> Indices:
    """At most so many of them, evenly spread."""
    chosen: Indices = places[:: max(1, -(-len(places) // at_most))]
    return chosen


def _languages_of(places: Indices, texts: Sequence[str]) -> frozenset[str]:
    """The languages that at least a twentieth of these texts is in."""
    counts = Counter(language_of(texts[place]) for place in places)
    return frozenset(language for language, count in counts.items() if count >= len(places) / 20)


class Classifier:
    """What a pack knows, ready to read. Building it embeds every example that is not kept; it is safe to share.

    Not `kept`: vectors are computed, and no database is asked for them.
    """

    def __init__(self, pack: Pack, *, kept: bool = True) -> None:
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
        self._vectors = texts_embed_locally(texts, keep=texts if kept else ())
        embedded = Embedded(self._vectors, self._labels, len(names))
        lexical = Lexical(texts, self._labels, domain_of)
        self._blend = Blend(embedded, lexical, domain_of, len(self.domains), examples_of=self._labels)
        self._keywords = Keywords(pack)
        self._languages = _languages_of(_some(np.arange(self._bounds[-1]), _PROFILED), texts)
        self._profile, self._in_scope, self._right = self._calibrated(texts)
        self._prepared: dict[str, Reading] = {}

    def _calibrated(self, texts: Sequence[str]) -> tuple[Profile, Line, Line]:
        """What the pack's own examples, each left out, say of the coefficients that all packs share."""
        outside = self._bounds[-1]
        places = _some(np.arange(outside), _PROFILED)
        marks = self._blend.marks_without(*self._left_out(texts, places))
        profile = profile_of(marks.features)
        inside = profile.relative(marks.features)
        right = marks.shares.argmax(axis=1) == np.searchsorted(self._bounds, places, side="right") - 1
        known = coefficients()
        if outside == len(texts):
            return profile, known.in_scope, adapted(known.right, inside, right, np.ones(len(right)))
        # What nobody listed belongs nowhere too: so each is read as if nothing of its label were listed.
        strange = _some(np.arange(outside, len(texts)), _PROFILED)
        beyond = profile.relative(self._blend.marks_without(*self._left_out(texts, strange), whole_label=True).features)
        features = np.concatenate([inside, beyond])
        weights = np.concatenate([np.ones(len(inside)), np.full(len(beyond), _OUTSIDE * len(inside) / len(beyond))])
        no = np.zeros(len(beyond), dtype=bool)
        return (
            profile,
            adapted(known.in_scope, features, np.concatenate([np.ones(len(inside), dtype=bool), no]), weights),
            adapted(known.right, features, np.concatenate([right, no]), weights),
        )

    def _left_out(self, texts: Sequence[str], places: Indices) -> tuple[list[str], Indices, list[list[int]]]:
        some = [texts[place] for place in places]
        return some, places, [[domain for domain, _ in self._keywords.found(text)] for text in some]

    def prepare(self, messages: Sequence[str]) -> None:
        """Read a chunk at once, for those who read them one by one next."""
        self._prepared = dict(zip(messages, self.read_many(messages), strict=True))

    def read(self, message: str) -> Reading:
        """What a message is about. Any text can be read; what says nothing belongs to no domain."""
        return self.read_together([message])[0]

    def read_together(self, messages: Sequence[str]) -> list[Reading]:
        """Several at once, without those that were prepared."""
        fresh = [message for message in dict.fromkeys(messages) if message not in self._prepared]
        read = dict(zip(fresh, self.read_many(fresh), strict=True))
        return [read[message] if message in read else self._prepared[message] for message in messages]

    def read_many(self, messages: Sequence[str]) -> list[Reading]:
        """The same for several, at once."""
        if not messages:
            return []
        texts = [message_read(message) for message in messages]
        found = [self._keywords.found(text) for text in texts]
        vectors = texts_embed_locally(texts)
        foreign = self._foreign(texts)
        marks = self._blend.marks(texts, vectors, [[domain for domain, _ in one] for one in found], foreign)
        relative = self._profile.relative(marks.features, foreign)
        # Rounded: a message alone and among others differ in the seventh place, and nothing may hang on that.
        in_scope, right = np.round(self._in_scope(relative), _PLACES), np.round(self._right(relative), _PLACES)
        return [
            self._reading(text, marks, row, float(in_scope[row]), float(right[row]), vectors[row], found[row])
            for row, text in enumerate(texts)
        ]

    def measured(self, messages: Sequence[str]) -> tuple[Floats, Floats]:
        """Shares and relative features of messages, a row for each: what coefficients are fitted on."""
        texts = [message_read(message) for message in messages]
        found = [[domain for domain, _ in self._keywords.found(text)] for text in texts]
        foreign = self._foreign(texts)
        marks = self._blend.marks(texts, texts_embed_locally(texts), found, foreign)
        return marks.shares, self._profile.relative(marks.features, foreign)

    def _foreign(self, texts: Sequence[str]) -> Flags:
        """Whether each is in a language that the pack has next to no examples in."""
        return np.array([language_of(text) not in self._languages for text in texts], dtype=bool)

    def _reading(
        self,
        text: str,
        marks: Marks,
        row: int,
        in_scope: float,
        right: float,
        vector: np.ndarray,
        found: Sequence[tuple[int, str]],
    ) -> Reading:
        if is_wordless(text):
            in_scope = right = 0.0
        shares = np.round(marks.shares[row], _PLACES)
        order = np.argsort(-shares, kind="stable")
        margin = float(shares[order[0]] - shares[order[1]]) if len(order) > 1 else 1.0
        nearest = self._nearest(vector, int(order[0]))
        return Reading(
            language=language_of(text),
            scores=tuple(DomainScore(domain=self.domains[one], share=min(1.0, float(shares[one]))) for one in order),
            label=self._label_names[marks.labels[row]],
            probability=min(right, in_scope),
            in_scope=in_scope,
            certainty=certainty_of(min(right, in_scope), in_scope),
            margin=min(1.0, max(0.0, margin)),
            similarity=nearest[0].similarity if nearest else 0.0,
            agree=bool(marks.features[row, _AGREE]),
            nearest=tuple(nearest),
            found=tuple(Found(domain=self.domains[domain], keyword=keyword) for domain, keyword in found),
        )

    def _nearest(self, vector: np.ndarray, domain: int) -> list[Nearest]:
        """The nearest examples of a domain that are near enough to be shown; at least the nearest one."""
        start, end = self._bounds[domain], self._bounds[domain + 1]
        cosines = self._vectors[start:end] @ vector
        best = np.argsort(-cosines, kind="stable")[:_NEAREST]
        return [
            Nearest(
                domain=self.domains[domain],
                label=self._label_names[self._labels[start + one]],
                text=self._texts[start + one],
                similarity=round(float(cosines[one]), _PLACES),
            )
            for place, one in enumerate(best)
            if place == 0 or cosines[one] >= _NEAR_ENOUGH
        ]


_KEPT: Final = 8
_by_digest: OrderedDict[str, Classifier] = OrderedDict()
_building = threading.Lock()


def classifier_of(pack: Pack, *, kept: bool = True) -> Classifier:
    """The classifier of a pack in this process, built at its first use; the packs used last are held. `kept` as for a
    `Classifier`.
    """
    with _building:
        if pack.digest not in _by_digest:
            _by_digest[pack.digest] = Classifier(pack, kept=kept)
            if len(_by_digest) > _KEPT:
                _by_digest.popitem(last=False)
        _by_digest.move_to_end(pack.digest)
        return _by_digest[pack.digest]
