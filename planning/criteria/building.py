"""What rules build their parses with: values, options, and the normal form of each kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from planning.criteria.nouns import Chunk

from .contracts import Amount, CriterionKind, CriterionParse, Operator, Scalar, ValueType
from .lexicon import Lexicon
from .nouns import bare
from .sentence import Code
from .tokens import Token
from .units import unit_sign

FIELD_AT_MOST: Final = 200
_JOINS: Final = frozenset(",oar")
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
class RuleMatch:
    """What a rule's pattern matched: chunks by the name of their group."""

    groups: dict[str, list[Chunk]]
    words: Lexicon

    def tokens(self, name: str) -> tuple[Token, ...]:
        return tuple(token for chunk in self.groups.get(name, ()) for token in chunk.tokens)

    def codes(self, name: str) -> str:
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
    field: str
    text: str
    subject: str | None = None
    count: bool = False
    every: bool = False


def measured(about: About, operator: Operator, amount: Amount, words: Lexicon) -> CriterionParse:
    equality = operator in (Operator.EQUAL, Operator.NOT_EQUAL)
    kind = CriterionKind.EQUALITY if equality else CriterionKind.COMPARISON
    normal = f"{about.text} {operator.value} {value_shown(amount)}"
    return _parse(kind, about, operator, words, normal, value=amount.value, **_of(amount))


def ranged(about: About, low: Amount, high: Amount, words: Lexicon, *, exclusive: bool = False) -> CriterionParse:
    mine = _WORDS[words.language]
    ends = value_shown(low, bare=low.unit == high.unit), value_shown(high)
    normal = f"{about.text} {mine['between']} {ends[0]} {mine['and']} {ends[1]}"
    if exclusive:
        normal = f"{ends[0]} < {about.text} < {ends[1]}"
    values = {"low": low.value, "high": high.value, "exclusive": exclusive, **_of(low)}
    return _parse(CriterionKind.RANGE, about, Operator.BETWEEN, words, normal, **values)


def equal(about: About, operator: Operator, value: Scalar, words: Lexicon, type_: ValueType) -> CriterionParse:
    shown = str(value).lower() if isinstance(value, bool) else value
    normal = f"{about.text} {operator.value} {shown}"
    return _parse(CriterionKind.EQUALITY, about, operator, words, normal, value=value, value_type=type_)


def member(
    about: About, operator: Operator, options: Sequence[str], words: Lexicon, type_: ValueType
) -> CriterionParse:
    normal = f"{about.text} {operator.value} {{{', '.join(options)}}}"
    return _parse(CriterionKind.MEMBERSHIP, about, operator, words, normal, options=list(options), value_type=type_)


def there(
    about: About, words: Lexicon, *, absent: bool = False, options: Sequence[str] = (), state: str | None = None
) -> CriterionParse:
    kind = CriterionKind.ABSENCE if absent else CriterionKind.PRESENCE
    operator = Operator.HAS_NO if absent else Operator.HAS
    mine = _WORDS[words.language]
    normal = f"{mine['no']} {about.text}" if absent else about.text
    if absent and state and about.text.endswith(f" {state}"):
        normal = f"{about.text.removesuffix(state)}{mine['not']} {state}"
    values: dict[str, Any] = {"options": list(options), "value_type": ValueType.BOOLEAN, "state": state}
    return _parse(kind, about, operator, words, normal, **values)


def verdict(who: About, what: str, about: str, words: Lexicon) -> CriterionParse:
    normal = f"{who.text} {what} {about}".strip()
    subject = About(field=what.replace(" ", "_"), text=what, subject=who.field, every=who.every)
    return _parse(CriterionKind.VERDICT, subject, Operator.CONFIRMS, words, normal, value=about or None)


def is_negated(link: str) -> bool | None:
    """Whether one of the verbs and the like with these codes negates; None where two do."""
    count = sum(code in (Code.NOT, Code.UNEQUAL) for code in link)
    return None if count > 1 else count == 1


def joined_by_or(options: Sequence[str], words: Lexicon) -> str:
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


def options_of(chunks: Sequence[Chunk], *, and_too: bool) -> list[tuple[Token, ...]] | None:
    """The members of a list; None where "and" joins them and may not, or one of them is empty."""
    if not and_too and any(chunk.code == "a" for chunk in chunks):
        return None
    options = [bare(chunk.tokens) for chunk in chunks if chunk.code not in _JOINS]
    return options if all(options) else None


def value_type_of(chunks: Sequence[Chunk]) -> ValueType:
    return ValueType.NUMBER if all(chunk.code in ("v", *_JOINS) for chunk in chunks) else ValueType.TEXT


def joins_of(chunks: Sequence[Chunk]) -> str:
    """The codes between the members."""
    return "".join(chunk.code for chunk in chunks if chunk.code in _JOINS)
