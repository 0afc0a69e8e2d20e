"""Values of query strings, read as strictly as the OpenAPI document describes them."""

import re
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, ConfigDict

_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})", re.ASCII)


def _digits(value: Any) -> Any:
    # Pydantic would also take "1_0", " 10" and "10.0".
    if isinstance(value, str) and not (value.isascii() and value.isdecimal()):
        raise ValueError("must be a whole number in plain digits")
    return value


def _rfc_3339(value: Any) -> Any:
    # Pydantic would also take seconds since 1970.
    if isinstance(value, str) and not _MOMENT.fullmatch(value):
        raise ValueError("must be a time like 2026-01-31T12:00:00Z; a plus sign is written %2B")
    return value


def _utc(moment: datetime) -> datetime:
    # PostgreSQL knows no zone further away than 16 hours, and Python no time before the year 1 or after 9999.
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        return _FIRST if moment.year == 1 else _LAST


WholeNumber = Annotated[int, BeforeValidator(_digits)]
"""Plain digits and nothing else."""
Moment = Annotated[AwareDatetime, BeforeValidator(_rfc_3339), AfterValidator(_utc)]
"""A time with its zone as RFC 3339 writes it, in UTC."""
BLANKS = r"\x00-\x20\x7f-\xa0\xad\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff"
"""What is not seen, for a class of a pattern: spelled out, since Python and JSON Schema do not agree on \\s."""
PYTHONS_PATTERNS = ConfigDict(regex_engine="python-re")
"""Of models whose patterns have \\w, which is a letter or digit of any script, as JSON Schema has it too."""
