"""People: guests, accounts, and those of the demonstration."""

import secrets

from django.contrib.auth.hashers import make_password
from django.db import connection, transaction
from django.utils.translation import gettext as _

from accounts.contracts import DemoAccount
from accounts.errors import LearnersNotManaged, PseudonymRefused
from accounts.models import Role, User
from accounts.services.tokens import tokens_revoke
from accounts.sign_in.password_work import password_slot
from accounts.signals import guest_absorbed
from core.errors import RowThere
from core.services import row_insert

_STAYS = "SELECT 1 FROM accounts_user WHERE id = %s AND erased_at IS NULL FOR KEY SHARE"
# Of two who sign up with one name at once the second waits, and finds it taken.
_NAME_LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(upper(%s), 5307114902420))"
DEMO = {"demo": Role.LEARNER, "staff": Role.STAFF}
_LONGEST = User._meta.get_field("pseudonym").max_length or 0


def guest_create() -> User:
    """Create a learner without an account or password."""
    # The usual way to an unusable password hashes nothing, but create_user would also normalise an address we lack.
    return User.objects.create(
        username=f"guest-{secrets.token_hex(8)}", password=make_password(None), is_guest=True, role=Role.LEARNER
    )


def account_sign_up(*, username: str, password: str, guest: User | None = None) -> User:
    """Create an account. A guest becomes the account, so everything they did stays theirs.

    `guest` itself is not changed. Raises `ServerBusy` where too many passwords wait, and `RowThere` when the name was
    taken between the form's check and now.
    """
    with password_slot():
        hashed = make_password(password)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_NAME_LOCK, [username])
        if User.objects.filter(username__iexact=username).exists():
            raise RowThere(username)
        user = User(role=Role.LEARNER)
        if guest is not None:
            # Read again under a lock: another tab may have made this guest an account already, or they were erased.
            user = User.objects.select_for_update().filter(pk=guest.pk, is_guest=True, erased_at=None).first() or user
        user.username, user.is_guest, user.password = username, False, hashed
        user.save()
    return user


@transaction.atomic
def account_change(*, account: User) -> int:
    """Save what staff changed of an account, and end its tokens where it is inactive now or has another role; how many.

    A token is refused meanwhile anyway, but would live again with the account or the role.
    """
    before = User.objects.select_for_update(of=("self",)).get(pk=account.pk)
    account.save()
    if before.is_active and not account.is_active:
        return tokens_revoke(user=account, why="inactive")
    return tokens_revoke(user=account, why="role") if before.role != account.role else 0


@transaction.atomic
def guest_absorb(*, guest: User, account: User) -> None:
    """A guest signs in to an account they already had: what they did moves there and the guest is gone.

    Nothing happens for one who is no guest (any more).
    """
    # Locked: a lesson that another tab starts meanwhile either moves too or finds no guest.
    guests = User.objects.select_for_update().filter(pk=guest.pk, is_guest=True, erased_at=None)
    locked = guests.exclude(pk=account.pk).first()
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
    """Lock the user until the transaction ends; False when they are erased or gone. One statement.

    Waits while another transaction erases or absorbs them. Take this lock before any row of theirs: erasing locks the
    user first.
    """
    with connection.cursor() as cursor:
        cursor.execute(_STAYS, [user_id])
        return cursor.fetchone() is not None


def learner_of(*, integrator: User, pseudonym: str) -> User:
    """Return the learner of the integrator (or staff) with this pseudonym; create them the first time.

    Two calls at once get the same learner, who has no password. Pseudonyms are compared letter by letter.
    Raises `LearnersNotManaged` for another role, and `PseudonymRefused` for an invalid pseudonym.
    """
    if integrator.role not in (Role.INTEGRATOR, Role.STAFF) or not integrator.is_active:
        raise LearnersNotManaged(_("Only integrators and staff can act for learners of their own."))
    if not 1 <= len(pseudonym) <= _LONGEST or not pseudonym.isprintable() or pseudonym != pseudonym.strip():
        raise PseudonymRefused(
            _("A pseudonym has 1 to %(most)s printable characters, without blanks around them.") % {"most": _LONGEST}
        )
    learner = _learner_find(integrator, pseudonym) or _learner_create(integrator, pseudonym)
    if learner.erased_at is not None:
        raise PseudonymRefused(_("This learner was erased."))
    return learner


def _learner_find(integrator: User, pseudonym: str) -> User | None:
    return User.objects.filter(managed_by=integrator, pseudonym=pseudonym).first()


def _learner_create(integrator: User, pseudonym: str) -> User:
    learner = User(
        username=f"managed-{secrets.token_hex(8)}",
        password=make_password(None),
        role=Role.LEARNER,
        managed_by=integrator,
        pseudonym=pseudonym,
    )
    try:
        row_insert(learner)
    except RowThere:
        return User.objects.get(managed_by=integrator, pseudonym=pseudonym)
    return learner
