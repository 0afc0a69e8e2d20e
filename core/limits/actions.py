"""Actions that cost the server something: each weighs about as many units as it computes hundredths of a second."""

from collections.abc import Mapping
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest

from core.errors import AndamioError
from core.limits.windows import MINUTE, RateState, network_key, rates_count, tightest


class Action(NamedTuple):
    """What is limited, and how many units it weighs where a request does not say. Each action has windows of its own,
    so that no flood of one stops another. Without `by_address` only guests and visitors count for their address: they
    cost nothing to make.
    """

    name: str
    weight: int
    by_user: bool = True
    by_address: bool = True


SIGN_IN = Action("sign-in", 30, by_user=False)
"""A password hash takes 0.3 s."""
SIGN_UP = Action("sign-up", 30, by_user=False)
PASSWORD = Action("password", 60)
"""Another one instead of the old one: two hashes."""
START = Action("start", 5)
ASK = Action("ask", 3)
PLAN = Action("plan", 5)
EVALUATE = Action("evaluate", 1)
TURN = Action("turn", 1, by_address=False)
"""A school's address may have any number of learners with accounts who answer."""


class TooManyRequests(AndamioError):
    """Refused before anything was done. The code has its description with the common problems."""

    code = "too-many-requests"
    status = 429

    def __init__(self, state: RateState) -> None:
        super().__init__("Too many requests; wait as long as Retry-After says.")
        self.state, self.retry_after = state, max(1, round(state.resets_in))


class ServerBusy(AndamioError):
    """So many wait for the same that one more would wait too long."""

    code = "unavailable"
    status = 503

    def __init__(self, retry_after: int) -> None:
        super().__init__("Too many wait for this at the moment.")
        self.retry_after = retry_after


def action_count(request: HttpRequest, action: Action, *, weight: int | None = None) -> RateState:
    """Count an action for its user and its address, before it is done; the tightest window. One statement.

    Raises `TooManyRequests` where `WORK_RATE_USER` or `WORK_RATE_ADDRESS` are used up for this minute.
    """
    limits = {}
    if action.by_user and request.user.is_authenticated:
        limits[f"{action.name}:user:{request.user.pk}"] = settings.WORK_RATE_USER
    if action.by_address or getattr(request.user, "is_guest", True):
        limits[f"{action.name}:{network_key(request)}"] = settings.WORK_RATE_ADDRESS
    return limit_require(limits, weight=action.weight if weight is None else weight)


def limit_require(limits: Mapping[str, int], *, weight: int = 1, seconds: int = MINUTE) -> RateState:
    """`rates_count`; the tightest window. Raises `TooManyRequests` where one is used up."""
    state = tightest(rates_count(limits, weight=weight, seconds=seconds))
    if state.left < 0:
        raise TooManyRequests(state)
    return state
