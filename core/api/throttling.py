"""How often one user, token or address may ask. Fixed windows of a minute, counted in PostgreSQL for all processes."""

import ipaddress
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.db import connection
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

if TYPE_CHECKING:  # REST framework's settings load this module while its views are being loaded
    from rest_framework.views import APIView

WINDOW_SECONDS = 60

# One statement for all keys of a request, always in the order of the keys, so that two requests cannot wait for each
# other. The database's clock: processes on several machines count the same windows.
_COUNT = """
INSERT INTO core_ratewindow AS known (key, started_at, count)
SELECT key, clock_timestamp(), 1 FROM unnest(%(keys)s::text[]) AS asked (key) ORDER BY key
ON CONFLICT (key) DO UPDATE SET
    started_at = CASE WHEN known.started_at <= excluded.started_at - %(window)s * interval '1 second'
                 THEN excluded.started_at ELSE known.started_at END,
    count = CASE WHEN known.started_at <= excluded.started_at - %(window)s * interval '1 second'
            THEN 1 ELSE least(known.count, 2147483646) + 1 END
RETURNING key, count, extract(epoch FROM started_at - clock_timestamp()) + %(window)s
"""


class RateState(NamedTuple):
    """The state of a window after this request; `left` is negative when there were too many."""

    limit: int
    left: int
    resets_in: float


class RateThrottle(BaseThrottle):
    """Counts the request for its user and token, or for its address when it has none."""

    problems = ("too-many-requests",)

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

    The address is the connection's own (`REMOTE_ADDR`): headers, which every client can write, change nothing. Of an
    IPv6 address it is the first 64 bits, which is what one customer gets.
    """
    if not request.user.is_authenticated:
        network = network_of(request.META.get("REMOTE_ADDR", "")) or "unknown"
        return {f"address:{network}": settings.API_RATE_ADDRESS}
    keys = {f"user:{request.user.pk}": settings.API_RATE_USER}
    token: Any = request.auth
    if token is not None:
        keys[f"token:{token.pk}"] = settings.API_RATE_TOKEN
    return keys


def network_of(address: str) -> str:
    """The address, or the network of an IPv6 one (`2001:db8::/64`); empty for what is none, as of a Unix socket."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    return str(ip.ipv4_mapped or ipaddress.ip_network((int(ip), 64), strict=False))


def rates_count(keys: Mapping[str, int]) -> list[RateState]:
    """Count one request against each key, in one statement; return the state of each window."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, {"keys": list(keys), "window": WINDOW_SECONDS})
        rows = cursor.fetchall()
    return [RateState(keys[key], keys[key] - count, float(resets_in)) for key, count, resets_in in rows]


def tightest(states: list[RateState]) -> RateState:
    """The window with the least left; of several that are used up, the one that resets last."""
    return min(states, key=lambda state: (max(state.left, -1), -state.resets_in))


def rate_headers(state: RateState) -> dict[str, str]:
    """`RateLimit-*`: requests allowed in a minute, how many are left, and the seconds until the minute begins anew."""
    return {
        "RateLimit-Limit": str(state.limit),
        "RateLimit-Remaining": str(max(0, state.left)),
        "RateLimit-Reset": str(max(0, round(state.resets_in))),
    }
