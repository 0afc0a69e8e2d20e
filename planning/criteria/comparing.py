"""Builders for comparisons, ranges and equality with a value."""

from typing import Final

from .building import MIRRORED, RuleMatch, is_negated, measured, ranged
from .contracts import OPPOSITES, UPPER_BOUNDS, Amount, CriterionParse, Operator, ValueType
from .naming import about_of
from .tokens import Token
from .units import unit_dimension
from .values import alike

_KINDS: Final = ("comparative", "compare", "compare moment", "compare value", "compare budget", "limit", "after")
_STRICT: Final = frozenset({Operator.LESS_THAN, Operator.MORE_THAN})


def compared(match: RuleMatch) -> CriterionParse | None:
    token, amount = match.first("cmp"), match.amount("value")
    if token is None or not _fits(match):
        return None
    operator, hint = _operator(match, token, amount, match.codes("cmp"))
    odd = is_negated(match.codes("link"))
    if operator is None or odd is None:
        return None
    within = token.text in ("within", "a menos de", "en menos de", "in under", "in less than")
    about = about_of(_finished(match), amount, hint=hint, within=within)
    operator, amount = _until_midnight(OPPOSITES[operator] if odd else operator, amount)
    return measured(about, operator, amount, match.words) if about else None


def _until_midnight(operator: Operator, amount: Amount) -> tuple[Operator, Amount]:
    """Before midnight is until the last minute of the day."""
    if amount.value_type is ValueType.TIME and amount.value == "00:00" and operator in UPPER_BOUNDS:
        return Operator.AT_MOST, amount.model_copy(update={"value": "23:59"})
    return operator, amount


def _fits(match: RuleMatch) -> bool:
    """Whether a second name after the verb has a verb that it belongs to ("hotel has rating ..."), and a state at the
    end something that is in it.
    """
    link = match.codes("link")
    if match.codes("done") == "y" and not match.groups.get("tail"):
        return False
    return ("h" in link or "G" in link) if match.groups.get("mid") and match.groups.get("left") else True


def _finished(match: RuleMatch) -> RuleMatch:
    """With a state at the end as a part of the tail: "at least 3 tasks completed"; "available" is none."""
    done = match.groups.get("done")
    if done and done[0].code == "y" and match.groups.get("tail"):
        tail = [*match.groups["tail"], *done]
        return RuleMatch({**match.groups, "tail": tail}, match.words)
    return match


def _operator(match: RuleMatch, token: Token, amount: Amount, code: str) -> tuple[Operator | None, str | None]:
    """The operator of a comparing token and the field that it names; None where it does not go with such a value."""
    senses = token.senses
    moment = amount.value_type in (ValueType.DATE, ValueType.TIME)
    if code in ("t", "l"):
        kinds: tuple[str, ...] = ("after", "limit", "compare") if code == "t" else ("limit",)
    else:
        kinds = ("compare moment", *_KINDS) if moment else _KINDS
    kind = next((kind for kind in kinds if kind in senses), None)
    if kind is None:
        return None, None
    if kind == "compare budget":
        fits = amount.value_type is ValueType.MONEY or (amount.value_type is ValueType.NUMBER and not amount.unit)
        return (Operator.AT_MOST, match.words.names["field"]["money"]) if fits else (None, None)
    if kind == "comparative":
        sign, *fields = senses[kind].split()
        return Operator(sign), _field_of(fields, amount)
    return Operator(senses[kind]), None


def _field_of(fields: list[str], amount: Amount) -> str | None:
    """The name that a comparative has for a value: "length", or "duration" where it is a time."""
    dimension = unit_dimension(amount.unit or "")
    named = dict(field.split(":", 1) for field in fields if ":" in field)
    name = named.get(dimension) or next((field for field in fields if ":" not in field), None)
    return name.replace("_", " ") if name else None


