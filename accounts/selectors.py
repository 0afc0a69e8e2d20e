"""Reads of accounts."""

from django.db.models import Q, QuerySet
from django.utils import timezone
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.contracts import SecondFactor
from accounts.models import ApiToken, User
from accounts.services.tokens import token_digest

TOKENS_LISTED = 60
_PK_DIGITS = 18


def users_seen_by(user: User, *, also_erased: bool = False) -> QuerySet[User]:
    """The user and the learners they manage: whose sessions, plans, questions, money and events they may see.

    Without those who were erased, unless `also_erased`: what they did can be read no longer. To be used as
    `Session.objects.filter(user__in=users_seen_by(user))`, which is one statement.
    """
    users = User.objects.filter(Q(pk=user.pk) | Q(managed_by=user.pk))
    return users if also_erased else users.filter(erased_at=None)


def user_referred_to(reference: User | int | str) -> User | None:
    """The user with this primary key (also as digits) or username; None where there is none.

    One query; none for a user.
    """
    if isinstance(reference, User):
        return reference
    text = str(reference)
    if text.isascii() and text.isdigit():
        return User.objects.filter(pk=int(text)).first() if len(text) <= _PK_DIGITS else None
    return User.objects.filter(username=text).first() if text.isprintable() else None


def token_named(secret: str) -> ApiToken | None:
    """The token with its user, alive or not; None for a text that is no token's. One statement."""
    return ApiToken.objects.select_related("user").filter(digest=token_digest(secret)).first()


def tokens_of(user: User) -> list[ApiToken]:
    """The user's tokens, those that work first, then the latest."""
    now = timezone.now()
    tokens = user.api_tokens.annotate(works=Q(revoked_at=None, expires_at__gt=now)).order_by("-works", "-created_at")
    return list(tokens[:TOKENS_LISTED])


def tokens_working(user: User) -> int:
    """How many tokens of the user neither ended nor were revoked."""
    return user.api_tokens.filter(revoked_at=None, expires_at__gt=timezone.now()).count()


def second_factor_of(user: User) -> SecondFactor | None:
    """The user's second factor; None before it is set up. Two statements."""
    device = TOTPDevice.objects.filter(user=user, confirmed=True).first()
    if device is None:
        return None
    codes = StaticToken.objects.filter(device__user=user).count()
    return SecondFactor(since=device.created_at, last_used=device.last_used_at, recovery_codes=codes)
