"""From a reading to domains, mode, confidence and flags of a plan. Source: spec/4, 3.

Probabilities are those of the reading, changed by the wishes of the asker. `phases.py` limits the result by the phase,
and `rationale.py` puts it into words.
"""

from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from typing import Final

from core.contracts import Contract
from routing.contracts.reading import Reading
from routing.contracts.values import DOMAINS_AT_MOST, Confidence, DomainHint, Mode
from routing.engine.classifier import NEAR
from routing.engine.confidence import certainty_of
from routing.understanding.phrases import LAB

_HINT_ODDS: Final = 4.0
"""The odds of a domain that the asker chose: right three times in four, by seven domains."""
_INSISTED: Final = 0.97
_INSISTED_AT_LEAST: Final = 0.6
"""The probability of a domain that the asker corrects a plan to; the latter of a message that says nothing."""
_OPINION_ODDS: Final = 8.0
"""The same for a domain that a model names: it says the right one far oftener than it says one for what has none."""
_OVERRIDES: Final = 0.9
"""The probability, after the odds of the hint, from which another domain is taken instead."""
_SPEAKS: Final = 0.01
"""The share under which a hint has no support."""
_COMPANION: Final = 0.5
"""How sure a fine label must be before the domains that it brings come along."""


class HintRead(StrEnum):
    """The fate of the domain that the asker chose."""

    NONE = "none"
    RESPECTED = "respected"
    EXPANDED = "expanded"
    OVERRIDDEN = "overridden"
    UNKNOWN = "unknown"  # the pack does not have it
    LAB = "lab"


class Wishes(Contract):
    """The wishes of the asker besides the message. `insists`: they saw a plan, and correct it to the hint."""

    hint: DomainHint = "auto"
    mode: Mode | None = None
    lab: bool = False
    insists: bool = False


class Decided(Contract):
    """The decisions for a plan. `probability`: that `about`, the domain that the question was read as, is right; of a
    plan without it, that its first domain is.

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
    wishes: Wishes,
    *,
    parts: Sequence[str] = (),
    brings: Mapping[str, Sequence[str]] | None = None,
    opinion: str | None = None,
) -> Decided:
    """The decisions that follow from a reading.

    `parts`: the domains that parts of the message clearly ask about, the likeliest first. `brings`: by domain, what
    comes along when it is the first one. `opinion`: the domain that a model named, one more signal.
    """
    if wishes.insists:
        return _corrected(reading, wishes)
    shares, probability = _weighed(reading, wishes, opinion)
    order = sorted(shares, key=lambda key: -shares[key])
    about = order[0]
    confidence = _confidence(reading, wishes, probability, about, opinion)
    clear = confidence != "low"
    spread = tuple(key for key in parts if key in shares) if clear else ()
    near = tuple(key for key in order if key != about and shares[key] >= NEAR) if _torn(reading, confidence) else ()
    brought = tuple(key for key in (brings or {}).get(about, ()) if key in shares and probability >= _COMPANION)
    brought = brought if clear and wishes.mode != "fast" else ()
    hint = _hint(about, wishes, shares, probability, clear=clear, others={*spread, *near, *brought})
    first = (wishes.hint,) if hint in (HintRead.RESPECTED, HintRead.EXPANDED) else ()
    meant = dict.fromkeys((*first, about, *spread, *near) if clear or not first else first)
    mode, forced = _mode(wishes.mode, len({*meant, *brought}), spread=len({*spread, about}))
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
        flags=_flags(reading, wishes, confidence, hint, ambiguous=ambiguous, forced=forced),
        hint=hint,
        near=tuple(key for key in near if key in domains and key not in spread and key != domains[0]),
        beside=tuple(key for key in spread if key in domains and key not in (about, domains[0])),
        brought=tuple(key for key in brought if key in domains and key not in meant),
    )


def _corrected(reading: Reading, wishes: Wishes) -> Decided:
    """The decisions after a correction: the hint is the only domain, and the mode stays."""
    probability = max(_INSISTED * reading.in_scope, _INSISTED_AT_LEAST)
    return Decided(
        domains=(wishes.hint,),
        about=wishes.hint,
        mode=wishes.mode or "fast",
        confidence=certainty_of(probability, 1.0),
        probability=round(probability, 4),
        flags=(),
        hint=HintRead.RESPECTED,
    )


def _torn(reading: Reading, confidence: Confidence) -> bool:
    """Whether domains that are near may be meant as well: the question is in scope, and not clearly of one domain."""
    return confidence == "medium" or (confidence == "low" and certainty_of(1.0, reading.in_scope) != "low")


def _weighed(reading: Reading, wishes: Wishes, opinion: str | None) -> tuple[dict[str, float], float]:
    """The share of each domain but the laboratory, and the probability that the likeliest of them is right."""
    shares = {score.domain: max(score.share, 1e-6) for score in reading.scores if score.domain != LAB}
    signals = ((wishes.hint, _HINT_ODDS), (opinion, _OPINION_ODDS))
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


def _confidence(reading: Reading, wishes: Wishes, probability: float, first: str, opinion: str | None) -> Confidence:
    """The probability cut into three; at most medium by a model's opinion alone, and for the closed laboratory."""
    in_scope = max(reading.in_scope, probability) if opinion or wishes.hint == first else reading.in_scope
    confidence: Confidence = certainty_of(probability, in_scope)
    if confidence == "high" and (opinion is not None or reading.first == LAB):
        return "medium"
    return confidence


def _hint(
    about: str,
    wishes: Wishes,
    shares: Mapping[str, float],
    probability: float,
    *,
    clear: bool,
    others: Collection[str],
) -> HintRead:
    """The fate of the hint. It is a strong preference: only a clear domain overrides it, and only where it has no
    support. It alone counts where the message is unclear.
    """
    if wishes.hint in ("auto", LAB):
        return HintRead.NONE if wishes.hint == "auto" else HintRead.LAB
    if wishes.hint not in shares:
        return HintRead.UNKNOWN
    if wishes.hint == about or not clear:
        return HintRead.RESPECTED
    if wishes.hint in others:
        return HintRead.EXPANDED
    is_beaten = probability >= _OVERRIDES or shares[wishes.hint] < _SPEAKS
    return HintRead.OVERRIDDEN if is_beaten else HintRead.EXPANDED


def _mode(wanted: Mode | None, candidates: int, *, spread: int) -> tuple[Mode, bool]:
    """The mode, and whether it is deep although fast was wanted: the message asks about more than fast can hold."""
    if wanted == "fast":
        return ("deep", True) if spread > DOMAINS_AT_MOST["fast"] else ("fast", False)
    if wanted == "deep":
        return "deep", False
    return ("deep" if candidates > 1 else "fast"), False


def _flags(
    reading: Reading, wishes: Wishes, confidence: Confidence, hint: HintRead, *, ambiguous: bool, forced: bool
) -> tuple[str, ...]:
    """In the order of the document. A message that itself asks for the laboratory is neither unclear nor ambiguous."""
    is_lab = wishes.lab and (wishes.hint != LAB or reading.first == LAB)
    applies = {
        "needs-clarification": confidence == "low" and not is_lab,
        "domain-hint-overridden": hint in (HintRead.OVERRIDDEN, HintRead.UNKNOWN),
        "lab-access-requested": wishes.lab,
        "lab-access-denied": wishes.lab,
        "router-ambiguity-detected": ambiguous and not is_lab,
        "mode-forced-deep": forced,
    }
    return tuple(flag for flag, is_so in applies.items() if is_so)
