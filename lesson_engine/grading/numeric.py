"""Quantities: exact arithmetic, any usual way of writing a number, units converted through pint."""

import re
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from language.number_words import part_of
from lesson_engine.contracts import Ask, NumericAnswer, Verdict, VerdictResult

from .andamio_3.fold import clean, fold
from .conclusions import conclusion, not_denied
from .givens import given, repeats
from .lexicon import bound_words
from .matching import Matcher
from .misconceptions import code_where, recognised
from .numbers import MAX_TEXT, prepare
from .quantities import CONVERSION_SLACK, Quantity, quantities
from .rates import unit_for_one
from .units import Unit, convert, is_slip_for, read_unit, same_dimension
from .verdicts import accept, not_gradable, partial, reject

_PARTS_OF = re.compile(
    r"(?<![\w/.,])(\d{1,9})(?: [^\W\d_]+)? (?:(?:out )?of|de)(?: (?:the|los|las))? (\d{1,9})(?![\w/]|[.,]\d)", re.I
)
_OUT_OF = re.compile(r"(?<=\d) out of (?=\d)", re.IGNORECASE)
"""Of these "3 out of 12" are 3; where a share is asked for, "3 slices of the 12" are a quarter."""
_PERCENT = Unit(factors=(("percent", 1),))
_ITSELF = " 0 "
"""Stands for the number in what is said around it."""


def grade_numeric(ask: Ask, answer: NumericAnswer, text: str, words: Matcher) -> Verdict:
    """Judge the one quantity that the reply settles on."""
    if len(clean(text)) > MAX_TEXT:
        return not_gradable("numeric.wrong_form", problem="too_long")
    expected = read_unit(answer.unit, words.language) if answer.unit else None
    share_asked = isinstance(answer.value, str) or expected == _PERCENT or 0 < answer.exact < 1
    text = _PARTS_OF.sub(r"\1/\2", text) if share_asked else _OUT_OF.sub(" of the ", text)
    prepared = prepare(text)
    named = [
        replace(quantity, unit=unit_for_one(quantity.unit, expected, ask.question, words.language))
        for quantity in quantities(text, words.language)
    ]
    if not named:
        return not_gradable("numeric.wrong_form", problem="no_number")
    possible = not_denied(prepared, named, words.language)
    if not possible:
        return reject("numeric.negated", given=_plain(named[0].number.readings[0]))
    settled = conclusion(prepared, possible, words.language, question=ask.question, expected=expected)
    if settled is None:
        return reject("numeric.several", numbers=[_plain(quantity.number.readings[0]) for quantity in named[:10]])
    around = _said_around(settled, prepared, named)
    settled = replace(settled, unit=_unit_meant(settled.unit, expected, around, words.language))
    if expected and _is_copied(settled, ask.question, expected, words.language):
        verdict = reject("numeric.value", given=_plain(settled.number.readings[0]))
    else:
        verdict = _judge(answer, settled, expected, around)
    if verdict.result is VerdictResult.ACCEPT:
        return verdict
    code = code_where(ask, lambda text: any(_same(settled, other) for other in _example(text, words.language)))
    return recognised(ask, code, "misconception.exact") if code else verdict


def _unit_meant(unit: Unit | None, expected: Unit | None, around: str, language: str) -> Unit | None:
    """The expected unit where the word after the number is a slip for it, or only tells more of it: "earth days"."""
    if not (unit and unit.word and expected) or part_of(unit.typed):
        return unit
    following = around.rpartition(_ITSELF)[2].split()[1:3]
    named = any(read_unit(word, language) == expected for word in following)
    return expected if named or is_slip_for(unit, expected) else unit


def _is_copied(settled: Quantity, question: str, expected: Unit, language: str) -> bool:
    """Whether it is the question's to convert: "150 minutes" are no answer to how many hours they are."""
    if settled.unit is None or not settled.unit.factors or settled.unit == expected:
        return False
    return any(settled.unit == theirs.unit and repeats(settled, theirs) for theirs in given(question, language))


