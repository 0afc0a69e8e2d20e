"""Lockout after failed tries. django-axes counts failures and locks out; this module says by which key it counts.

The key is, together with the address: the name used to sign in, or the second factor of a user.
"""

import math
from datetime import datetime, timedelta
from typing import Any

from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.signals import user_login_failed
from django.db.models import Max, Sum
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from core.limits.windows import network_of


def address_of(request: HttpRequest) -> str | None:
    """The address of a request: that of the connection, never of a header, which every client can write.

    Of an IPv6 address its network of 64 bits, which is what one customer gets. None where there is none (Unix socket).
    """
    return network_of(request.META.get("REMOTE_ADDR", "")).removesuffix("/64") or None


def key_of_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str | None:
    """The name given to sign in, in one spelling: otherwise each way of writing capitals has tries of its own."""
    values: Any = credentials or request.POST
    name = values.get(User.USERNAME_FIELD)
    return name.upper().lower() if isinstance(name, str) else None


def key_of_second_factor(user: User) -> str:
    """Not the key of the name: there, signing in again with the password forgets the failures."""
    return f"{user.get_username().upper().lower()} (second factor)"


def wait_seconds(key: str, request: HttpRequest) -> int:
    """How long this key is locked for this address; 0 when it is not. One statement."""
    since = timezone.now() - _cool_off()
    rows = AccessAttempt.objects.filter(username=key, ip_address=address_of(request), attempt_time__gt=since)
    totals = rows.aggregate(failed=Sum("failures_since_start"), last=Max("attempt_time"))
    if (totals["failed"] or 0) < settings.AXES_FAILURE_LIMIT:
        return 0
    until: datetime = totals["last"] + _cool_off()
    return max(1, math.ceil((until - timezone.now()).total_seconds()))


def failure_record(key: str, request: HttpRequest) -> None:
    """Count a failure. axes sees a request without what was sent: it would keep that."""
    bare = HttpRequest()
    agent = request.META.get("HTTP_USER_AGENT", "").replace("\x00", "")
    bare.META = {
        "REMOTE_ADDR": request.META.get("REMOTE_ADDR", ""),
        "HTTP_USER_AGENT": agent,
        "PATH_INFO": request.path,
    }
    user_login_failed.send(sender=__name__, credentials={User.USERNAME_FIELD: key}, request=bare)


def failures_forget(key: str, request: HttpRequest) -> None:
    """Forget the failures of this key and address, after a success."""
    AccessAttempt.objects.filter(username=key, ip_address=address_of(request)).delete()


def _cool_off() -> timedelta:
    return timedelta(hours=settings.AXES_COOLOFF_TIME)
