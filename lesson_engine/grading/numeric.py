"""Quantities: exact arithmetic, any usual way of writing a number, units converted through pint."""

import re
from fractions import Fraction
from functools import lru_cache

from lesson_engine.contracts import Ask, NumericAnswer, Verdict, VerdictResult

from .lexicon import bound_words, lexicon
from .matching import Matcher
from .misconceptions import recognised
from .normalise import clean, fold
from .numbers import MAX_TEXT, Number, find_numbers, prepare
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
    found = quantities(text, words.language)
    if not found:
        return not_gradable("numeric.wrong_form", problem="no_number")
    said = (
        _stated(prepare(text), found)
        or _the_one(prepare(text), found)
        or _beside_its_working(ask, answer, text, found, words.language)
    )
    if said is None:
        return reject("numeric.several", numbers=[_plain(quantity.number.readings[0]) for quantity in found[:10]])
    verdict = _judge(answer, said, text, words.language)
    if verdict.result is VerdictResult.ACCEPT:
        return verdict
    code = _misconception(ask, said, words.language)
    return recognised(ask, code, "misconception.exact") if code else verdict


def _the_one(text: str, found: list[Quantity]) -> Quantity | None:
    """The quantity that the reply commits itself to: after "=", or the only one, or one said several times."""
    equals = [at for at, char in enumerate(text) if char == "="]
    if equals:
        after = [quantity for quantity in found if quantity.number.start > equals[-1]]
        between = [q for q in found if equals[0] < q.number.start < equals[-1]]
        alternative = len(equals) > 1 and re.search(r"([a-z]) ?=.*\b(?:o|or|y|and)\b.*\b\1 ?=", text.lower())
        if alternative and not _all_equal(between + after):
            return None
        settled = after or found
    else:
        settled = found
    if not _all_equal(settled):
        return None
    # "350 Ω, since 7/0.02 = 350" has said its unit before.
    return next(
        (q for q in [*settled, *found] if q.unit and q.number.readings == settled[0].number.readings), settled[0]
    )


def _beside_its_working(
    ask: Ask, answer: NumericAnswer, text: str, found: list[Quantity], language: str
) -> Quantity | None:
    """The one quantity that can be the answer, where the rest is of another kind or stands in the question.

    "0.25 A, because 6 V are divided by 24 Ω" names three, and settles on one.
    """
    expected = read_unit(answer.unit, language) if answer.unit else None
    if expected is None:
        return None
    start, end = _statement(prepare(text).lower())
    fitting = [
        quantity
        for quantity in found
        if start <= quantity.number.start < end and quantity.unit and same_dimension(quantity.unit, expected)
    ]
    given = {quantity.number.readings for quantity in quantities(ask.question, language)}
    rest = [quantity for quantity in found if quantity not in fitting]
    if rest and not lexicon(language).alternatives.isdisjoint(_HENCE.sub(" ", fold(text)).split()):
        return None
    working = all(quantity.number.readings in given or _of_other_kind(quantity, expected) for quantity in rest)
    converted = (convert(quantity.number.readings[0], quantity.unit, expected) for quantity in fitting if quantity.unit)
    values = {round(float(value or 0), 9) for value in converted}  # pint may know a factor only as a float
    return fitting[0] if working and len(values) == 1 else None


def _stated(text: str, found: list[Quantity]) -> Quantity | None:
    """The one quantity after "so" and before "because", where a reply has such a word: "5/12, because 1/6 = 2/12"."""
    start, end = _statement(text.lower())
    stated = [quantity for quantity in found if start <= quantity.number.start < end]
    return stated[0] if 0 < len(stated) < len(found) and _all_equal(stated) else None


def _of_other_kind(quantity: Quantity, expected: Unit) -> bool:
    unit = quantity.unit
    return unit is not None and bool(unit.factors) and not same_dimension(unit, expected)


def _statement(text: str) -> tuple[int, int]:
    """Where a reply states its answer: after "so", and before "because"."""
    start = max((match.end() for match in _HENCE.finditer(text)), default=0)
    reason = _REASON.search(text, start)
    return start, reason.start() if reason else len(text)


def _all_equal(found: list[Quantity]) -> bool:
    return len({_shares(quantity.number) for quantity in found}) == 1


