"""Counting in fixed windows, in PostgreSQL for all processes. Each key has its limit and the length of its window."""

import ipaddress
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.db import connection
from django.http import HttpRequest

MINUTE, HOUR, DAY = 60, 3600, 24 * 3600

# One statement for all keys of a request, always in the order of the keys, so that two requests cannot wait for each
# other. The database's clock: processes on several machines count the same windows. One that began further ahead than
# it is long was begun before that clock was set back; one a moment ahead was begun by a statement that overtook this.
_COUNT = """
INSERT INTO core_ratewindow AS known (key, started_at, count)
SELECT key, clock_timestamp(), %(weight)s FROM unnest(%(keys)s::text[]) AS asked (key) ORDER BY key
ON CONFLICT (key) DO UPDATE SET
    started_at = CASE WHEN abs(extract(epoch FROM excluded.started_at - known.started_at)) >= %(window)s
                 THEN excluded.started_at ELSE known.started_at END,
    count = CASE WHEN abs(extract(epoch FROM excluded.started_at - known.started_at)) >= %(window)s
            THEN excluded.count ELSE least(known.count, 2147483647 - excluded.count) + excluded.count END
RETURNING key, count, extract(epoch FROM started_at - clock_timestamp()) + %(window)s
"""
_GIVE_BACK = "UPDATE core_ratewindow SET count = greatest(count - %(weight)s, 0) WHERE key = ANY(%(keys)s)"


class RateState(NamedTuple):
    """The state of a window after this request; `left` is negative when there were too many."""

    limit: int
    left: int
    resets_in: float


def rates_count(limits: Mapping[str, int], *, weight: int = 1, seconds: int = MINUTE) -> list[RateState]:
    """Count `weight` against each key, in one statement; return the state of each window of `seconds`.

    `limits` are by key; without any, `ValueError`. A weight above a limit counts as the limit, so that it passes once
    in a window.
    """
    if not limits:
        raise ValueError("there is no key to count for")
    values: dict[str, Any] = {"keys": list(limits), "window": seconds, "weight": min(weight, *limits.values())}
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, values)
        rows = cursor.fetchall()
    return [RateState(limits[key], limits[key] - count, float(resets_in)) for key, count, resets_in in rows]


def rates_give_back(keys: Iterable[str], *, weight: int = 1) -> None:
    """Take back what was counted for something that turned out not to count. One statement."""
    with connection.cursor() as cursor:
        cursor.execute(_GIVE_BACK, {"keys": list(keys), "weight": weight})


def tightest(states: Iterable[RateState]) -> RateState:
    """The window with the least left; of several that are used up, the one that resets last."""
    return min(states, key=lambda state: (max(state.left, -1), -state.resets_in))


def network_of(address: str) -> str:
    """The address, or the network of an IPv6 one (`2001:db8::/64`); empty for what is none, as of a Unix socket."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    return str(ip.ipv4_mapped or ipaddress.ip_network((int(ip), 64), strict=False))


def network_key(request: HttpRequest) -> str:
    """Where a request comes from: the connection's own address (`REMOTE_ADDR`), as `network_of` has it.

    Headers, which every client can write, change nothing. All requests without an address are one.
    """
    return network_of(request.META.get("REMOTE_ADDR", "")) or "unknown"
