"""From a reading to what a plan says: which domains, which mode, how sure, which flags. Source: spec/4, 3.

Probabilities are those of the reading, changed by what the asker said beside the message. What follows from them is
here; how a phase binds the result is in `phases.py`, and how it is put into words in `rationale.py`.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final

from core.contracts import Contract
from routing.contracts import DOMAINS_AT_MOST, Confidence, DomainHint, Mode
from routing.engine.choosing import NEAR
from routing.engine.confidence import certainty_of
from routing.lab import LAB
from routing.reading import Reading

_HINT_ODDS: Final = 4.0
"""How much likelier a domain gets by being chosen by the asker: right three times in four, by seven domains."""
_SAID: Final = 0.97
_SAID_OF_NOTHING: Final = 0.6
"""How likely a domain is that the asker corrects a plan to; the latter of a message that says nothing."""
_OPINION_ODDS: Final = 8.0
"""The same for a domain that a model names: it says the right one far oftener than it says one for what has none."""
_OVERRIDES: Final = 0.9
"""How likely another domain must be, with the hint counted against it already, to be taken instead."""
_COMPANION: Final = 0.5
"""How sure a fine label must be before the domains that it brings come along."""


class HintRead(StrEnum):
    """What became of the domain that the asker chose."""

    NONE = "none"
    RESPECTED = "respected"
    EXPANDED = "expanded"
    OVERRIDDEN = "overridden"
    LAB = "lab"


class Asked(Contract):
    """What the asker said beside the message. `insists`: they saw a plan and say that the hint is the right domain."""

    hint: DomainHint = "auto"
    mode: Mode | None = None
    lab: bool = False
    insists: bool = False


class Decided(Contract):
    """What a plan will say. `probability`: that the first domain is right, or one of the first two where the asker's
    hint was expanded.

    `beside` are domains that parts of the message ask about, `brought` those that come along with the first one.
    """

    domains: tuple[str, ...]
    mode: Mode
    confidence: Confidence
    probability: float
    flags: tuple[str, ...]
    hint: HintRead
    near: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    brought: tuple[str, ...] = ()


def decide(
    reading: Reading,
    asked: Asked,
    *,
    beside: Sequence[str] = (),
    brings: Mapping[str, Sequence[str]] | None = None,
    opinion: str | None = None,
) -> Decided:
    """What follows from a reading.

    `beside`: what parts of the message ask about, the likeliest first. `brings`: by domain, what comes along when it is
    the first one. `opinion`: the domain that a model named, one more signal.
    """
    shares, probability = _weighed(reading, asked, opinion)
    order = sorted(shares, key=lambda key: -shares[key])
    confidence = _confidence(reading, asked, probability, order[0], opinion)
    first, hint = _first(order[0], asked, confidence, probability, known=asked.hint in shares)
    clear = confidence != "low"
    torn = confidence == "medium" or (confidence == "low" and certainty_of(1.0, reading.in_scope) != "low")
    near = tuple(key for key in order if key != first and shares[key] >= NEAR) if torn else ()
    beside = tuple(key for key in beside if key in shares and key != first) if clear else ()
    candidates = list(dict.fromkeys((first, *((order[0],) if hint is HintRead.EXPANDED else ()), *beside, *near)))
    if asked.insists:
        candidates = candidates[:1]
    mode, forced = _mode(asked.mode, len(candidates), spread=len(set(beside)) + 1)
    brought = _brought(first, candidates, brings or {}, probability) if asked.mode != "fast" and clear else ()
    if brought and asked.mode is None:
        mode = "deep"
    domains = tuple(dict.fromkeys((*candidates, *brought)))[: DOMAINS_AT_MOST[mode]]
    ambiguous = bool(near) and not asked.insists
    if hint is HintRead.RESPECTED and len(domains) > 1:
        hint = HintRead.EXPANDED
    return Decided(
        domains=domains,
        mode=mode,
        confidence=confidence,
        probability=round(probability, 4),
        flags=_flags(asked, confidence, hint, ambiguous=ambiguous, forced=forced),
        hint=hint,
        near=tuple(key for key in near if key in domains),
        beside=tuple(key for key in beside if key in domains),
        brought=tuple(key for key in brought if key in domains),
    )


def _weighed(reading: Reading, asked: Asked, opinion: str | None) -> tuple[dict[str, float], float]:
    """The share of each domain but the laboratory, and the probability that the likeliest of them is right."""
    shares = {score.domain: max(score.share, 1e-6) for score in reading.scores if score.domain != LAB}
    if asked.insists:
        shares[asked.hint] = max(shares.values()) * 100
        return _normed(shares), max(_SAID * reading.in_scope, _SAID_OF_NOTHING)
    signals = ((asked.hint, _HINT_ODDS), (opinion, _OPINION_ODDS))
    for domain, odds in signals:
        if domain in shares:
            shares[domain] *= odds
    shares = _normed(shares)
    first = max(shares, key=lambda key: shares[key])
    plain = reading.probability if first == reading.first else reading.probability * reading.share_of(first)
    odds = max(plain, 1e-6) / max(1 - plain, 1e-6)
    for domain, weight in signals:
        if domain is not None and domain in shares:
            odds *= weight if domain == first else 1 / weight
    return shares, odds / (1 + odds)


def _normed(shares: Mapping[str, float]) -> dict[str, float]:
    total = sum(shares.values())
    return {domain: share / total for domain, share in shares.items()}


def _confidence(reading: Reading, asked: Asked, probability: float, first: str, opinion: str | None) -> Confidence:
    """The probability cut into three. A model's opinion alone makes nothing sure; a closed laboratory nothing right."""
    if asked.insists:
        return certainty_of(probability, 1.0)
    in_scope = max(reading.in_scope, probability) if opinion or asked.hint == first else reading.in_scope
    found: Confidence = certainty_of(probability, in_scope)
    if found == "high" and (opinion is not None or reading.first == LAB):
        return "medium"
    return found


