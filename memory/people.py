"""Whom something is remembered for."""

from django.db import connection
from django.utils.translation import gettext as _

from accounts.models import User
from memory.errors import MemoryRefused

_PK_BITS = 63
# Waits for whoever erases or absorbs this user at this moment, and finds nobody then.
_PERSON = "SELECT 1 FROM accounts_user WHERE id = %s AND erased_at IS NULL FOR KEY SHARE"


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
    with connection.cursor() as cursor:
        cursor.execute(_PERSON, [user_id])
        if cursor.fetchone() is None:
            raise MemoryRefused(_("There is nobody to remember this for."))
