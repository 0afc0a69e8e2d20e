"""The grammar of success criteria, English and Spanish. Source: docs/criteria.md."""

from .contracts import CriterionKind, CriterionParse, Operator, Scalar, ValueType
from .reading import criterion_parse

__all__ = ("CriterionKind", "CriterionParse", "Operator", "Scalar", "ValueType", "criterion_parse")
