"""Quantities: exact arithmetic, any usual way of writing a number, units converted through pint."""

import re
from fractions import Fraction
from functools import lru_cache

from lesson_engine.contracts import Ask, NumericAnswer, Verdict, VerdictResult

from .andamio_3.fold import clean, fold
from .lexicon import bound_words, lexicon
from .matching import Matcher
from .misconceptions import code_where, recognised
from .numbers import MAX_TEXT, find_numbers, prepare
from .quantities import CONVERSION_SLACK, Quantity, quantities
from .units import Unit, convert, read_unit, same_dimension
from .verdicts import accept, not_gradable, partial, reject

_NEGATED = re.compile(r"\b(?:no|not|nunca|never|tampoco)\b(?! (?:se|lo se|idea)\b)")

_REASON = re.compile(r"\b(?:because|since|porque|ya que|puesto que|pues)\b")
_HENCE = re.compile(r"\b(?:so|therefore|thus|entonces|as[ií] que|por (?:lo )?tanto|o ?sea|es decir)\b")


def grade_numeric(ask: Ask, answer: NumericAnswer, text: str, words: Matcher) -> Verdict:
    """Judges the one quantity of the reply; the last of an equation, and none when several differ."""
    if len(clean(text)) > MAX_TEXT:
        return not_gradable("numeric.wrong_form", problem="too_long")
    named = quantities(text, words.language)
    if not named:
        return not_gradable("numeric.wrong_form", problem="no_number")
    committed = (
        _stated(prepare(text), named)
        or _the_one(prepare(text), named)
        or _beside_its_working(ask, answer, text, named, words.language)
    )
    if committed is None:
        return reject("numeric.several", numbers=[_plain(quantity.number.readings[0]) for quantity in named[:10]])
    verdict = _judge(answer, committed, text, words.language)
    if verdict.result is VerdictResult.ACCEPT:
        return verdict
    code = code_where(ask, lambda text: any(_same(committed, other) for other in _example(text, words.language)))
    return recognised(ask, code, "misconception.exact") if code else verdict


def _the_one(text: str, named: list[Quantity]) -> Quantity | None:
    """The quantity that the reply commits itself to: after "=", or the only one, or one said several times."""
    equals = [at for at, char in enumerate(text) if char == "="]
    if equals:
        after = [quantity for quantity in named if quantity.number.start > equals[-1]]
        between = [q for q in named if equals[0] < q.number.start < equals[-1]]
        alternative = len(equals) > 1 and re.search(r"([a-z]) ?=.*\b(?:o|or|y|and)\b.*\b\1 ?=", text.lower())
        if alternative and not _all_equal(between + after):
            return None
        settled = after or named
    else:
        settled = named
    if not _all_equal(settled):
        return None
    # "350 Ω, since 7/0.02 = 350" has said its unit before.
    return next(
        (q for q in [*settled, *named] if q.unit and q.number.readings == settled[0].number.readings), settled[0]
    )


def _beside_its_working(
    ask: Ask, answer: NumericAnswer, text: str, named: list[Quantity], language: str
) -> Quantity | None:
    """The quantity that can be the answer, where all others are of another kind or given in the question.

    "0.25 A, because 6 V are divided by 24 Ω" names three, and settles on one.
    """
    expected = read_unit(answer.unit, language) if answer.unit else None
    if expected is None:
        return None
    start, end = _statement(prepare(text).lower())
    fitting = [
        quantity
        for quantity in named
        if start <= quantity.number.start < end and quantity.unit and same_dimension(quantity.unit, expected)
    ]
    asked_with = {quantity.number.readings for quantity in quantities(ask.question, language)}
    others = [quantity for quantity in named if quantity not in fitting]
    if others and not lexicon(language).alternatives.isdisjoint(_HENCE.sub(" ", fold(text)).split()):
        return None
    working = all(quantity.number.readings in asked_with or _of_other_kind(quantity, expected) for quantity in others)
    converted = (convert(quantity.number.readings[0], quantity.unit, expected) for quantity in fitting if quantity.unit)
    values = {round(float(value or 0), 9) for value in converted}  # pint may know a factor only as a float
    return fitting[0] if working and len(values) == 1 else None


def _stated(text: str, named: list[Quantity]) -> Quantity | None:
    """The one quantity after "so" and before "because", where a reply has such a word: "5/12, because 1/6 = 2/12"."""
    start, end = _statement(text.lower())
    stated = [quantity for quantity in named if start <= quantity.number.start < end]
    return stated[0] if 0 < len(stated) < len(named) and _all_equal(stated) else None


def _of_other_kind(quantity: Quantity, expected: Unit) -> bool:
    unit = quantity.unit
    return unit is not None and bool(unit.factors) and not same_dimension(unit, expected)


def _statement(text: str) -> tuple[int, int]:
    """Where a reply states its answer: after "so", and before "because"."""
    start = max((match.end() for match in _HENCE.finditer(text)), default=0)
    reason = _REASON.search(text, start)
    return start, reason.start() if reason else len(text)


