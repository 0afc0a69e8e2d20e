"""Values of accounts that cross layers."""

from datetime import datetime

from core.contracts import Contract


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
