"""Whether two texts that share words say the same thing or its opposite: negation, opposites, swapped roles."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .andamio_3.stems import stem
from .comparisons import turned
from .lexicon import Lexicon, lexicon
from .normalise import Phrase

_BREAK = "|"
NEGATION_REACH = 4
"""Content words after "no" that it denies, within its clause."""
LACK_REACH = 2
"""Content words after "without" or "instead of"."""
OBJECT_REACH = 3
"""Content words beside a verb taken for what it acts on."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A content word with its polarity. `scope` numbers the negation that denies it; 0 is none."""

    stem: str
    scope: int


@dataclass(frozen=True, slots=True)
class Claim:
    """A word that has an opposite, what it acts on, and whether it is denied."""

    stem: str
    objects: frozenset[str]
    denied: bool


@dataclass(frozen=True, slots=True)
class Conflict:
    """How a reply contradicts a reference: the words (as stems) denied or turned round; empty when it does not."""

    negated: tuple[str, ...]
    opposite: tuple[str, str] | None

    def __bool__(self) -> bool:
        return bool(self.negated) or self.opposite is not None


def conflict(reply: Phrase, reference: Phrase, language: str, allowed: frozenset[str] = frozenset()) -> Conflict:
    """What of the reply speaks against the reference, judged on the words that they share, but for those allowed."""
    clash = _polarity_clash(reply, reference, language) - allowed
    opposite = _opposite_claim(reply, reference, language)
    if turn := turned(reply, reference, language):
        ours, theirs = turn.how
        # Turned twice is the same: "water is more dense than ice" for "ice is less dense than water".
        opposite = None if theirs in _opposites(language).get(ours, ()) else turn.words
    return Conflict(negated=tuple(sorted(clash)), opposite=opposite)


def denied_stems(phrase: Phrase, language: str) -> frozenset[str]:
    """Stems that every mention in the phrase denies."""
    all_mentions = mentions(phrase.tokens, language)
    return frozenset(m.stem for m in all_mentions if m.scope) - {m.stem for m in all_mentions if not m.scope}


def ever_denied(phrase: Phrase, language: str) -> frozenset[str]:
    """Stems under any negation, also in "without light no growth"."""
    return frozenset(mention.stem for mention in _raw_mentions(phrase.tokens, language) if mention.scope)


@lru_cache(maxsize=1024)
def mentions(tokens: tuple[str, ...], language: str) -> tuple[Mention, ...]:
    """The content words of a text in order, each with the negation it falls under."""
    raw = _raw_mentions(tokens, language)
    # "Without light there is no growth" denies nothing: it says that light is needed.
    conditional = not {lexicon(language).lacking, "si", "if"}.isdisjoint(tokens)
    if conditional and len({mention.scope for mention in raw if mention.scope}) > 1:
        return tuple(Mention(mention.stem, 0) for mention in raw)
    return raw


@lru_cache(maxsize=1024)
def _raw_mentions(tokens: tuple[str, ...], language: str) -> tuple[Mention, ...]:
    words_of = lexicon(language)
    content: list[Mention] = []
    scope, reach, scopes = 0, 0, 0
    denies = False
    for at, token in enumerate(tokens):
        length = _negation_at(tokens, at, words_of)
        # "It is not because ..." still denies the reason; "it does not grow because ..." states it.
        reason = denies and token in words_of.reasons
        if reason or token in words_of.contrasts or token in words_of.linking or token == _BREAK:
            reach = 0
        elif length:
            scopes += 1
            scope, reach, denies = scopes, length, False
        elif token not in words_of.stopwords:
            content.append(Mention(stem(token, language), scope if reach else 0))
            denies = reach > 0
            reach = max(0, reach - 1)
    return tuple(content)


def _negation_at(tokens: tuple[str, ...], at: int, words_of: Lexicon) -> int:
    """How many content words a negation standing here denies; 0 when there is none."""
    if any(tokens[at : at + len(phrase)] == phrase for phrase in words_of.instead_of):
        return LACK_REACH
    if tokens[at] not in words_of.negations:
        return 0
    if any(tokens[at : at + len(phrase)] == phrase for phrase in words_of.not_negating):
        return 0
    return LACK_REACH if tokens[at] == words_of.lacking else NEGATION_REACH