def _shares(number: Number) -> tuple[Fraction, ...]:
    """The readings, those of a percentage as parts of one: "0.4 or 40%" says one thing twice."""
    return tuple(reading / 100 for reading in number.readings) if number.percent else number.readings


def _judge(answer: NumericAnswer, said: Quantity, text: str, language: str) -> Verdict:
    expected_unit = read_unit(answer.unit, language) if answer.unit else None
    percents = expected_unit is not None and expected_unit.factors == (("percent", 1),)
    unit = Unit(factors=(("percent", 1),)) if said.number.percent and percents else said.unit
    scale = Fraction(1, 100) if said.number.percent and not percents else Fraction(1)
    bare = [reading * scale for reading in said.number.readings]
    if fold(text).split() and _NEGATED.search(fold(text)):
        return reject("numeric.negated", given=_plain(bare[0]))
    if unit is None or expected_unit is None:
        values = bare + [reading * 100 for reading in bare if percents]
        right = any(_within(value, answer) for value in values)
        return _of_bare_number(answer, right, bare, said, text)
    converted = [value for reading in bare if (value := convert(reading, unit, expected_unit)) is not None]
    if any(_within(value, answer, CONVERSION_SLACK) for value in converted):
        return _unless_bound(accept("numeric.value", given=_plain(bare[0]), unit=answer.unit), text)
    return _of_other_unit(answer, unit, expected_unit, bare, text)


def _of_bare_number(answer: NumericAnswer, right: bool, bare: list[Fraction], said: Quantity, text: str) -> Verdict:
    given = _plain(bare[0])
    if right and answer.unit_required:
        return partial("numeric.unit_missing", 0.7, given=given, unit_problem="missing", unit=answer.unit)
    if right:
        return _unless_bound(accept("numeric.value", given=given), text)
    if said.number.decimals >= 2 and any(_rounds_to(answer.exact, value, said.number.decimals) for value in bare):
        return partial("numeric.rounded", 0.7, given=given)
    return reject("numeric.value", given=given)


def _of_other_unit(answer: NumericAnswer, unit: Unit, expected: Unit, bare: list[Fraction], text: str) -> Verdict:
    given = _plain(bare[0])
    right = any(_within(value, answer) for value in bare)
    if not right:
        return reject("numeric.value", given=given)
    if unit.word and not answer.unit_required:
        # A word that is no unit: "5 de largo", "6 veces".
        return _unless_bound(accept("numeric.value", given=given, unit_problem="unknown"), text)
    if unit.word and expected.factors:
        return partial("numeric.unit_missing", 0.7, given=given, unit_problem="unknown", unit=answer.unit)
    problem = "scale" if same_dimension(unit, expected) else "dimension"
    return partial("numeric.unit_wrong", 0.5, given=given, unit_problem=problem, unit=answer.unit)


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


def _rounds_to(exact: Fraction, given: Fraction, decimals: int) -> bool:
    return given != 0 and abs(exact - given) * 2 <= Fraction(1, 10 ** min(decimals, 40))


def _misconception(ask: Ask, said: Quantity, language: str) -> str | None:
    for wrong in ask.misconceptions:
        for example in wrong.examples:
            if any(_same(said, other) for other in _example(example, language)):
                return wrong.code
    return None


def _same(one: Quantity, other: Quantity) -> bool:
    percent = [Fraction(1, 100) if quantity.number.percent else Fraction(1) for quantity in (one, other)]
    mine, theirs = (
        {reading * share for reading in quantity.number.readings}
        for quantity, share in zip((one, other), percent, strict=True)
    )
    if mine.isdisjoint(theirs):
        return False
    known = [unit for unit in (one.unit, other.unit) if unit and unit.factors]
    return len(known) < 2 or known[0] == known[1]


@lru_cache(maxsize=1024)
def _example(text: str, language: str) -> tuple[Quantity, ...]:
    found = _the_one(prepare(text), named) if (named := quantities(text, language)) else None
    return (found,) if found else ()


def _plain(value: Fraction) -> str:
    """A fraction as people write it: "0.5", "1/3"."""
    if value.denominator == 1:
        return str(value.numerator)
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return f"{float(value):.12g}" if rest == 1 else f"{value.numerator}/{value.denominator}"
