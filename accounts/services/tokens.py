"""API tokens: made, used, revoked."""

import hashlib
import secrets
from collections.abc import Collection
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.errors import TokenRefused
from accounts.models import ApiToken, Scope, User
from accounts.sign_in.scopes import may_hold_tokens, scopes_of
from accounts.signals import tokens_revoked

START = "andamio_"
PREFIX_LENGTH = 16
NAME_LENGTH = 80
DAYS_AT_MOST = 366
TOKENS_AT_MOST = 20
USE_NOTED_EVERY = timedelta(minutes=1)


def token_digest(secret: str) -> str:
    """Return the SHA-256 that is stored of a token, in hex. A slow hash is not needed for 256 random bits."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


@transaction.atomic
def token_issue(*, user: User, name: str, scopes: Collection[str], days: int) -> tuple[ApiToken, str]:
    """Make a token and return it with its text, which is stored nowhere. Raises `TokenRefused`.

    `name` has 1 to 80 characters, `days` is 1 to 366, `scopes` is at least one of those of the user's role, and a user
    has at most 20 active tokens.
    """
    # Locked, so that two at once count each other and their owner is not erased or demoted meanwhile.
    owner = User.objects.select_for_update(of=("self",)).get(pk=user.pk)
    wanted = _checked(owner, name, scopes, days)
    now = timezone.now()
    if owner.api_tokens.filter(revoked_at=None, expires_at__gt=now).count() >= TOKENS_AT_MOST:
        raise TokenRefused(
            _("You have %(count)s active tokens, which is the most. Revoke one.") % {"count": TOKENS_AT_MOST}
        )
    secret = START + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        user=owner,
        name=name.strip(),
        prefix=secret[:PREFIX_LENGTH],
        digest=token_digest(secret),
        scopes=wanted,
        created_at=now,
        expires_at=now + timedelta(days=days),
    )
    return token, secret


def token_revoke(*, token: ApiToken) -> None:
    """End a token for good. The time of the first revocation stays."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())
    token.refresh_from_db(fields=["revoked_at"])


@transaction.atomic(savepoint=False)
def tokens_revoke(*, user: User, why: str) -> int:
    """End all tokens of a user, who may have lost control of them; how many there were.

    `why` is "password" (a new one), "role" (another one) or "inactive". Sends `tokens_revoked` where there were any.
    """
    now = timezone.now()
    revoked = ApiToken.objects.filter(user=user, revoked_at=None, expires_at__gt=now).update(revoked_at=now)
    if revoked:
        tokens_revoked.send(sender=ApiToken, user=user, count=revoked, why=why)
    return revoked


def token_note_use(*, token: ApiToken) -> None:
    """Remember that the token was used just now, at most once a minute; no statement when that minute is not over."""
    now = timezone.now()
    before = now - USE_NOTED_EVERY
    if token.last_used_at is None or token.last_used_at < before:
        stale = Q(last_used_at=None) | Q(last_used_at__lt=before)  # asked again: of many at once, one writes
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)


def _checked(owner: User, name: str, scopes: Collection[str], days: int) -> list[Scope]:
    """The scopes in their usual order. Raises `TokenRefused` for anything out of bounds."""
    if not may_hold_tokens(owner):
        raise TokenRefused(_("Only people who sign in can have tokens."))
    if not 1 <= len(name.strip()) <= NAME_LENGTH or not name.isprintable():
        raise TokenRefused(_("A token's name has 1 to %(most)s printable characters.") % {"most": NAME_LENGTH})
    if not 1 <= days <= DAYS_AT_MOST:
        raise TokenRefused(_("A token lasts 1 to %(most)s days.") % {"most": DAYS_AT_MOST})
    allowed = scopes_of(owner)
    refused = sorted(set(scopes) - {scope.value for scope in allowed})
    if refused:
        raise TokenRefused(_("Your role allows no token with: %(scopes)s.") % {"scopes": ", ".join(refused)})
    if not scopes:
        raise TokenRefused(_("A token needs at least one scope."))
    return [scope for scope in allowed if scope.value in scopes]
