"""Builders for comparisons, ranges and equality with a value."""

from typing import Final

from .building import MIRRORED, About, Found, measured, negated, ranged
from .contracts import Amount, CriterionParse, Operator, ValueType
from .naming import about_of
from .tokens import Token
from .units import unit_dimension
from .values import alike

_KINDS: Final = ("comparative", "compare", "compare moment", "compare value", "compare budget", "limit", "after")
_UPPER: Final = frozenset({Operator.AT_MOST, Operator.LESS_THAN})
_STRICT: Final = frozenset({Operator.LESS_THAN, Operator.MORE_THAN})


def compared(found: Found) -> CriterionParse | None:
    """A comparison with one value."""
    token, amount = found.first("cmp"), found.amount("value")
    if token is None or not _fits(found):
        return None
    operator, hint = _operator(found, token, amount, found.codes("cmp"))
    odd = _negations(found.codes("link"))
    if operator is None or odd is None:
        return None
    within = token.text in ("within", "a menos de", "en menos de", "in under", "in less than")
    about = about_of(_finished(found), amount, hint=hint, within=within)
    operator, amount = _until_midnight(negated(operator) if odd else operator, amount)
    return measured(about, operator, amount, found.words) if about else None


def _until_midnight(operator: Operator, amount: Amount) -> tuple[Operator, Amount]:
    """Before midnight is until the last minute of the day."""
    if amount.value_type is ValueType.TIME and amount.value == "00:00" and operator in _UPPER:
        return Operator.AT_MOST, amount.model_copy(update={"value": "23:59"})
    return operator, amount


def _fits(found: Found) -> bool:
    """Whether a second name after the verb has a verb that it belongs to ("hotel has rating ..."), and a state at the
    end something that is in it.
    """
    link = found.codes("link")
    if found.codes("done") == "y" and not found.groups.get("tail"):
        return False
    return ("h" in link or "G" in link) if found.groups.get("mid") and found.groups.get("left") else True


def _finished(found: Found) -> Found:
    """With a state at the end as a part of the tail: "at least 3 tasks completed"; what only says "there" is not."""
    done = found.groups.get("done")
    if done and done[0].code == "y" and found.groups.get("tail"):
        tail = [*found.groups["tail"], *done]
        return Found({**found.groups, "tail": tail}, found.words)
    return found


def _negations(link: str) -> bool | None:
    """Whether the verbs negate; None where they do so twice."""
    count = link.count("x")
    return None if count > 1 else count == 1


def _operator(found: Found, token: Token, amount: Amount, code: str) -> tuple[Operator | None, str | None]:
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
        return (Operator.AT_MOST, found.words.names["field"]["money"]) if fits else (None, None)
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


def between(found: Found) -> CriterionParse | None:
    """A range. One that is negated is not understood: two comparisons joined by "or" would be."""
    if "x" in found.codes("link") or not _fits(found):
        return None
    if not found.groups.get("range") and found.codes("sep") != "j":
        return None
    return _range(found, found.amount("value"), found.amount("value2"))


def _range(found: Found, low: Amount, high: Amount, *, exclusive: bool = False) -> CriterionParse | None:
    ends = alike(low, high)
    if ends is None:
        return None
    about = about_of(_finished(found), ends[1])
    return ranged(about, *ends, found.words, exclusive=exclusive) if about else None


def two_limits(found: Found) -> CriterionParse | None:
    """A least and a most of the same; None where both look the same way, or one is strict and one is not."""
    if "x" in found.codes("link"):
        return None
    sides = [(name, found.first(f"cmp{name}"), found.amount(f"value{name}")) for name in ("", "2")]
    limits: list[tuple[Operator, Amount]] = []
    for name, token, amount in sides:
        operator, _ = _operator(found, token, amount, found.codes(f"cmp{name}")) if token else (None, None)
        if operator is None:
            return None
        limits.append((operator, amount))
    return _limited(found, limits)


def _limited(found: Found, limits: list[tuple[Operator, Amount]]) -> CriterionParse | None:
    uppers = [operator in _UPPER for operator, _ in limits]
    strict = {operator in _STRICT for operator, _ in limits}
    if uppers[0] == uppers[1] or len(strict) > 1:
        return None
    low, high = (limits[1][1], limits[0][1]) if uppers[0] else (limits[0][1], limits[1][1])
    return _range(found, low, high, exclusive=strict == {True})


def between_signs(found: Found) -> CriterionParse | None:
    """100 <= price <= 200."""
    operators = [_symbol(found.first("cmp")), _symbol(found.first("cmp2"))]
    if operators[0] is None or operators[1] is None:
        return None
    limits = [(MIRRORED[operators[0]], found.amount("value")), (operators[1], found.amount("value2"))]
    return _limited(found, limits)


def turned_round(found: Found) -> CriterionParse | None:
    """7 <= quality."""
    operator = _symbol(found.first("cmp"))
    if operator is None:
        return None
    amount = found.amount("value")
    about = about_of(found, amount)
    return measured(about, MIRRORED[operator], amount, found.words) if about else None


def _symbol(token: Token | None) -> Operator | None:
    return Operator(token.senses["compare"]) if token and token.kind == "symbol" and "compare" in token.senses else None


def equal(found: Found) -> CriterionParse | None:
    """Equality with a value: "guests == 4", "with 2 bedrooms", "0 errors", "departs at 18:30"."""
    link, amount = found.codes("link"), found.amount("value")
    odd = _negations(link)
    if odd is None or not _fits(found) or not _is_said(found, link, amount):
        return None
    about = about_of(_finished(found), amount)
    unequal = odd != bool(found.groups.get("unequal"))
    return _equality(about, amount, found, unequal=unequal) if about else None


def _equality(about: About, amount: Amount, found: Found, *, unequal: bool) -> CriterionParse:
    return measured(about, Operator.NOT_EQUAL if unequal else Operator.EQUAL, amount, found.words)


def _is_said(found: Found, link: str, amount: Amount) -> bool:
    """Whether something says that the value is meant to be equal, or counts what follows it."""
    if found.groups.get("unequal") or not {"e", "q", "G"}.isdisjoint(link):
        return True
    counted = bool(found.groups.get("tail")) or amount.unit == "star"
    if "h" in link:
        return counted or "attribute" in (found.tokens("mid") or (found.tokens("value")[0],))[-1].senses
    if found.groups.get("left"):
        moment = amount.value_type in (ValueType.DATE, ValueType.TIME)
        return amount.unit == "star" or (moment and (link == "p" or _ends_small(found)))
    return counted


def _ends_small(found: Found) -> bool:
    """Whether the name before the value ends in "at", "on", "el": "check-in on 2026-03-01"."""
    last = found.tokens("left")[-1]
    return "at" in last.senses
