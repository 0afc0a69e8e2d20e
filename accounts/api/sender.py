"""The user behind a request of the API."""

from hashlib import sha256

from rest_framework.request import Request

from accounts.models import ApiToken, Role, User
from accounts.staff.access import second_factor_given
from core.api.idempotency import fingerprint_of, key_of


def sender_of(request: Request) -> User:
    """Return who sent the request. The permission of every view refuses anonymous requests before this."""
    assert isinstance(request.user, User)
    return request.user


def staff_asks(request: Request) -> bool:
    """Whether to show what is for staff alone; in a browser, after their second factor."""
    trusted = isinstance(request.auth, ApiToken) or second_factor_given(request._request)
    return sender_of(request).role == Role.STAFF and trusted


def action_key(request: Request) -> str:
    """Names the action of a request with an idempotency key: the same for its repetition, and for nothing else, not
    even for another body under a key that is old enough to come again. Empty for a request without a key.
    """
    if key_of(request) is None:
        return ""
    key = f"{sender_of(request).pk}:{key_of(request)}:{fingerprint_of(request)}"
    return sha256(key.encode()).hexdigest()
