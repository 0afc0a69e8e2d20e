"""Values of accounts that cross layers."""

from datetime import datetime
from typing import Annotated

from pydantic import Field, StringConstraints

from core.contracts import Contract

Pseudonym = Annotated[
    str,
    StringConstraints(min_length=1, max_length=120, pattern=r"^[\w!-~]([ \w!-~]*[\w!-~])?$"),
    Field(
        description="Your program's name for a learner whom you manage.",
        examples=["learner-7"],
        # The same for JSON Schema, to which \w is ASCII alone.
        json_schema_extra={"pattern": r"^[\p{L}\p{N}_!-~]([ \p{L}\p{N}_!-~]*[\p{L}\p{N}_!-~])?$"},
    ),
]
"""Of models with `PYTHONS_PATTERNS`."""


class DemoAccount(Contract):
    """An account of the demonstration. `password` is None for one that existed: it is shown once, at its making."""

    username: str
    role: str
    password: str | None


class SecondFactor(Contract):
    """A second factor that is set up. `last_used` is None before the first entry with it."""

    since: datetime | None
    last_used: datetime | None
    recovery_codes: int