def _all_equal(named: list[Quantity]) -> bool:
    """Whether they are one number: "0.4 or 40%" says one thing twice."""
    return len({_shares(quantity) for quantity in named}) == 1


def _shares(quantity: Quantity) -> tuple[Fraction, ...]:
    """The readings, those of a percentage as parts of one."""
    scale = 100 if quantity.number.percent else 1
    return tuple(reading / scale for reading in quantity.number.readings)


def _judge(answer: NumericAnswer, committed: Quantity, text: str, language: str) -> Verdict:
    expected_unit = read_unit(answer.unit, language) if answer.unit else None
    percents = expected_unit is not None and expected_unit.factors == (("percent", 1),)
    unit = Unit(factors=(("percent", 1),)) if committed.number.percent and percents else committed.unit
    scale = Fraction(1, 100) if committed.number.percent and not percents else Fraction(1)
    bare = [reading * scale for reading in committed.number.readings]
    if fold(text).split() and _NEGATED.search(fold(text)):
        return reject("numeric.negated", given=_plain(bare[0]))
    if unit is None or expected_unit is None:
        values = bare + [reading * 100 for reading in bare if percents]
        right = any(_within(value, answer) for value in values)
        return _of_bare_number(answer, right, bare, committed, text)
    converted = [value for reading in bare if (value := convert(reading, unit, expected_unit)) is not None]
    if any(_within(value, answer, CONVERSION_SLACK) for value in converted):
        return _unless_bound(accept("numeric.value", given=_plain(bare[0]), unit=answer.unit), text)
    return _of_other_unit(answer, unit, expected_unit, bare, text)


def _of_bare_number(
    answer: NumericAnswer, right: bool, bare: list[Fraction], committed: Quantity, text: str
) -> Verdict:
    number = _plain(bare[0])
    if right and answer.unit_required:
        return partial("numeric.unit_missing", 0.7, given=number, unit_problem="missing", unit=answer.unit)
    if right:
        return _unless_bound(accept("numeric.value", given=number), text)
    if committed.number.decimals >= 2 and any(
        _rounds_to(answer.exact, value, committed.number.decimals) for value in bare
    ):
        return partial("numeric.rounded", 0.7, given=number)
    return reject("numeric.value", given=number)


def _of_other_unit(answer: NumericAnswer, unit: Unit, expected: Unit, bare: list[Fraction], text: str) -> Verdict:
    number = _plain(bare[0])
    right = any(_within(value, answer) for value in bare)
    if not right:
        return reject("numeric.value", given=number)
    if unit.word and not answer.unit_required:
        # A word that is no unit: "5 de largo", "6 veces".
        return _unless_bound(accept("numeric.value", given=number, unit_problem="unknown"), text)
    if unit.word and expected.factors:
        return partial("numeric.unit_missing", 0.7, given=number, unit_problem="unknown", unit=answer.unit)
    problem = "scale" if same_dimension(unit, expected) else "dimension"
    return partial("numeric.unit_wrong", 0.5, given=number, unit_problem=problem, unit=answer.unit)


def _unless_bound(verdict: Verdict, text: str) -> Verdict:
    """Partly right when the number is a bound: "more than 5" is not 5."""
    prepared = prepare(text)
    for number in reversed(find_numbers(prepared)):  # "one over two" is a fraction
        prepared = prepared[: number.start] + "0" + prepared[number.end :]
    padded = f" {fold(prepared)} "
    if any(f" {phrase} " in padded for phrase in bound_words()) or re.search(r"[<>≤≥]", text):
        return partial("numeric.bound", 0.5, **verdict.details)
    return verdict


def _within(value: Fraction, answer: NumericAnswer, slack: Fraction = Fraction(0)) -> bool:
    return abs(value - answer.exact) <= Fraction(answer.tolerance) + abs(answer.exact) * slack


def _rounds_to(exact: Fraction, rounded: Fraction, decimals: int) -> bool:
    return rounded != 0 and abs(exact - rounded) * 2 <= Fraction(1, 10 ** min(decimals, 40))


def _same(committed: Quantity, other: Quantity) -> bool:
    if set(_shares(committed)).isdisjoint(_shares(other)):
        return False
    units = [unit for unit in (committed.unit, other.unit) if unit and unit.factors]
    return len(units) < 2 or units[0] == units[1]


@lru_cache(maxsize=1024)
def _example(text: str, language: str) -> tuple[Quantity, ...]:
    committed = _the_one(prepare(text), named) if (named := quantities(text, language)) else None
    return (committed,) if committed else ()


def _plain(value: Fraction) -> str:
    """A fraction as people write it: "0.5", "1/3"."""
    if value.denominator == 1:
        return str(value.numerator)
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return f"{float(value):.12g}" if rest == 1 else f"{value.numerator}/{value.denominator}"
