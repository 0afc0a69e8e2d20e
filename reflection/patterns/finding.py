"""What keeps happening: the outcomes of a failure that earlier failures had too, and under which condition."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from reflection.contracts import PatternFound, PatternState
from reflection.failure import EPISODES_READ, Failure, PastEpisode
from reflection.patterns.counting import OCCURRENCES_AT_LEAST, Ending, Tally, counted, ending_of
from reflection.patterns.features import features_of
from reflection.patterns.naming import field_of, kind_of, value_of
from reflection.patterns.words import pattern_words

PATTERNS_FOUND_AT_MOST: Final = 5
_OUTCOMES: Final = ("fails", "missing", "rejected", "unclear")
"""The first ones say the most."""
_CHOSEN: Final = ("priority", "constraint", "constrained", "unconstrained", "adjusted", "setting", "asks")
_INCIDENTAL: Final = ("source", "language")
"""What nobody chose says something only where episodes differ in it, and alone."""
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
        """Of conditions under which the counts are the same: that options were sorted by something else, then that the
        plan did not hold itself to what was asked; then none, which says more than one that goes without saying.
        """
        kinds = [kind_of(one) for one in self.condition]
        fields = [
            one.partition("=" if kind == "priority" else ":")[2]
            for one, kind in zip(self.condition, kinds, strict=True)
        ]
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
    """What at least three failed episodes of the same user and type of task had in common, this failure being one.

    Each outcome once, under the condition that goes with it most clearly; at most five, the strongest first. Read are
    the 50 latest episodes. Sources: RF-008; RT-010, 5; design.md, "Settled", 5; docs: decision 25.
    """
    past = [one for one in failure.past[:EPISODES_READ] if one.failed is not None]
    if sum(one.failed is True for one in past) < OCCURRENCES_AT_LEAST - 1:
        return []
    own = features_of(failure.plan, failure.evaluation)
    return [_found(one, failure, past) for one in _chosen(_candidates(own, past))]


def _candidates(own: frozenset[str], past: list[PastEpisode]) -> Iterator[_Candidate]:
    """For each outcome that is a pattern the best condition. This failure's place is the first."""
    episodes = [(own, True), *((one.features, one.failed is True) for one in past)]
    having = {one: _bits(one in features for features, _ in episodes) for one in sorted(own)}
    conditions = _conditions(having, (1 << len(episodes)) - 1)
    for outcome in sorted(one for one in own if kind_of(one) in _OUTCOMES):
        ends = [ending_of(outcome, features, failed=failed) for features, failed in episodes]
        shown, contrary = (_bits(end is wanted for end in ends) for wanted in (Ending.SHOWN, Ending.CONTRARY))
        found = [one for one in _under(outcome, conditions, shown, contrary) if one.tally.state != PatternState.RETIRED]
        if found:
            yield min(found, key=lambda one: one.strength)


def _bits(held: Iterable[bool]) -> int:
    return sum(1 << place for place, one in enumerate(held) if one)


def _conditions(having: dict[str, int], everywhere: int) -> dict[Condition, int]:
    """Conditions of at most two circumstances, with the episodes under them."""
    chosen = [one for one in having if kind_of(one) in _CHOSEN]
    single = [(one,) for one in having if kind_of(one) in (*_CHOSEN, *_INCIDENTAL)]
    found: dict[Condition, int] = {(): everywhere, **{one: having[one[0]] for one in single}}
    return found | {(one, two): having[one] & having[two] for one, two in combinations(chosen, 2)}


def _under(outcome: str, conditions: dict[Condition, int], shown: int, contrary: int) -> Iterator[_Candidate]:
    for condition, bits in conditions.items():
        if (bits & shown).bit_count() >= OCCURRENCES_AT_LEAST:
            tally = Tally((bits & shown).bit_count(), (bits & contrary).bit_count(), bits.bit_count())
            yield _Candidate(outcome, condition, tally, bits & shown, bits & contrary)


def _chosen(candidates: Iterable[_Candidate]) -> list[_Candidate]:
    """The strongest. Of a criterion and its field one, and what the same episodes show comes after what others do."""
    ordered = sorted(
        candidates, key=lambda one: (one.strength[:3], _OUTCOMES.index(kind_of(one.outcome)), _is_bare(one))
    )
    kept: list[_Candidate] = []
    for one in ordered:
        if not any(_is_same(one, other) for other in kept):
            kept.append(one)
    first = {one.shown: one for one in reversed(kept)}
    fresh = [one for one in kept if first[one.shown] is one]
    return [*fresh, *(one for one in kept if one not in fresh)][:PATTERNS_FOUND_AT_MOST]


def _is_same(one: _Candidate, other: _Candidate) -> bool:
    alike = kind_of(one.outcome) == kind_of(other.outcome)
    return alike and field_of(one.outcome) == field_of(other.outcome)


def _is_bare(one: _Candidate) -> bool:
    """Whether the outcome is a field's: of the same strength, the criterion says more."""
    return field_of(one.outcome) == value_of(one.outcome)


def _found(one: _Candidate, failure: Failure, past: list[PastEpisode]) -> PatternFound:
    def ids(bits: int) -> tuple[str, ...]:
        return tuple(episode.id for place, episode in enumerate(past, 1) if bits >> place & 1)

    pattern = PatternFound(
        text="",
        domain=failure.domain,
        condition=one.condition,
        outcome=one.outcome,
        episodes=ids(one.shown),
        contrary_episodes=ids(one.contrary),
    )
    figured = pattern.model_copy(update=counted(one.tally))
    return figured.model_copy(update={"text": pattern_words(figured, failure.language)})
