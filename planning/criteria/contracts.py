"""The meaning of a criterion. Sources: RF-007; design.md, "Settled", 6 and 7; docs/criteria.md."""

from enum import StrEnum
from typing import Final

from pydantic import Field

from core.contracts import Contract

Scalar = str | int | float | bool


class CriterionKind(StrEnum):
    """The forms of criteria that can be checked by rules."""

    COMPARISON = "comparison"  # quality >= 7; check_in < 2026-03-01
    RANGE = "range"  # price between 100 and 200
    EQUALITY = "equality"  # status == confirmed; cuisine != french
    MEMBERSHIP = "membership"  # cuisine in {french, italian}
    PRESENCE = "presence"  # hotel has pool; resort has beginner or intermediate slopes
    ABSENCE = "absence"  # no advanced-only resorts
    VERDICT = "verdict"  # user confirms; learner finishes


class Operator(StrEnum):
    """How the value found compares with the one wanted."""

    AT_LEAST = ">="
    AT_MOST = "<="
    MORE_THAN = ">"
    LESS_THAN = "<"
    EQUAL = "=="
    NOT_EQUAL = "!="
    BETWEEN = "between"
    IN = "in"
    NOT_IN = "not in"
    HAS = "has"
    HAS_NO = "has no"
    CONFIRMS = "confirms"


LOWER_BOUNDS: Final = frozenset({Operator.AT_LEAST, Operator.MORE_THAN})
UPPER_BOUNDS: Final = frozenset({Operator.AT_MOST, Operator.LESS_THAN})
BOUNDS: Final = LOWER_BOUNDS | UPPER_BOUNDS
OPPOSITES: Final = {
    Operator.AT_LEAST: Operator.LESS_THAN,
    Operator.AT_MOST: Operator.MORE_THAN,
    Operator.MORE_THAN: Operator.AT_MOST,
    Operator.LESS_THAN: Operator.AT_LEAST,
    Operator.EQUAL: Operator.NOT_EQUAL,
    Operator.NOT_EQUAL: Operator.EQUAL,
}
"""The operators that hold where others do not."""


class ValueType(StrEnum):
    NUMBER = "number"
    MONEY = "money"
    PERCENT = "percent"
    DATE = "date"
    TIME = "time"
    BOOLEAN = "boolean"
    TEXT = "text"


class CriterionParse(Contract):
    """A criterion as it was understood.

    `field` is the name of what is looked at, in snake_case without its subject ("quality" of "Hotel quality"), in the
    language of the text; `subject` what it belongs to ("hotel"), None where none is named. `value` is the wanted one;
    ranges have `low` and `high`, both included unless `exclusive`; sets, and presence with alternatives, have
    `options`. A percentage is kept as a share of 1 with `value_type` PERCENT (70 % is 0.7). `unit` is a unit as
    pint names it ("kilometer"), `currency` an ISO 4217 code. A date is ISO 8601 text.

    For VERDICT `field` is what is asked of the user ("confirms", "finishes", "likes") and `subject` who ("user").
    `value` is then what the user is asked about ("recommendation"), if the text names it.
    `normal` is the normal form that results show: `quality >= 7`, `price <= 200`, `pool`, `no advanced-only resorts`,
    `user confirms`.

    `options` of PRESENCE are whole names of which one must be there ("beginner slopes", "intermediate slopes"), and
    `field` what they share ("slopes"); of ABSENCE, names of which none may be there. `count`: how many there are of
    `field` is compared ("no more than 3 hints"), so that a list may stand for its length. `scale` is what a rating is
    out of (10 of "8/10"). `every`: of all, each or every one. `state` is the last word of `field` where
    that is a state ("sent" of `email_sent`). A date without a year is month and day ("12-15"), one with a time of day
    ISO too ("2026-12-15T18:30"); a time of day "18:30".
    """

    kind: CriterionKind
    field: str = Field(min_length=1, max_length=200)
    subject: str | None = None
    operator: Operator
    value: Scalar | None = None
    low: Scalar | None = None
    high: Scalar | None = None
    exclusive: bool = False
    options: list[str] = Field(default_factory=list)
    value_type: ValueType = ValueType.TEXT
    unit: str | None = None
    currency: str | None = None
    scale: float | None = None
    count: bool = False
    every: bool = False
    state: str | None = None
    language: str = "en"
    normal: str = Field(min_length=1, max_length=600)


class Amount(Contract):
    """A value as people or programs write it.

    `value` is None where `low` or `high` say more: "100-150" has both, "from 100" and "100+" only `low`, "up to 5"
    only `high`. A percentage is a share of 1, a date ISO text, as in `CriterionParse`. `unit` is a unit as pint names
    it, or "star"; `scale` what a rating is out of; `counted` the noun that a number stands before ("hints" of "3
    hints"). `approximate`: "about", "~".
    """

    value: Scalar | None = None
    value_type: ValueType = ValueType.NUMBER
    unit: str | None = None
    currency: str | None = None
    low: Scalar | None = None
    high: Scalar | None = None
    scale: float | None = None
    counted: str | None = None
    approximate: bool = False
