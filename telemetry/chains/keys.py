"""The keys of the audit trail, which sign heads of chains, audit entries and anchors: one signs, all verify.

A ring is a list of secrets, and a key is known by an id made of itself: nothing has to be numbered, and a key that is
put back is the one it was.
"""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.core import checks

_DERIVED = b"andamio.audit/1 key"
_NAMED = b"andamio.audit/1 id:"
ID_LENGTH = 16  # characters of hex


@dataclass(frozen=True)
class Key:
    """A secret, and the id by which a signature names it."""

    id: str
    secret: bytes

    @classmethod
    def of(cls, secret: bytes) -> "Key":
        return cls(hashlib.sha256(_NAMED + secret).hexdigest()[:ID_LENGTH], secret)

    def sign(self, checksum: str) -> str:
        """HMAC-SHA256 of a checksum, in hex."""
        return hmac.new(self.secret, checksum.encode(), hashlib.sha256).hexdigest()

    def signed(self, checksum: str, signature: str) -> bool:
        """Whether this key made the signature."""
        return hmac.compare_digest(self.sign(checksum).encode(), signature.encode())


@dataclass(frozen=True)
class Ring:
    """The key that signs, and by their ids all that verify, that one among them: the newest first."""

    signing: Key
    keys: Mapping[str, Key]


def ring() -> Ring:
    """The ring of the settings: `AUDIT_KEYS`, of which the first signs, and keys made of the secret keys.

    Those of `SECRET_KEY` and `SECRET_KEY_FALLBACKS` always verify; that of `SECRET_KEY` signs where `AUDIT_KEYS` is
    empty. The order is that of their age: a key does not sign any more once one before it has signed.
    """
    return _ring(tuple(settings.AUDIT_KEYS), (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))


@lru_cache(maxsize=8)
def _ring(configured: tuple[str, ...], secret_keys: tuple[str, ...]) -> Ring:
    # In hex, so that a derived key can be configured itself when its secret key has to go: docs/operator.md.
    derived = (hmac.new(secret.encode(), _DERIVED, hashlib.sha256).hexdigest() for secret in secret_keys)
    keys = [Key.of(secret.encode()) for secret in (*configured, *derived)]
    return Ring(keys[0], {key.id: key for key in keys})


SHORTEST = 32  # characters, as of a key in hex that has 128 bits


@checks.register(checks.Tags.security)
def audit_keys_check(app_configs: Any = None, **kwargs: Any) -> list[checks.CheckMessage]:
    """A key that can be guessed proves nothing."""
    places = [str(place) for place, key in enumerate(settings.AUDIT_KEYS, start=1) if len(key) < SHORTEST]
    if not places:
        return []
    text = f"AUDIT_KEYS: key {', '.join(places)} has fewer than {SHORTEST} characters and could be guessed."
    hint = "Put a random one in front, made by: openssl rand -hex 32. The short one stays, for what it signed."
    return [checks.Warning(text, hint=hint, id="telemetry.W001")]
