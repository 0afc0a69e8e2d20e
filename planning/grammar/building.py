"""What rules build their parses with: values, options, and the normal form of each kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from .chunks import Chunk
from .contracts import Amount, CriterionKind, CriterionParse, Operator, Scalar, ValueType
from .lexicon import Lexicon
from .tokens import Token
from .units import unit_sign

FIELD_AT_MOST: Final = 200
_FLIPPED: Final = {
    Operator.AT_LEAST: Operator.LESS_THAN,
    Operator.AT_MOST: Operator.MORE_THAN,
    Operator.MORE_THAN: Operator.AT_MOST,
    Operator.LESS_THAN: Operator.AT_LEAST,
    Operator.EQUAL: Operator.NOT_EQUAL,
    Operator.NOT_EQUAL: Operator.EQUAL,
}
MIRRORED: Final = {
    Operator.AT_LEAST: Operator.AT_MOST,
    Operator.AT_MOST: Operator.AT_LEAST,
    Operator.MORE_THAN: Operator.LESS_THAN,
    Operator.LESS_THAN: Operator.MORE_THAN,
}
_WORDS: Final = {
    "en": {"no": "no", "or": "or", "and": "and", "between": "between", "not": "not"},
    "es": {"no": "sin", "or": "o", "and": "y", "between": "entre", "not": "no"},
}


@dataclass(slots=True)
class Found:
    """What a rule's pattern matched: chunks by the name of their group."""

    groups: dict[str, list[Chunk]]
    words: Lexicon

    def tokens(self, name: str) -> tuple[Token, ...]:
        """The tokens of a group."""
        return tuple(token for chunk in self.groups.get(name, ()) for token in chunk.tokens)

    def codes(self, name: str) -> str:
        """The codes of a group."""
        return "".join(chunk.code for chunk in self.groups.get(name, ()))

    def first(self, name: str) -> Token | None:
        """The first token of a group; None where it matched nothing."""
        tokens = self.tokens(name)
        return tokens[0] if tokens else None

    def amount(self, name: str) -> Amount:
        """The value of a group that has one."""
        amount = self.groups[name][0].token.amount
        assert amount is not None
        return amount


@dataclass(frozen=True, slots=True)
class About:
    """What a criterion is about."""

    field: str
    text: str
    subject: str | None = None
    count: bool = False
    every: bool = False


def negated(operator: Operator) -> Operator:
    """The operator of "not ..."."""
    return _FLIPPED[operator]


def measured(about: About, operator: Operator, amount: Amount, words: Lexicon) -> CriterionParse:
    """A comparison or an equality with one value."""
    equality = operator in (Operator.EQUAL, Operator.NOT_EQUAL)
    kind = CriterionKind.EQUALITY if equality else CriterionKind.COMPARISON
    normal = f"{about.text} {operator.value} {value_shown(amount)}"
    return _parse(kind, about, operator, words, normal, value=amount.value, **_of(amount))


def ranged(about: About, low: Amount, high: Amount, words: Lexicon, *, exclusive: bool = False) -> CriterionParse:
    """A range."""
    mine = _WORDS[words.language]
    ends = value_shown(low, bare=low.unit == high.unit), value_shown(high)
    normal = f"{about.text} {mine['between']} {ends[0]} {mine['and']} {ends[1]}"
    if exclusive:
        normal = f"{ends[0]} < {about.text} < {ends[1]}"
    values = {"low": low.value, "high": high.value, "exclusive": exclusive, **_of(low)}
    return _parse(CriterionKind.RANGE, about, Operator.BETWEEN, words, normal, **values)


def equal(about: About, operator: Operator, value: Scalar, words: Lexicon, type_: ValueType) -> CriterionParse:
    """Equality with a text or a truth."""
    shown = str(value).lower() if isinstance(value, bool) else value
    normal = f"{about.text} {operator.value} {shown}"
    return _parse(CriterionKind.EQUALITY, about, operator, words, normal, value=value, value_type=type_)


def member(
    about: About, operator: Operator, options: Sequence[str], words: Lexicon, type_: ValueType
) -> CriterionParse:
    """One of a set, or none of it."""
    normal = f"{about.text} {operator.value} {{{', '.join(options)}}}"
    return _parse(CriterionKind.MEMBERSHIP, about, operator, words, normal, options=list(options), value_type=type_)


def there(
    about: About, words: Lexicon, *, absent: bool = False, options: Sequence[str] = (), state: str | None = None
) -> CriterionParse:
    """Presence or absence."""
    kind = CriterionKind.ABSENCE if absent else CriterionKind.PRESENCE
    operator = Operator.HAS_NO if absent else Operator.HAS
    mine = _WORDS[words.language]
    normal = f"{mine['no']} {about.text}" if absent else about.text
    if absent and state and about.text.endswith(f" {state}"):
        normal = f"{about.text.removesuffix(state)}{mine['not']} {state}"
    values: dict[str, Any] = {"options": list(options), "value_type": ValueType.BOOLEAN, "state": state}
    return _parse(kind, about, operator, words, normal, **values)


def verdict(who: About, what: str, about: str, words: Lexicon) -> CriterionParse:
    """What a person has to say."""
    normal = f"{who.text} {what} {about}".strip()
    subject = About(field=what.replace(" ", "_"), text=what, subject=who.field, every=who.every)
    return _parse(CriterionKind.VERDICT, subject, Operator.CONFIRMS, words, normal, value=about or None)


def joined_by_or(options: Sequence[str], words: Lexicon) -> str:
    """The options in a row."""
    return f" {_WORDS[words.language]['or']} ".join(options)


def value_shown(amount: Amount, *, bare: bool = False) -> str:
    """A value as normal forms have it: money without its currency, units by their sign, stars without."""
    value = str(amount.value)
    if bare or amount.unit == "star":
        return value
    if amount.scale:
        return f"{value}/{amount.scale:g}"
    return f"{value} {unit_sign(amount.unit)}" if amount.unit else value


def _of(amount: Amount) -> dict[str, Any]:
    return {name: getattr(amount, name) for name in ("value_type", "unit", "currency", "scale")}


def _parse(
    kind: CriterionKind, about: About, operator: Operator, words: Lexicon, normal: str, **values: Any
) -> CriterionParse:
    return CriterionParse(
        kind=kind,
        field=about.field[:FIELD_AT_MOST],
        subject=about.subject,
        operator=operator,
        count=about.count,
        every=about.every,
        language=words.language,
        normal=normal[:600],
        **values,
    )