def _polarity_clash(reply: Phrase, reference: Phrase, language: str) -> set[str]:
    ours, theirs = mentions(reply.tokens, language), mentions(reference.tokens, language)
    if not any(mention.scope for mention in (*ours, *theirs)):
        return set()
    affirmed, denied = _split(_resolve(ours, theirs, language))
    expected, refused = _split(_resolve(theirs, ours, language))
    return (denied & expected) | (affirmed & refused)


def _split(content: Sequence[Mention]) -> tuple[set[str], set[str]]:
    """Stems only affirmed, and stems only denied."""
    affirmed = {mention.stem for mention in content if not mention.scope}
    denied = {mention.stem for mention in content if mention.scope}
    return affirmed - denied, denied - affirmed


def _resolve(content: Sequence[Mention], other: Sequence[Mention], language: str) -> Sequence[Mention]:
    """Lifts a negation of the opposite of what the other text says: "does not absorb green" is "reflects green"."""
    affirmed = {mention.stem for mention in other if not mention.scope}
    opposites = _opposites(language)
    lifted = {m.scope for m in content if m.scope and not opposites.get(m.stem, frozenset()).isdisjoint(affirmed)}
    return [Mention(m.stem, 0 if m.scope in lifted else m.scope) for m in content]


def _opposite_claim(reply: Phrase, reference: Phrase, language: str) -> tuple[str, str] | None:
    opposites = _opposites(language)
    ours, theirs = _claims(reply.tokens, language), _claims(reference.tokens, language)
    if not ours or not theirs:
        return None
    shared = set(reply.stems) & set(reference.stems)
    for our in ours:
        same = [their for their in theirs if their.stem == our.stem]
        for their in theirs:
            if their.stem not in opposites[our.stem] or our.denied != their.denied:
                continue
            if any(mine.stem == their.stem for mine in ours) or same:
                swapped = our.objects & their.objects and not any(our.objects & claim.objects for claim in same)
                if swapped and not any(mine.stem == their.stem and mine.objects & their.objects for mine in ours):
                    return our.stem, their.stem
            elif our.objects & their.objects or (shared and not (our.objects and their.objects)):
                return our.stem, their.stem
    return None


@lru_cache(maxsize=1024)
def _claims(tokens: tuple[str, ...], language: str) -> tuple[Claim, ...]:
    return tuple(_find_claims(tokens, language))


def _find_claims(tokens: tuple[str, ...], language: str) -> Iterator[Claim]:
    words_of, opposites = lexicon(language), _opposites(language)
    denied = _denied_places(tokens, language)
    for at, token in enumerate(tokens):
        key = stem(token, language)
        if key not in opposites:
            continue
        passive = at > 0 and tokens[at - 1] in words_of.copulas
        beside = reversed(tokens[: at - 1]) if passive else iter(tokens[at + 1 :])
        objects: list[str] = []
        for word in beside:
            if word == "|" or stem(word, language) in opposites or len(objects) == OBJECT_REACH:
                break
            if word not in words_of.stopwords and word not in words_of.negations:
                objects.append(stem(word, language))
        yield Claim(key, frozenset(objects), at in denied)


def _denied_places(tokens: tuple[str, ...], language: str) -> set[int]:
    """Places of words right under a negation; for "does not absorb", not for everything after it."""
    words_of = lexicon(language)
    return {
        at
        for at in range(len(tokens))
        if any(_negation_at(tokens, before, words_of) for before in range(max(0, at - 3), at))
        and "|" not in tokens[max(0, at - 3) : at]
    }


@lru_cache(maxsize=8)
def _opposites(language: str) -> dict[str, frozenset[str]]:
    table: dict[str, set[str]] = {}
    for first, second in lexicon(language).antonyms:
        left, right = stem(first, language), stem(second, language)
        table.setdefault(left, set()).add(right)
        table.setdefault(right, set()).add(left)
    return {word: frozenset(words) for word, words in table.items()}
