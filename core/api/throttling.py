"""How often one user, token or address may ask the API in a minute."""

from typing import TYPE_CHECKING, Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from core.limits.actions import Action, TooManyRequests, action_count
from core.limits.windows import RateState, network_key, rates_count, tightest

if TYPE_CHECKING:  # REST framework's settings load this module while its views are being loaded
    from rest_framework.views import APIView


class RateThrottle(BaseThrottle):
    """Counts the request for its user and token, or for its address when it has neither or is a guest's."""

    problems = (TooManyRequests.code,)

    def __init__(self) -> None:
        self.state: RateState | None = None

    def allow_request(self, request: Request, view: "APIView") -> bool:
        self.state = tightest(rates_count(keys_of(request)))
        request._request.rate_state = self.state  # type: ignore[attr-defined]  # for the headers of the answer
        return self.state.left >= 0

    def wait(self) -> float | None:
        return max(1.0, self.state.resets_in) if self.state else None


def keys_of(request: Request) -> dict[str, int]:
    """What this request counts against, each with its limit per minute.

    A guest costs nothing to make, so all guests of an address have one window. What anybody sends without a good token
    is counted apart from them.
    """
    user: Any = request.user
    if not user.is_authenticated or user.is_guest:
        kind = "guests" if user.is_authenticated else "address"
        return {f"{kind}:{network_key(request._request)}": settings.API_RATE_ADDRESS}
    keys = {f"user:{user.pk}": settings.API_RATE_USER}
    token: Any = request.auth
    if token is not None:
        keys[f"token:{token.pk}"] = settings.API_RATE_TOKEN
    return keys


def action_allow(request: Request, action: Action, *, weight: int | None = None) -> None:
    """`action_count` for a request of the API, whose answer tells of the tightest window in its headers."""
    http: Any = request._request
    try:
        state = action_count(http, action, weight=weight)
    except TooManyRequests as error:
        http.rate_state = error.state
        raise
    http.rate_state = tightest([http.rate_state, state])


def rate_headers(state: RateState) -> dict[str, str]:
    """`RateLimit-*`: what is allowed in a minute, how much is left, and the seconds until the minute begins anew."""
    return {
        "RateLimit-Limit": str(state.limit),
        "RateLimit-Remaining": str(max(0, state.left)),
        "RateLimit-Reset": str(max(0, round(state.resets_in))),
    }