def between(match: RuleMatch) -> CriterionParse | None:
    """A range. One that is negated is not understood: two comparisons joined by "or" would be."""
    if "x" in match.codes("link") or not _fits(match):
        return None
    if not match.groups.get("range") and match.codes("sep") != "j":
        return None
    return _range(match, match.amount("value"), match.amount("value2"))


def _range(match: RuleMatch, low: Amount, high: Amount, *, exclusive: bool = False) -> CriterionParse | None:
    ends = alike(low, high)
    if ends is None:
        return None
    about = about_of(_finished(match), ends[1])
    return ranged(about, *ends, match.words, exclusive=exclusive) if about else None


def two_limits(match: RuleMatch) -> CriterionParse | None:
    """A least and a most of the same; None where both look the same way, or one is strict and one is not."""
    if "x" in match.codes("link"):
        return None
    sides = [(name, match.first(f"cmp{name}"), match.amount(f"value{name}")) for name in ("", "2")]
    limits: list[tuple[Operator, Amount]] = []
    for name, token, amount in sides:
        operator, _ = _operator(match, token, amount, match.codes(f"cmp{name}")) if token else (None, None)
        if operator is None:
            return None
        limits.append((operator, amount))
    return _limited(match, limits)


def _limited(match: RuleMatch, limits: list[tuple[Operator, Amount]]) -> CriterionParse | None:
    uppers = [operator in UPPER_BOUNDS for operator, _ in limits]
    strict = {operator in _STRICT for operator, _ in limits}
    if uppers[0] == uppers[1] or len(strict) > 1:
        return None
    low, high = (limits[1][1], limits[0][1]) if uppers[0] else (limits[0][1], limits[1][1])
    return _range(match, low, high, exclusive=strict == {True})


def between_signs(match: RuleMatch) -> CriterionParse | None:
    """100 <= price <= 200."""
    operators = [_symbol(match.first("cmp")), _symbol(match.first("cmp2"))]
    if operators[0] is None or operators[1] is None:
        return None
    limits = [(MIRRORED[operators[0]], match.amount("value")), (operators[1], match.amount("value2"))]
    return _limited(match, limits)


def turned_round(match: RuleMatch) -> CriterionParse | None:
    """7 <= quality."""
    operator = _symbol(match.first("cmp"))
    if operator is None:
        return None
    amount = match.amount("value")
    about = about_of(match, amount)
    return measured(about, MIRRORED[operator], amount, match.words) if about else None


def _symbol(token: Token | None) -> Operator | None:
    return Operator(token.senses["compare"]) if token and token.kind == "symbol" and "compare" in token.senses else None


def equal(match: RuleMatch) -> CriterionParse | None:
    """Equality with a value: "guests == 4", "with 2 bedrooms", "0 errors", "departs at 18:30"."""
    link, amount = match.codes("link"), match.amount("value")
    odd = is_negated(link)
    if odd is None or not _fits(match) or not _is_said(match, link, amount):
        return None
    about = about_of(_finished(match), amount)
    unequal = odd != bool(match.groups.get("unequal"))
    operator = Operator.NOT_EQUAL if unequal else Operator.EQUAL
    return measured(about, operator, amount, match.words) if about else None


def _is_said(match: RuleMatch, link: str, amount: Amount) -> bool:
    """Whether a verb or sign means equality, or the value counts what follows it."""
    if match.groups.get("unequal") or not {"e", "q", "G"}.isdisjoint(link):
        return True
    counted = bool(match.groups.get("tail")) or amount.unit == "star"
    if "h" in link:
        return counted or "attribute" in (match.tokens("mid") or (match.tokens("value")[0],))[-1].senses
    if match.groups.get("left"):
        moment = amount.value_type in (ValueType.DATE, ValueType.TIME)
        return amount.unit == "star" or (moment and (link == "p" or _ends_small(match)))
    return counted


def _ends_small(match: RuleMatch) -> bool:
    """Whether the name before the value ends in "at", "on", "el": "check-in on 2026-03-01"."""
    last = match.tokens("left")[-1]
    return "at" in last.senses
