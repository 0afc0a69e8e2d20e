"""Whose money is whose. An account knows its session by its id alone: the layer that owns sessions says who sees which,
where staff look at one, and how many answers were graded. A layer that raises alerts says where staff look into them.

Filled in `AppConfig.ready()`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import CharField, F, Func, QuerySet, Value
from django.db.models.functions import Cast
from django.utils.functional import Promise

from accounts.models import User
from accounts.selectors import users_seen_by
from gateway.models import Account, Alert


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


@dataclass(frozen=True)
class AlertPage:
    """Where staff see what alerts of a kind are about: its address, and a text for the link."""

    url: Callable[[Alert], str]
    text: str | Promise


_registered: list[Owner] = []
_alert_pages: dict[str, AlertPage] = {}
_OWNER = Func(F("key"), Value(":"), Value(1), function="split_part", output_field=CharField())
"""The user's id in the key of a day, "17:2026-01-31", or of a month, "17:tutor:2026-01"; in that of an
integrator's learners the integrator's."""
_OF_A_USER = (Account.Scope.USER_DAY, Account.Scope.USER_MONTH, Account.Scope.INTEGRATOR_MONTH)


def owner_register(owner: Owner) -> None:
    """Say whose sessions these are; a second time changes nothing."""
    if owner not in _registered:
        _registered.append(owner)


def alert_page_register(kinds: Iterable[Alert.Kind], page: AlertPage) -> None:
    """Say where staff look into alerts of these kinds, which a layer above raises."""
    _alert_pages.update((kind.value, page) for kind in kinds)


def alert_page_of(kind: str) -> AlertPage | None:
    """None where no layer above said so."""
    return _alert_pages.get(kind)


def session_url_of(key: str) -> str:
    """Where staff look at a session; empty where the key is no session's."""
    return next((url for owner in _registered if (url := owner.url_of(key))), "")


def graded_answers(since: date, until: date) -> int | None:
    """Answers of these days that could have been escalated; None where no layer above counts them."""
    return sum(owner.graded_answers(since, until) for owner in _registered) if _registered else None


def accounts_of(user: User) -> QuerySet[Account]:
    """Accounts of the sessions that a user may see, and of their own days and months and those of the learners that
    they manage, each and together.

    Still a query. The shared accounts (all guests' day, an agent's month) are not among them.
    """
    people = users_seen_by(user).annotate(text=Cast("pk", CharField()))
    own = Account.objects.filter(scope__in=_OF_A_USER).annotate(owner=_OWNER)
    parts: list[QuerySet[Any, Any]] = [own.filter(owner__in=people.values("text")).values("pk")]
    for owner in _registered:
        of_sessions = Account.objects.filter(scope=Account.Scope.SESSION, key__in=owner.sessions_of(user))
        parts.append(of_sessions.values("pk"))
    # One after the other, by their indexes: with OR between them every account would be looked at.
    return Account.objects.filter(pk__in=parts[0].union(*parts[1:], all=True))
