"""How near a reply is to what the author would accept, as a score from 0 to 1 that can be explained.

    likeness = (2 * cosine + coverage) / 3 - 0.2 (denies what the reference affirms) - 0.2 (says the opposite)

where `coverage` is the share of the reference's content words, beyond those of the question, that the reply has. The
weights and the cut are those of a logistic regression over 3,500 answers of SemEval-2013 Task 7 (BEETLE and
SciEntsBank, CC BY-SA 3.0), rounded. Of several references the nearest counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from .matching import Matcher
from .normalise import Phrase
from .polarity import Conflict, conflict

NEGATION_COST = 0.2
OPPOSITE_COST = 0.2


@dataclass(frozen=True, slots=True)
class Likeness:
    """How near a reply is to the nearest of several phrases."""

    value: float
    cosine: float
    coverage: float
    at: int
    """Place of that phrase; -1 when there are none."""
    conflict: Conflict


def likeness(
    reply: Phrase,
    phrases: Sequence[Phrase],
    cosines: Sequence[float],
    words: Matcher,
    allowed: frozenset[str] = frozenset(),
) -> Likeness:
    """The nearest phrase, with the parts that the value is made of. `allowed`: stems that may be denied freely."""
    # Only words that the lesson does not know can be slips, and few are.
    unknown = [word for word in dict.fromkeys(reply.content) if words.may_be_slip(word)]
    best = Likeness(0.0, 0.0, 0.0, -1, Conflict((), None))
    for at in sorted(range(len(phrases)), key=lambda at: -cosines[at]):
        if best.at >= 0 and (2 * cosines[at] + 1) / 3 < best.value:
            break  # none of the others can be nearer
        covered = _coverage(reply, unknown, phrases[at], words)
        against = conflict(reply, phrases[at], words.language, allowed)
        cost = NEGATION_COST * bool(against.negated) + OPPOSITE_COST * (against.opposite is not None)
        value = (2 * cosines[at] + covered) / 3 - cost
        if best.at < 0 or (value, -at) > (best.value, -best.at):
            best = Likeness(value, cosines[at], covered, at, against)
    return best


def _coverage(reply: Phrase, unknown: Sequence[str], phrase: Phrase, words: Matcher) -> float:
    """Share of the phrase's content words beyond the question's that the reply has, or its unknown words slip for."""
    wanted = dict(zip(phrase.stems, phrase.content, strict=True))
    new = wanted.keys() - words.question or wanted.keys()
    typed = set(reply.stems)
    covered = sum(stem in typed or words.any(wanted[stem], unknown) for stem in new)
    return covered / len(new) if new else 0.0
