"""The patterns of a failure: outcomes that earlier failures had too, each under a condition."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from reflection.contracts import PatternFound, PatternState
from reflection.contracts.failure import EPISODES_READ, Failure, PastEpisode
from reflection.patterns.counting import OCCURRENCES_AT_LEAST, Ending, Tally, ending_of
from reflection.patterns.features import features_of
from reflection.patterns.naming import field_of, kind_of, value_of
from reflection.patterns.words import pattern_words

PATTERNS_FOUND_AT_MOST: Final = 5
_OUTCOMES: Final = ("fails", "missing", "rejected", "unclear")
"""The first ones say the most."""
_CHOSEN: Final = ("priority", "constraint", "constrained", "unconstrained", "adjusted", "setting", "asks")
_INCIDENTAL: Final = ("source", "language")
"""Circumstances that were not chosen; each counts alone."""
Condition = tuple[str, ...]


@dataclass(frozen=True)
class _Candidate:
    """An outcome under a condition. `shown` and `contrary` are episodes, by their places as bits."""

    outcome: str
    condition: Condition
    tally: Tally
    shown: int
    contrary: int

    @property
    def strength(self) -> tuple[bool, float, int, int, Condition]:
        """The strongest is the least."""
        is_provisional = self.tally.state != PatternState.ESTABLISHED
        return is_provisional, -self.tally.lower_bound, -self.tally.support, self._rank, self.condition

    @property
    def _rank(self) -> int:
        """Among conditions with the same counts: options sorted by another field, then a plan without the constraint;
        then no condition, before a trivial one.
        """
        kinds = [kind_of(feature) for feature in self.condition]
        fields = [value_of(feature) for feature in self.condition]
        own = field_of(self.outcome)
        match kinds:
            case ["priority"] if fields != [own]:
                return 0
            case ["asks", "priority"] if fields[0] == own != fields[1]:
                return 1
            case ["unconstrained"] if fields == [own]:
                return 2
            case []:
                return 3
            case ["asks"] if fields == [own]:
                return 4
            case [kind] if kind in _CHOSEN:
                return 5
        return 5 + len(kinds)


def patterns_found(failure: Failure) -> list[PatternFound]:
    """Outcomes that at least three failed episodes of the user and type of task had in common, this failure being one.

    Each outcome once, under the condition that goes with it most clearly; at most five, the strongest first, of the 50
    latest episodes. Sources: RF-008; RT-010, 5; design.md, "Settled", 5; docs: decision 25.
    """
    past = [episode for episode in failure.past[:EPISODES_READ] if episode.failed is not None]
    if sum(episode.failed is True for episode in past) < OCCURRENCES_AT_LEAST - 1:
        return []
    own = features_of(failure.plan, failure.evaluation)
    return [_pattern(candidate, failure, past) for candidate in _chosen(_candidates(own, past))]


def _candidates(own: frozenset[str], past: list[PastEpisode]) -> Iterator[_Candidate]:
    """For each outcome that is a pattern the best condition. This failure's place is the first."""
    episodes = [(own, True), *((episode.features, episode.failed is True) for episode in past)]
    having = {name: _bits(name in features for features, _ in episodes) for name in sorted(own)}
    conditions = _conditions(having, (1 << len(episodes)) - 1)
    for outcome in sorted(feature for feature in own if kind_of(feature) in _OUTCOMES):
        ends = [ending_of(outcome, features, failed=failed) for features, failed in episodes]
        shown, contrary = (_bits(end is wanted for end in ends) for wanted in (Ending.SHOWN, Ending.CONTRARY))
        candidates = _under(outcome, conditions, shown, contrary)
        valid = [candidate for candidate in candidates if candidate.tally.state != PatternState.RETIRED]
        if valid:
            yield min(valid, key=lambda candidate: candidate.strength)


def _bits(values: Iterable[bool]) -> int:
    return sum(1 << place for place, value in enumerate(values) if value)


def _conditions(having: dict[str, int], everywhere: int) -> dict[Condition, int]:
    """Conditions of at most two circumstances, with the episodes under them."""
    chosen = [feature for feature in having if kind_of(feature) in _CHOSEN]
    conditions: dict[Condition, int] = {(): everywhere}
    conditions |= {(name,): bits for name, bits in having.items() if kind_of(name) in (*_CHOSEN, *_INCIDENTAL)}
    return conditions | {(first, second): having[first] & having[second] for first, second in combinations(chosen, 2)}


def _under(outcome: str, conditions: dict[Condition, int], shown: int, contrary: int) -> Iterator[_Candidate]:
    for condition, bits in conditions.items():
        if (bits & shown).bit_count() >= OCCURRENCES_AT_LEAST:
            tally = Tally((bits & shown).bit_count(), (bits & contrary).bit_count(), bits.bit_count())
            yield _Candidate(outcome, condition, tally, bits & shown, bits & contrary)


def _chosen(candidates: Iterable[_Candidate]) -> list[_Candidate]:
    """The strongest; of a criterion and its field one. Outcomes of the same episodes come after those of others."""
    ordered = sorted(candidates, key=_order)
    by_field = {(kind_of(each.outcome), field_of(each.outcome)): each for each in reversed(ordered)}
    chosen = [each for each in ordered if by_field[kind_of(each.outcome), field_of(each.outcome)] is each]
    first = {candidate.shown: candidate for candidate in reversed(chosen)}
    return sorted(chosen, key=lambda candidate: first[candidate.shown] is not candidate)[:PATTERNS_FOUND_AT_MOST]


def _order(candidate: _Candidate) -> tuple[object, ...]:
    """By strength, then by kind; of the same strength, a criterion says more than its field."""
    outcome = candidate.outcome
    return candidate.strength[:3], _OUTCOMES.index(kind_of(outcome)), field_of(outcome) == value_of(outcome)


def _pattern(candidate: _Candidate, failure: Failure, past: list[PastEpisode]) -> PatternFound:
    def ids(bits: int) -> tuple[str, ...]:
        return tuple(episode.id for place, episode in enumerate(past, 1) if bits >> place & 1)

    pattern = PatternFound(
        text="",
        domain=failure.domain,
        condition=candidate.condition,
        outcome=candidate.outcome,
        episodes=ids(candidate.shown),
        contrary_episodes=ids(candidate.contrary),
        **candidate.tally.figures,
    )
    return pattern.model_copy(update={"text": pattern_words(pattern, failure.language)})
