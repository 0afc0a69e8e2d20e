"""What the contracts of a consult are made of."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, NoReturn, Self, SupportsIndex, TypeVar

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, StringConstraints

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

_ISO = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")


class Sealed(Contract):
    """A contract of the consult. There is no way to build one, or to copy it changed, that goes round its rules."""

    @classmethod
    def model_construct(cls, _fields_set: set[str] | None = None, **values: Any) -> Self:
        return cls(**values)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        return type(self)(**{**dict(self), **(update or {})})


class FrozenList(list[Item]):
    """A list, equal to others with the same items, that cannot be changed."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("this list belongs to a contract and cannot be changed; build another contract")

    append = extend = insert = remove = pop = clear = sort = reverse = _refuse  # type: ignore[assignment]
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse  # type: ignore[assignment]

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


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


def _different(items: list[Any]) -> FrozenList[Any]:
    if len(set(items)) < len(items):
        raise ValueError("must not name anything twice")
    return FrozenList(items)


def _iso(value: Any) -> Any:
    """Pydantic would also take seconds since 1970, as a number or as digits."""
    if isinstance(value, int | float) or (isinstance(value, str) and not _ISO.match(value)):
        raise ValueError("must be a time in ISO 8601 with its zone")
    return value


Text = Annotated[str, AfterValidator(_said)]
Rationale = Annotated[Text, _at_most(RATIONALE_LINES)]
ShortText = Annotated[Text, _at_most(SHORT_LINES)]
Diagnosis = Annotated[Text, _at_most(8)]
Flag = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]
Moment = Annotated[AwareDatetime, BeforeValidator(_iso)]
Different = AfterValidator(_different)
"""Makes a list of hashable values into one that cannot be changed, and refuses it when something stands in it twice."""
