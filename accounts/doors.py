"""Guessing, at every door: django-axes counts failures and locks out; here is what it counts by.

A door is what failures are counted under, with the address they came from: the name of whoever signs in, the second
factor of somebody, or all tokens together.
"""

import ipaddress
import math
from datetime import datetime, timedelta
from typing import Any

from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.signals import user_login_failed
from django.db.models import Max, QuerySet, Sum
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User

TOKENS = "(api tokens)"  # no user can be called that; lower case, as axes writes names


def address_of(request: HttpRequest) -> str | None:
    """Where a request comes from: the connection's own address, never a header that anybody can write.

    Of an IPv6 address its network of 64 bits, which is what one customer gets. None where there is none (Unix socket).
    """
    try:
        ip = ipaddress.ip_address(request.META.get("REMOTE_ADDR", "").partition("%")[0])
    except ValueError:
        return None
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    return str(ip.ipv4_mapped or ipaddress.ip_network((int(ip), 64), strict=False).network_address)


def door_of_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str | None:
    """The name that somebody signs in with, in one spelling: else each way of writing capitals had tries of its own."""
    values: Any = credentials or request.POST
    name = values.get(User.USERNAME_FIELD)
    return name.upper().lower() if isinstance(name, str) else None


def door_of_second_factor(user: User) -> str:
    """Not the name's own door: there, signing in again with the password forgets the failures."""
    return f"{user.get_username().upper().lower()} (second factor)"


def failure_totals(door: str, address: str | None) -> QuerySet[AccessAttempt, dict[str, Any]]:
    """One row with `failed` and `last`, of what still counts at a door for an address; or none."""
    since = timezone.now() - _cool_off()
    rows = AccessAttempt.objects.filter(username=door, ip_address=address, attempt_time__gt=since)
    totals = rows.values("username").annotate(failed=Sum("failures_since_start"), last=Max("attempt_time"))
    ordered: QuerySet[AccessAttempt, dict[str, Any]] = totals.order_by("username")
    return ordered


def wait_seconds(door: str, request: HttpRequest) -> int:
    """How long the door stays shut for this address; 0 when it is open."""
    totals = failure_totals(door, address_of(request)).first()
    return wait_after(totals["failed"], totals["last"]) if totals else 0


def wait_after(failed: int | None, last: datetime | None) -> int:
    """The same from the number of failures that still count and the time of the last one, None where there are none."""
    if not failed or not last or failed < settings.AXES_FAILURE_LIMIT:
        return 0
    return max(1, math.ceil((last + _cool_off() - timezone.now()).total_seconds()))


def failure_record(door: str, request: HttpRequest) -> None:
    """Count a failure. axes sees a request without what was sent: it would keep that."""
    bare = HttpRequest()
    agent = request.META.get("HTTP_USER_AGENT", "").replace("\x00", "")
    bare.META = {
        "REMOTE_ADDR": request.META.get("REMOTE_ADDR", ""),
        "HTTP_USER_AGENT": agent,
        "PATH_INFO": request.path,
    }
    user_login_failed.send(sender=__name__, credentials={User.USERNAME_FIELD: door}, request=bare)


def failures_forget(door: str, request: HttpRequest) -> None:
    """It was them after all."""
    AccessAttempt.objects.filter(username=door, ip_address=address_of(request)).delete()


def _cool_off() -> timedelta:
    return timedelta(hours=settings.AXES_COOLOFF_TIME)
