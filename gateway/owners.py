"""Whose money is whose. An account knows its session by its id alone: the layer that owns sessions says who sees which,
where staff look at one, and how many answers were graded.

Filled in `AppConfig.ready()`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import CharField, F, Func, QuerySet, Value
from django.db.models.functions import Cast

from accounts.models import User
from accounts.selectors import users_seen_by
from gateway.models import Account


@dataclass(frozen=True)
class Owner:
    """What a layer with sessions knows of them.

    `sessions_of`: those that a user may see, a query with one column, their ids as text. `url_of`: where staff look at
    the session with this id, empty where it is none of theirs. `graded_answers`: how many answers were judged in these
    days, in UTC, both counted, of those that a second opinion could have been asked about.
    """

    sessions_of: Callable[[User], QuerySet[Any, Any]]
    url_of: Callable[[str], str]
    graded_answers: Callable[[date, date], int]


_registered: list[Owner] = []
_OWNER = Func(F("key"), Value(":"), Value(1), function="split_part", output_field=CharField())
"""The user's id in the key of a day, "17:2026-01-31"."""


def owner_register(owner: Owner) -> None:
    """Say whose sessions these are; a second time changes nothing."""
    if owner not in _registered:
        _registered.append(owner)


def session_url_of(key: str) -> str:
    """Where staff look at a session; empty where the key is no session's."""
    return next((url for owner in _registered if (url := owner.url_of(key))), "")


def graded_answers(since: date, until: date) -> int | None:
    """Answers of these days that could have been escalated; None where no layer above counts them."""
    return sum(owner.graded_answers(since, until) for owner in _registered) if _registered else None


def accounts_of(user: User) -> QuerySet[Account]:
    """Accounts of the sessions that a user may see, and of the days of themselves and the learners whom they manage.

    Still a query. What several people share, all guests' day and an agent's month, is nobody's own.
    """
    people = users_seen_by(user).filter(erased_at=None).annotate(text=Cast("pk", CharField()))
    days = Account.objects.filter(scope=Account.Scope.USER_DAY).annotate(owner=_OWNER)
    found: list[QuerySet[Any, Any]] = [days.filter(owner__in=people.values("text")).values("pk")]
    for owner in _registered:
        of_sessions = Account.objects.filter(scope=Account.Scope.SESSION, key__in=owner.sessions_of(user))
        found.append(of_sessions.values("pk"))
    # One after the other, by their indexes: with OR between them every account would be looked at.
    return Account.objects.filter(pk__in=found[0].union(*found[1:], all=True))
