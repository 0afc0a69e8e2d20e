"""Values of accounts that cross layers."""

from core.contracts import Contract


class DemoAccount(Contract):
    """An account of the demonstration. `password` is None for one that existed: it is shown once, at its making."""

    username: str
    role: str
    password: str | None
