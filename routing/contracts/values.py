"""The types of the fields of the consult's contracts."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Annotated, Any, Literal, NoReturn, Self, SupportsIndex, TypeVar

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BeforeValidator,
    ConfigDict,
    StringConstraints,
    model_validator,
)

from core.contracts import Contract

Item = TypeVar("Item")

DomainKey = Literal["market", "brand", "tax", "transition", "system", "growth", "lab"]
DomainHint = Literal["auto", "market", "brand", "tax", "transition", "system", "growth", "lab"]
Mode = Literal["fast", "deep"]
Confidence = Literal["low", "medium", "high"]
LabStatus = Literal["denied", "conditional", "approved"]

DOMAIN_KEYS: tuple[DomainKey, ...] = ("market", "brand", "tax", "transition", "system", "growth", "lab")
DOMAINS_AT_MOST: Mapping[Mode, int] = {"fast": 2, "deep": 3}
AGENTS_AT_MOST = 3
RATIONALE_LINES, SHORT_LINES = 10, 2

_ISO = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}", re.ASCII)
_UNKEPT = re.compile(r"[\0\ud800-\udfff]")
_BLANK_LETTERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and a symbol, by Unicode, that show nothing


class Sealed(Contract):
    """A contract of the consult. No way of building one, or of copying it changed, bypasses its rules.

    One with fields has no subclasses: an invalid plan would be one by `isinstance`.
    """

    model_config = ConfigDict(revalidate_instances="always")

    if not TYPE_CHECKING:  # mypy's plugin makes both, with the types of the fields

        def __init__(self, /, **values: Any) -> None:
            if hasattr(self, "__pydantic_fields_set__"):  # Pydantic would fill it anew, and before it looks
                raise TypeError("a contract is built once; build another")
            super().__init__(**values)

        __init__.__pydantic_base_init__ = True  # else Pydantic would take the long way, and read JSON less well

        @classmethod
        def model_construct(cls, _fields_set: set[str] | None = None, **values: Any) -> Self:
            return cls(**values)

    def __init_subclass__(cls, **values: Any) -> None:
        super().__init_subclass__(**values)
        if any(base is not Sealed and issubclass(base, Sealed) for base in cls.__bases__):
            raise TypeError("nobody inherits from a contract of the consult")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).model_validate, (dict(self),)

    def __setstate__(self, state: Any) -> NoReturn:
        raise TypeError("a contract is built from its fields")

    @model_validator(mode="after")
    def _has_nothing_else(self) -> Self:
        if self.model_extra:  # a caller of `model_validate` may say extra="allow"
            raise ValueError(f"has fields that are not known: {', '.join(sorted(self.model_extra))}")
        return self

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        return type(self)(**{**dict(self), **(update or {})})

    def copy(self, **_: Any) -> NoReturn:
        raise TypeError("use model_copy")


class FrozenList(list[Item]):
    """A list, equal to others with the same items, that cannot be changed."""

    __slots__ = ()

    def __new__(cls, items: Iterable[Item] = ()) -> Self:
        made = super().__new__(cls)
        list.extend(made, items)
        return made

    def __init__(self, items: Iterable[Item] = ()) -> None:
        """Nothing: that of lists would fill it anew."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("this list belongs to a contract and cannot be changed; build another contract")

    append = extend = insert = remove = pop = clear = sort = reverse = _refuse
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse

    def __hash__(self) -> int:  # type: ignore[override]  # lists have none since they change
        return hash(tuple(self))

    def __reduce_ex__(self, protocol: SupportsIndex, /) -> tuple[Any, ...]:
        return FrozenList, (list(self),)  # else it would be filled by `extend`


def lines_of(text: str) -> list[str]:
    """The lines of a text, without blank ones before and after."""
    return text.strip().splitlines()


def _at_most(limit: int) -> AfterValidator:
    def check(text: str) -> str:
        if (count := len(lines_of(text))) > limit:
            raise ValueError(f"has {count} lines, at most {limit} are allowed")
        return text

    return AfterValidator(check)


def is_seen(character: str) -> bool:
    return unicodedata.category(character)[0] in "LNPS" and character not in _BLANK_LETTERS


def _said(text: str) -> str:
    if not any(map(is_seen, text)):
        raise ValueError("must not be blank")
    if _UNKEPT.search(text):
        raise ValueError("must not have a null or half a surrogate pair, which the database cannot keep")
    return text


def _different(items: list[Any]) -> FrozenList[Any]:
    if len(set(items)) < len(items):
        raise ValueError("must not name anything twice")
    return FrozenList(items)


def _iso(value: Any) -> Any:
    """Pydantic would also take seconds since 1970, as a number or as digits."""
    if isinstance(value, str) and _ISO.match(value):
        return datetime.fromisoformat(value)
    if isinstance(value, datetime):
        return value
    raise ValueError("must be a time in ISO 8601 with its zone")


def _fixed(moment: datetime) -> datetime:
    """With its offset instead of a zone: a zone has rules, which text does not keep, and hours that come twice."""
    offset = moment.utcoffset()
    if offset is None or offset % timedelta(minutes=1):
        raise ValueError("must have an offset of whole minutes")
    fixed = datetime.combine(moment.date(), moment.time().replace(fold=0), timezone(offset))
    try:
        fixed.astimezone(UTC)
    except OverflowError:
        raise ValueError("must be between the years 1 and 9999 in UTC") from None
    return fixed


def true_or_false(value: Any) -> Any:
    """A caller of `model_validate` may say strict=False, and then "yes" and 1 would be true."""
    if isinstance(value, bool):
        return value
    raise ValueError("must be true or false")


Truth = Annotated[bool, BeforeValidator(true_or_false)]
Text = Annotated[str, AfterValidator(_said)]
Rationale = Annotated[Text, _at_most(RATIONALE_LINES)]
ShortText = Annotated[Text, _at_most(SHORT_LINES)]
Diagnosis = Annotated[Text, _at_most(8)]
Flag = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]
Version = Annotated[Text, StringConstraints(max_length=64)]
Moment = Annotated[AwareDatetime, BeforeValidator(_iso), AfterValidator(_fixed)]
Different = AfterValidator(_different)
"""Makes a list of hashable values into one that cannot be changed, and refuses it when something stands in it twice."""
