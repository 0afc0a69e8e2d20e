"""From a reading to what a plan says: which domains, which mode, how sure, which flags. Source: spec/4, 3.

Probabilities are those of the reading, changed by what the asker said beside the message. What follows from them is
here; how a phase binds the result is in `phases.py`, and how it is put into words in `rationale.py`.
"""

from collections.abc import Collection, Mapping, Sequence
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
_SPEAKS: Final = 0.01
"""The share under which nothing speaks for a hint."""
_COMPANION: Final = 0.5
"""How sure a fine label must be before the domains that it brings come along."""


class HintRead(StrEnum):
    """What became of the domain that the asker chose."""

    NONE = "none"
    RESPECTED = "respected"
    EXPANDED = "expanded"
    OVERRIDDEN = "overridden"
    UNKNOWN = "unknown"  # the pack does not have it
    LAB = "lab"


class Asked(Contract):
    """What the asker said beside the message. `insists`: they saw a plan and say that the hint is the right domain."""

    hint: DomainHint = "auto"
    mode: Mode | None = None
    lab: bool = False
    insists: bool = False


class Decided(Contract):
    """What a plan will say. `probability`: that the domain which the question was read as, `about`, is right; of a plan
    without it, that its first domain is.

    `beside` are domains that parts of the message ask about, `near` those it may be about as well, `brought` those that
    come along.
    """

    domains: tuple[str, ...]
    about: str
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
    parts: Sequence[str] = (),
    brings: Mapping[str, Sequence[str]] | None = None,
    opinion: str | None = None,
) -> Decided:
    """What follows from a reading.

    `parts`: the domains that parts of the message clearly ask about, the likeliest first. `brings`: by domain, what
    comes along when it is the first one. `opinion`: the domain that a model named, one more signal.
    """
    if asked.insists:
        return _corrected(reading, asked)
    shares, probability = _weighed(reading, asked, opinion)
    order = sorted(shares, key=lambda key: -shares[key])
    about = order[0]
    confidence = _confidence(reading, asked, probability, about, opinion)
    clear = confidence != "low"
    spread = tuple(key for key in parts if key in shares) if clear else ()
    near = tuple(key for key in order if key != about and shares[key] >= NEAR) if _torn(reading, confidence) else ()
    brought = tuple(key for key in (brings or {}).get(about, ()) if key in shares and probability >= _COMPANION)
    brought = brought if clear and asked.mode != "fast" else ()
    hint = _hint(about, asked, shares, probability, clear=clear, others={*spread, *near, *brought})
    first = (asked.hint,) if hint in (HintRead.RESPECTED, HintRead.EXPANDED) else ()
    meant = dict.fromkeys((*first, about, *spread, *near) if clear or not first else first)
    mode, forced = _mode(asked.mode, len({*meant, *brought}), spread=len({*spread, about}))
    domains = tuple(dict.fromkeys((*meant, *brought)))[: DOMAINS_AT_MOST[mode]]
    if hint is HintRead.RESPECTED and len(domains) > 1:
        hint = HintRead.EXPANDED
    ambiguous = any(key in domains and key not in spread for key in near)
    return Decided(
        domains=domains,
        about=about if about in domains else domains[0],
        mode=mode,
        confidence=confidence,
        probability=round(probability if about in domains else shares[domains[0]] * reading.in_scope, 4),
        flags=_flags(reading, asked, confidence, hint, ambiguous=ambiguous, forced=forced),
        hint=hint,
        near=tuple(key for key in near if key in domains and key not in spread and key != domains[0]),
        beside=tuple(key for key in spread if key in domains and key not in (about, domains[0])),
        brought=tuple(key for key in brought if key in domains and key not in meant),
    )


def _corrected(reading: Reading, asked: Asked) -> Decided:
    """The asker saw a plan and says that the hint is the domain: it is the only one, and the mode stays."""
    probability = max(_SAID * reading.in_scope, _SAID_OF_NOTHING)
    return Decided(
        domains=(asked.hint,),
        about=asked.hint,
        mode=asked.mode or "fast",
        confidence=certainty_of(probability, 1.0),
        probability=round(probability, 4),
        flags=(),
        hint=HintRead.RESPECTED,
    )


def _torn(reading: Reading, confidence: Confidence) -> bool:
    """Whether what lies near may be meant as well: the question is about something, and not clearly about one thing."""
    return confidence == "medium" or (confidence == "low" and certainty_of(1.0, reading.in_scope) != "low")


def _weighed(reading: Reading, asked: Asked, opinion: str | None) -> tuple[dict[str, float], float]:
    """The share of each domain but the laboratory, and the probability that the likeliest of them is right."""
    shares = {score.domain: max(score.share, 1e-6) for score in reading.scores if score.domain != LAB}
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
    in_scope = max(reading.in_scope, probability) if opinion or asked.hint == first else reading.in_scope
    found: Confidence = certainty_of(probability, in_scope)
    if found == "high" and (opinion is not None or reading.first == LAB):
        return "medium"
    return found


def _hint(
    about: str,
    asked: Asked,
    shares: Mapping[str, float],
    probability: float,
    *,
    clear: bool,
    others: Collection[str],
) -> HintRead:
    """What becomes of the hint. It is a strong preference: only what is clear beats it, and only where nothing speaks
    for it. It is all there is where the message says nothing.
    """
    if asked.hint in ("auto", LAB):
        return HintRead.NONE if asked.hint == "auto" else HintRead.LAB
    if asked.hint not in shares:
        return HintRead.UNKNOWN
    if asked.hint == about or not clear:
        return HintRead.RESPECTED
    if asked.hint in others:
        return HintRead.EXPANDED
    is_beaten = probability >= _OVERRIDES or shares[asked.hint] < _SPEAKS
    return HintRead.OVERRIDDEN if is_beaten else HintRead.EXPANDED


def _mode(wanted: Mode | None, candidates: int, *, spread: int) -> tuple[Mode, bool]:
    """The mode, and whether it is deep although fast was asked for: the message asks about more than fast can hold."""
    if wanted == "fast":
        return ("deep", True) if spread > DOMAINS_AT_MOST["fast"] else ("fast", False)
    if wanted == "deep":
        return "deep", False
    return ("deep" if candidates > 1 else "fast"), False


def _flags(
    reading: Reading, asked: Asked, confidence: Confidence, hint: HintRead, *, ambiguous: bool, forced: bool
) -> tuple[str, ...]:
    """In the order of the document. A message that itself asks for the laboratory is neither unclear nor ambiguous."""
    is_lab = asked.lab and (asked.hint != LAB or reading.first == LAB)
    applies = {
        "needs-clarification": confidence == "low" and not is_lab,
        "domain-hint-overridden": hint in (HintRead.OVERRIDDEN, HintRead.UNKNOWN),
        "lab-access-requested": asked.lab,
        "lab-access-denied": asked.lab,
        "router-ambiguity-detected": ambiguous and not is_lab,
        "mode-forced-deep": forced,
    }
    return tuple(flag for flag, is_so in applies.items() if is_so)
