"""Whose chains of events are whose. A layer above that writes chains about people says so in `AppConfig.ready()`."""

from collections.abc import Callable
from typing import Any

from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat

from accounts.models import User

Keys = QuerySet[Any, Any]
_registered: list[Callable[[QuerySet[User]], Keys]] = []


def chain_owners_register(keys_of: Callable[[QuerySet[User]], Keys]) -> None:
    """Say which chains are about these people: a query with one column, their keys. A second time changes nothing."""
    if keys_of not in _registered:
        _registered.append(keys_of)


def chain_keys(rows: QuerySet[Any], prefix: str = "") -> Keys:
    """The keys of chains that are named after the primary keys of rows, behind a prefix such as "plan:"."""
    keys: Keys = rows.annotate(chain=Concat(Value(prefix), Cast("pk", CharField()))).values("chain")
    return keys


def chains_about(users: QuerySet[User]) -> Keys:
    """The keys of all chains about these people. Still a query."""
    first, *others = (keys_of(users) for keys_of in _registered)
    return first.union(*others, all=True)