def _first(
    likeliest: str, asked: Asked, confidence: Confidence, probability: float, *, known: bool
) -> tuple[str, HintRead]:
    """The first domain of the plan. A hint is a strong preference; what is clear beats it, or a pack without it."""
    if asked.hint == "auto":
        return likeliest, HintRead.NONE
    if asked.hint == LAB:
        return likeliest, HintRead.LAB
    if not known and not asked.insists:
        return likeliest, HintRead.OVERRIDDEN
    if asked.insists or likeliest == asked.hint or confidence == "low":
        return asked.hint, HintRead.RESPECTED
    if probability >= _OVERRIDES:
        return likeliest, HintRead.OVERRIDDEN
    return asked.hint, HintRead.EXPANDED


def _mode(wanted: Mode | None, candidates: int, *, spread: int) -> tuple[Mode, bool]:
    """The mode, and whether it is deep although fast was asked for: the message asks about more than fast can hold."""
    if wanted == "fast":
        return ("deep", True) if spread > DOMAINS_AT_MOST["fast"] else ("fast", False)
    if wanted == "deep":
        return "deep", False
    return ("deep" if candidates > 1 else "fast"), False


def _brought(
    first: str, candidates: Sequence[str], brings: Mapping[str, Sequence[str]], probability: float
) -> tuple[str, ...]:
    if probability < _COMPANION:
        return ()
    return tuple(key for key in brings.get(first, ()) if key not in candidates and key != LAB)


def _flags(asked: Asked, confidence: Confidence, hint: HintRead, *, ambiguous: bool, forced: bool) -> tuple[str, ...]:
    """In the order of the document. Who asks for the laboratory gets its two, whatever else is unclear."""
    applies = {
        "needs-clarification": confidence == "low" and not asked.lab,
        "domain-hint-overridden": hint is HintRead.OVERRIDDEN,
        "lab-access-requested": asked.lab,
        "lab-access-denied": asked.lab,
        "router-ambiguity-detected": ambiguous and not asked.lab,
        "mode-forced-deep": forced,
    }
    return tuple(flag for flag, is_so in applies.items() if is_so)
