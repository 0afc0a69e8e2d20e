"""The grammar of success criteria, English and Spanish. Source: docs/criteria.md."""

from .amounts import amount_read
from .contracts import (
    BOUNDS,
    LOWER_BOUNDS,
    OPPOSITES,
    Amount,
    CriterionKind,
    CriterionParse,
    Operator,
    Scalar,
    ValueType,
)
from .reading import criterion_parse
from .units import amount_convert

__all__ = (
    "BOUNDS",
    "LOWER_BOUNDS",
    "OPPOSITES",
    "Amount",
    "CriterionKind",
    "CriterionParse",
    "Operator",
    "Scalar",
    "ValueType",
    "amount_convert",
    "amount_read",
    "criterion_parse",
)
