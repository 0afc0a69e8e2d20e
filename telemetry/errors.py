"""What telemetry refuses."""


class DataRefused(ValueError):
    """A value that JSON or PostgreSQL cannot hold unchanged, named by its path inside the event's data."""


class TransactionRequired(RuntimeError):
    """Events are written with the change that they record or not at all: outside a transaction nothing is appended."""


class ChainUnknown(LookupError):
    """No chain has this key, and no row says that it is of it."""
