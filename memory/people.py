"""Whom something is remembered for."""

from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import person_stays
from memory.errors import MemoryRefused

_PK_BITS = 63


def user_pk(user: User | int) -> int:
    """The key of a user. Raises `MemoryRefused` for what cannot be one."""
    pk: object = user.pk if isinstance(user, User) else user
    if not isinstance(pk, int) or isinstance(pk, bool) or pk < 1 or pk.bit_length() > _PK_BITS:
        raise MemoryRefused(_("There is nobody to remember this for."))
    return pk


def person_require(user_id: int) -> None:
    """Raise `MemoryRefused` where there is no such user, or an erased one; else they stay so until the transaction
    ends. One statement.
    """
    if not person_stays(user_id=user_id):
        raise MemoryRefused(_("There is nobody to remember this for."))
