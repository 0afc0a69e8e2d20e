"""Setting up, checking and taking away a second factor."""

import math
import time
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone
from django_otp.models import Device
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex

from accounts.models import User

RECOVERY_CODES = 10
_RECOVERY_LENGTH = 8


class CodeChecked(NamedTuple):
    """What came of a code: the device that took it, or None and the seconds until another may be tried."""

    device: Device | None
    wait: int


def second_factor_key() -> str:
    """A new key for a phone: 160 random bits in hex, the length that RFC 4226 asks for."""
    key: str = random_hex(20)
    return key


@transaction.atomic
def second_factor_set_up(*, user: User, key: str, code: str) -> tuple[Device, list[str]] | None:
    """Make the phone that knows `key` (hex) the user's one second factor, and return it with new recovery codes.

    None when `code` is not what that phone shows now. Earlier devices and codes are gone, and what was entered with
    them counts no more. The code used here cannot be used again.
    """
    totp = TOTP(bytes.fromhex(key))
    totp.time = time.time()
    if not code.isdecimal() or not totp.verify(int(code), tolerance=1):
        return None
    User.objects.select_for_update(of=("self",)).get(pk=user.pk)  # of two at once the later one stays, whole
    second_factor_reset(user=user)
    device = TOTPDevice.objects.create(user=user, name="TOTP", key=key, last_t=totp.t(), drift=totp.drift)
    return device, recovery_codes_renew(user=user)


@transaction.atomic
def second_factor_check(*, user: User, code: str) -> CodeChecked:
    """Whether a code from the phone, or a recovery code, is right now. A right one is used up."""
    typed = code.replace("-", "").replace(" ", "").lower()
    model: Any = StaticDevice if len(typed) == _RECOVERY_LENGTH else TOTPDevice
    # Locked: of the same code sent twice at once, one is right.
    device = model.objects.select_for_update().filter(user=user, confirmed=True).first()
    if device is None:
        return CodeChecked(None, 0)
    allowed, why = device.verify_is_allowed()
    if not allowed:
        return CodeChecked(None, max(1, math.ceil((why["locked_until"] - timezone.now()).total_seconds())))
    return CodeChecked(device if device.verify_token(typed) else None, 0)


@transaction.atomic
def recovery_codes_renew(*, user: User) -> list[str]:
    """Ten new recovery codes, as they are shown; the old ones work no more."""
    device, _ = StaticDevice.objects.get_or_create(user=user, defaults={"name": "recovery"})
    device.token_set.all().delete()
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create([StaticToken(device=device, token=code) for code in codes])
    return [f"{code[:4]}-{code[4:]}" for code in codes]


@transaction.atomic
def second_factor_reset(*, user: User) -> bool:
    """Take the second factor away, so that it is set up anew at the next entry; whether there was one."""
    removed, _ = TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()
    return bool(removed)
