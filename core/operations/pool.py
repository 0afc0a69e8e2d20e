"""The pool lends connections unseen: after the database was away, each dead one would fail a request."""

import sys
from typing import Any

from django.db import InterfaceError, OperationalError, connection


def dead_connections_replace(**_: Any) -> None:
    """After an error of the database that is being handled, look at all idle connections: one request fails, not each.

    A receiver of `got_request_exception`. Does nothing after other errors.
    """
    pool: Any = getattr(connection, "pool", None)
    if pool is not None and isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        pool.check()
