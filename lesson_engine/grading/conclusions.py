"""Which number of a reply is its answer: 3 in "6 V between 2 bulbs is 3 V".

The others are denied, are the question's own, are worked with, or belong to a reason. A reply that offers several, or
the right one only among others ("3 or 4", "2, 3, 4"), settles on none.
"""

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from language.dates import MONTHS
from language.fold import fold_in_place

from .andamio_3.stems import stem
from .givens import asked, given, of_other_kind, repeats
from .quantities import CONVERSION_SLACK, Quantity
from .roles import PART_ENDS, after_unit, said
from .units import Unit, convert

# Of the roles of words: see `roles`.
_DENIED_BEFORE = re.compile(r"n[^,:]*$")
_DENIED_AFTER = re.compile(r"w?c?(?:d|n[w-]?(?=,))")
_RESULT = re.compile(r"[=at][-rc=:]*$")
_COPULA = re.compile(r"c-*$")
_SAID_OF_IT = re.compile(r"w{0,2}c")
_WORKED_WITH = re.compile(r"[wr-]{0,6}[x:]+-*")
_BETWEEN = re.compile(r"x-*$")
_AND = re.compile(r"w?&-*")
_SHARE_OF = re.compile(r"hr?-*$")
_NOTHING_BEFORE = re.compile(r"(?:[wx]=)?[-=ca&t]*")
_NOTHING_AFTER = re.compile(r"w{0,2}[-=t]*")
_OR_IN_WORDS = re.compile(r"o-*N|N[w-]*o")

_IF_THEN = re.compile(r"^((?:si|como)\b.*?\b)pues\b")
_MONTH = re.compile(r" ?(?:de )?([a-z]{3,10})\b")


def not_denied(text: str, named: Sequence[Quantity], language: str) -> list[Quantity]:
    """Those of the quantities of a prepared text of which it does not say that it is not them."""
    reply = _Reply(text, named, language)
    return [quantity for at, quantity in enumerate(named) if not reply.denies(at)]


def conclusion(
    text: str, named: Sequence[Quantity], language: str, *, question: str = "", expected: Unit | None = None
) -> Quantity | None:
    """The one of the quantities of a prepared text that it settles on; None where it offers several."""
    chosen = _Reply(text, named, language, question, expected).settled()
    if chosen is None or chosen.unit:
        return chosen
    # "350 Ω, since 7/0.02 = 350" has said its unit before.
    with_unit = (q for q in named if q.unit and q.number.readings == chosen.number.readings)
    return next((q for q in with_unit if not of_other_kind(q.unit, expected)), chosen)


