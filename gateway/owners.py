"""Whose money is whose. An account knows its session by its id alone: the layer that owns sessions says who sees which.

Filled in `AppConfig.ready()`.
"""

from collections.abc import Callable
from typing import Any

from django.db.models import CharField, F, Func, QuerySet, Value
from django.db.models.functions import Cast

from accounts.models import User
from accounts.selectors import users_seen_by
from gateway.models import Account

SessionsOf = Callable[[User], QuerySet[Any, Any]]
_registered: list[SessionsOf] = []
_OWNER = Func(F("key"), Value(":"), Value(1), function="split_part", output_field=CharField())
"""The user's id in the key of a day, "17:2026-01-31"."""


def sessions_register(sessions_of: SessionsOf) -> None:
    """Say which sessions a user may see: a query with one column, their ids as text."""
    if sessions_of not in _registered:
        _registered.append(sessions_of)


def accounts_of(user: User) -> QuerySet[Account]:
    """Accounts of the sessions that a user may see, and of the days of themselves and the learners whom they manage.

    Still a query. What several people share, all guests' day and an agent's month, is nobody's own.
    """
    people = users_seen_by(user).filter(erased_at=None).annotate(text=Cast("pk", CharField()))
    days = Account.objects.filter(scope=Account.Scope.USER_DAY).annotate(owner=_OWNER)
    found: list[QuerySet[Any, Any]] = [days.filter(owner__in=people.values("text")).values("pk")]
    for sessions_of in _registered:
        of_sessions = Account.objects.filter(scope=Account.Scope.SESSION, key__in=sessions_of(user))
        found.append(of_sessions.values("pk"))
    # One after the other, by their indexes: with OR between them every account would be looked at.
    return Account.objects.filter(pk__in=found[0].union(*found[1:], all=True))
