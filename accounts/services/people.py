"""People: guests, accounts, and those of the demonstration."""

import secrets

from django.contrib.auth.hashers import make_password
from django.db import connection, transaction

from accounts.contracts import DemoAccount
from accounts.models import Role, User
from accounts.signals import guest_absorbed

_STAYS = "SELECT 1 FROM accounts_user WHERE id = %s AND erased_at IS NULL FOR KEY SHARE"
DEMO = {"demo": Role.LEARNER, "staff": Role.STAFF}


def guest_create() -> User:
    """A learner without an account; nobody can sign in as them."""
    # The usual way to an unusable password hashes nothing, but create_user would also normalise an address we lack.
    return User.objects.create(
        username=f"guest-{secrets.token_hex(8)}", password=make_password(None), is_guest=True, role=Role.LEARNER
    )


@transaction.atomic
def account_sign_up(*, username: str, password: str, guest: User | None = None) -> User:
    """Create an account. A guest becomes the account, so everything they did stays theirs.

    `guest` itself is not changed. Raises `IntegrityError` when the name was taken between the form's check and now.
    """
    user = User(role=Role.LEARNER)
    if guest is not None:
        # Read again under a lock: another tab may have made this guest an account already, or they were erased.
        user = User.objects.select_for_update().filter(pk=guest.pk, is_guest=True, erased_at=None).first() or user
    user.username, user.is_guest = username, False
    user.set_password(password)
    user.save()
    return user


@transaction.atomic
def guest_absorb(*, guest: User, account: User) -> None:
    """A guest signs in to an account they already had: what they did moves there and the guest is gone.

    Nothing happens for one who is no guest (any more).
    """
    # Locked: a lesson that another tab starts meanwhile either moves too or finds no guest.
    here = User.objects.select_for_update().filter(pk=guest.pk, is_guest=True, erased_at=None)
    locked = here.exclude(pk=account.pk).first()
    if locked is None:
        return
    guest_absorbed.send(sender=User, guest=locked, account=account)
    locked.delete()


@transaction.atomic
def demo_accounts_ensure(*, password: str | None = None) -> list[DemoAccount]:
    """Create the demonstration's accounts where they are missing; a `password` given is set on existing ones too.

    A random password is returned once, when the account is made; it is stored hashed only.
    """
    return [_demo_account(username, role, password) for username, role in DEMO.items()]


def _demo_account(username: str, role: Role, password: str | None) -> DemoAccount:
    user = User.objects.select_for_update().filter(username=username).first()
    if user is not None and password is None:
        return DemoAccount(username=username, role=role, password=None)
    user = user or User(username=username, role=role, is_staff=role == Role.STAFF)
    secret = password or secrets.token_urlsafe(9)
    user.set_password(secret)
    user.save()
    return DemoAccount(username=username, role=role, password=secret)


def person_stays(*, user_id: int) -> bool:
    """Whether the user is there and not erased; then they stay so until the transaction ends. One statement.

    Waits for whoever erases or absorbs them at this moment. Take it before any row of theirs: erasing locks the person
    first.
    """
    with connection.cursor() as cursor:
        cursor.execute(_STAYS, [user_id])
        return cursor.fetchone() is not None