class _Reply:
    """Quantities by their places, with what is said before each one and after the last."""

    def __init__(
        self, text: str, named: Sequence[Quantity], language: str, question: str = "", expected: Unit | None = None
    ) -> None:
        text = _IF_THEN.sub(r"\1so  ", fold_in_place(text))
        self.named, self.expected, self.language = named, expected, language
        self.question, self.given, self.asked = (
            fold_in_place(question),
            given(question, language),
            asked(question, language),
        )
        ends = [0, *(quantity.number.end for quantity in named)]
        starts = [*(quantity.number.start for quantity in named), len(text)]
        self.texts = [text[end:start] for end, start in zip(ends, starts, strict=True)]
        first, *others = self.texts
        others[-1:] = [f"{text}," for text in others[-1:]]
        self.said = [said(first), *(said(after_unit(text, language)) for text in others)]
        self.roles = [said.roles for said in self.said]

    def denies(self, at: int) -> bool:
        return bool(_DENIED_BEFORE.search(self.roles[at]) or _DENIED_AFTER.match(self.roles[at + 1]))

    def settled(self) -> Quantity | None:
        if any(map(_OR_IN_WORDS.search, self.roles)):
            return None
        if len(self.named) == 1:
            return self.named[0]
        free = {at for at in range(len(self.named)) if not self._is_worked_with(at)}
        places = [at for at in self._stated(free) if at in free]
        result = next((at for at in reversed(places) if self._is_result(at)), None)
        candidates = [at for at in places if not self._is_on_the_way(at, result)]
        own = [at for at in candidates if not self._is_aside(at)]
        alone = [at for at in own if self._is_alone(at)]
        if result is not None and (result in own or "a" in self.roles[result]):
            alone.append(result)
        elif result is not None and not (own and self._checks(own, result, free)):
            own.append(result)
        pool = next((pool for pool in (alone, own, candidates) if pool), [])
        if pool and not self._are_one(pool):
            pool = self._asked_for(pool)
        if not pool or not self._are_one(pool) or self._offers_other(pool[0], places, result):
            return None
        return self.named[pool[0]]

    def _stated(self, free: set[int]) -> range:
        """The places after the last "so" and before "because"; all of them where nothing is stated there."""
        every = range(len(self.named))
        start = max((at for at in every if "s" in self.roles[at]), default=0)
        stop = next((at for at in every[start:] if "b" in self.roles[at].rpartition("s")[2]), len(every))
        return every if free.isdisjoint(every[start:stop]) else every[start:stop]

    def _is_worked_with(self, at: int) -> bool:
        """Such as both in "6 / 2" and "between 4 and 10", and the second in "half of 6" and "25% of 40"."""
        before, after = self.roles[at], self.roles[at + 1]
        if _SHARE_OF.search(before) or (_BETWEEN.search(before) and _AND.fullmatch(after)):
            return True
        if at + 1 < len(self.named) and _WORKED_WITH.fullmatch(after):
            return True
        if not at:
            return False
        of_a_share = before == "r" and abs(self.named[at - 1].number.shares[0]) < 1
        between = _AND.fullmatch(before) and _BETWEEN.search(self.roles[at - 1])
        return bool(of_a_share or between or _WORKED_WITH.fullmatch(before))

    def _is_result(self, at: int) -> bool:
        """After "=", "makes" and such; after "is" where it ends a sentence about other numbers, or the reply."""
        before, is_last = self.roles[at], 0 < at == len(self.named) - 1
        if _RESULT.search(before):
            return "t" not in before or not self._is_aside(at)
        if _COPULA.search(before):
            return is_last or self._is_found(at)
        return is_last and self._is_alone(at) and any(map(self._is_found, range(at)))

    def _is_found(self, at: int) -> bool:
        """Whether a sentence finds it from other numbers."""
        before = self.roles[at]
        return at > 0 and "," not in before and bool(_RESULT.search(before) or _COPULA.search(before))

    def _is_on_the_way(self, at: int, result: int | None) -> bool:
        """Whether the sentence that ends in the result is about this number, or an earlier one found it."""
        if result is None or at >= result:
            return False
        return self._is_found(at) or all("," not in roles for roles in self.roles[at + 1 : result + 1])

    def _checks(self, own: list[int], result: int, free: set[int]) -> bool:
        """Whether the result is one of the question's, found again with the reply's own: "3 each, 3 + 3 = 6"."""
        return any(self._are_one([at, *own]) for at in range(result) if at not in free)

    def _is_aside(self, at: int) -> bool:
        """Whether it is the question's, of another kind than what is asked for, or the day of a date."""
        quantity = self.named[at]
        other_kind = of_other_kind(quantity.unit, self.expected)
        return other_kind or self._is_day(at) or any(repeats(quantity, theirs) for theirs in self.given)

    def _is_day(self, at: int) -> bool:
        month = _MONTH.match(self.texts[at + 1])
        return month is not None and month[1] in MONTHS

    def _is_alone(self, at: int) -> bool:
        """Whether a clause has nothing else in it, and it counts nothing that the question does not name."""
        before, after = self.said[at], self.said[at + 1]
        if self.question and self._thing(at) not in self.question:
            return False
        whole = (not at or before.ends_clause) and after.ends_clause
        return bool(
            whole and _NOTHING_BEFORE.fullmatch(before.last().roles) and _NOTHING_AFTER.fullmatch(after.first().roles)
        )

    def _asked_for(self, places: Sequence[int]) -> list[int]:
        """Those of which words of the question are said that are not said of the others: "ended in 1945"."""
        said_of = {at: self._said_of(at) & self.asked for at in places}
        return [at for at in places if said_of[at].difference(*(said_of[other] for other in places if other != at))]

    def _said_of(self, at: int) -> set[str]:
        near = (*self.said[at].last(PART_ENDS).words, *self.said[at + 1].first(PART_ENDS).words)
        return {stem(word, self.language) for word in near}

    def _offers_other(self, chosen: int, places: Sequence[int], result: int | None) -> bool:
        """Whether another number is offered right beside the chosen one."""
        for pair in pairwise(range(len(self.named))):
            differ = [at for at in pair if not self._are_one([at, chosen])]
            between = self.roles[pair[1]]
            if len(differ) != 1:
                continue
            if "o" in between:
                return True
            leads = pair[1] == result and _SAID_OF_IT.match(between)
            told_apart = leads or self._is_told(differ[0], chosen)
            if {*pair} <= {*places} and not told_apart and self._are_alike(*pair):
                return True
        return False

    def _is_told(self, other: int, chosen: int) -> bool:
        """Whether it is a day, or counts other things: 8 in "12 edges and 8 corners", 12 in "12 slices, 3 each"."""
        if self._is_day(other):
            return True
        thing, counted = self._thing(other), self._thing(chosen)
        return bool(thing) and thing != counted and bool(counted or (thing in self.question and self._is_aside(other)))

    def _thing(self, at: int) -> str:
        unit = self.named[at].unit
        return unit.word if unit and len(unit.word) > 2 and self.roles[at + 1].startswith("w") else ""

    def _are_alike(self, left: int, right: int) -> bool:
        """Whether the same or nothing is said of both, as in "it is 3, it is 6", "3 each, 6 each" and "6 and 3"."""
        before, between, after = self.said[left].last(), self.said[right], self.said[right + 1].first().after_thing()
        told_apart = [*between.after_thing().telling()]
        if not told_apart and "c" not in between.roles and not self._is_found(left):
            return not (between.ends_clause and [*after.telling()])
        both = [*after.telling(), *before.telling()]
        return (not left or self.said[left].ends_clause) and both in (told_apart, [*between.telling()])

    def _are_one(self, places: Sequence[int]) -> bool:
        """Whether they are one quantity: "0.4 or 40%" and "175 cm or 1.75 m" say one thing twice."""
        first, *others = (self.named[at] for at in places)
        return all(self._is_same(first, other) for other in others)

    def _is_same(self, first: Quantity, second: Quantity) -> bool:
        if of_other_kind(first.unit, second.unit):
            return False
        theirs = self._values(second)
        return any(
            abs(mine - their) <= abs(their) * CONVERSION_SLACK for mine in self._values(first) for their in theirs
        )

    def _values(self, quantity: Quantity) -> tuple[Fraction, ...]:
        """Its readings in the unit that is asked for."""
        shares = quantity.number.shares
        if quantity.unit is None or self.expected is None:
            return shares
        converted = (convert(share, quantity.unit, self.expected) for share in shares)
        return tuple(value for value in converted if value is not None) or shares