def _judge(answer: NumericAnswer, committed: Quantity, expected_unit: Unit | None, around: str) -> Verdict:
    percents = expected_unit == _PERCENT
    unit = _PERCENT if committed.number.percent and percents else committed.unit
    scale = Fraction(1, 100) if committed.number.percent and not percents else Fraction(1)
    bare = [reading * scale for reading in committed.number.readings]
    if unit is None or expected_unit is None:
        values = bare + [reading * 100 for reading in bare if percents]
        right = any(_within(value, answer) for value in values)
        return _of_bare_number(answer, right, bare, committed, around)
    converted = [value for reading in bare if (value := convert(reading, unit, expected_unit)) is not None]
    if any(_within(value, answer, CONVERSION_SLACK) for value in converted):
        return _unless_bound(accept("numeric.value", given=_plain(bare[0]), unit=answer.unit), around)
    return _of_other_unit(answer, unit, expected_unit, bare, around)


def _of_bare_number(
    answer: NumericAnswer, right: bool, bare: list[Fraction], committed: Quantity, around: str
) -> Verdict:
    number = _plain(bare[0])
    if right and answer.unit_required:
        return partial("numeric.unit_missing", 0.7, given=number, unit_problem="missing", unit=answer.unit)
    if right:
        return _unless_bound(accept("numeric.value", given=number), around)
    if committed.number.decimals >= 2 and any(
        _rounds_to(answer.exact, value, committed.number.decimals) for value in bare
    ):
        return partial("numeric.rounded", 0.7, given=number)
    return reject("numeric.value", given=number)


def _of_other_unit(answer: NumericAnswer, unit: Unit, expected: Unit, bare: list[Fraction], around: str) -> Verdict:
    number = _plain(bare[0])
    right = any(_within(value, answer) for value in bare)
    if not right:
        return reject("numeric.value", given=number)
    if unit.word and not answer.unit_required:
        # A word that is no unit: "5 de largo", "6 veces".
        return _unless_bound(accept("numeric.value", given=number, unit_problem="unknown"), around)
    if unit.word and expected.factors:
        return partial("numeric.unit_missing", 0.7, given=number, unit_problem="unknown", unit=answer.unit)
    problem = "scale" if same_dimension(unit, expected) else "dimension"
    return partial("numeric.unit_wrong", 0.5, given=number, unit_problem=problem, unit=answer.unit)


def _unless_bound(verdict: Verdict, around: str) -> Verdict:
    """Partly right when the number is a bound: "more than 5" is not 5."""
    padded = f" {fold(around)} "
    if any(f" {phrase} " in padded for phrase in bound_words()) or re.search(r"(?<![-=])[<>≤≥]", around):
        return partial("numeric.bound", 0.5, **verdict.details)
    return verdict


def _said_around(settled: Quantity, text: str, named: list[Quantity]) -> str:
    """What is said of the number, with 0 for itself: all from the one before it, and on to the next."""
    number = settled.number
    start = max((other.number.end for other in named if other.number.end <= number.start), default=0)
    end = min((other.number.start for other in named if other.number.start >= number.end), default=len(text))
    after = text[number.end : end]
    # What stands right before another number is said of that one.
    return f"{text[start : number.start]}{_ITSELF}{after if end == len(text) else re.split(r'[,;.(]', after)[0]}"


def _within(value: Fraction, answer: NumericAnswer, slack: Fraction = Fraction(0)) -> bool:
    return abs(value - answer.exact) <= Fraction(answer.tolerance) + abs(answer.exact) * slack


def _rounds_to(exact: Fraction, rounded: Fraction, decimals: int) -> bool:
    return rounded != 0 and abs(exact - rounded) * 2 <= Fraction(1, 10 ** min(decimals, 40))


def _same(committed: Quantity, other: Quantity) -> bool:
    if set(committed.number.shares).isdisjoint(other.number.shares):
        return False
    units = [unit for unit in (committed.unit, other.unit) if unit and unit.factors]
    return len(units) < 2 or units[0] == units[1]


@lru_cache(maxsize=1024)
def _example(text: str, language: str) -> tuple[Quantity, ...]:
    settled = conclusion(prepare(text), quantities(text, language), language)
    return (settled,) if settled else ()


def _plain(value: Fraction) -> str:
    """A fraction as people write it: "0.5", "1/3"."""
    if value.denominator == 1:
        return str(value.numerator)
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return f"{float(value):.12g}" if rest == 1 else f"{value.numerator}/{value.denominator}"
