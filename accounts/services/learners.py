"""Learners whom a program knows under names of its own."""

import secrets

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.errors import LearnersNotManaged, PseudonymRefused
from accounts.models import Role, User

_LONGEST = User._meta.get_field("pseudonym").max_length or 0


def learner_of(*, integrator: User, pseudonym: str) -> User:
    """The learner whom the integrator's (or staff's) program calls `pseudonym`, made when they come for the first time.

    Two at once get the same learner; nobody can sign in as them. Names are told apart exactly as they are spelt.
    Raises `LearnersNotManaged` for another role, and `PseudonymRefused` for a name that cannot be.
    """
    if integrator.role not in (Role.INTEGRATOR, Role.STAFF) or not integrator.is_active:
        raise LearnersNotManaged(_("Only integrators and staff can act for learners of their own."))
    if not 1 <= len(pseudonym) <= _LONGEST or not pseudonym.isprintable() or pseudonym != pseudonym.strip():
        raise PseudonymRefused(
            _("A pseudonym has 1 to %(most)s printable characters, without blanks around them.") % {"most": _LONGEST}
        )
    learner = _known(integrator, pseudonym) or _made(integrator, pseudonym)
    if learner.erased_at is not None:
        raise PseudonymRefused(_("This learner was erased."))
    return learner


def _known(integrator: User, pseudonym: str) -> User | None:
    return User.objects.filter(managed_by=integrator, pseudonym=pseudonym).first()


def _made(integrator: User, pseudonym: str) -> User:
    try:
        with transaction.atomic():
            return User.objects.create(
                username=f"managed-{secrets.token_hex(8)}",
                password=make_password(None),
                role=Role.LEARNER,
                managed_by=integrator,
                pseudonym=pseudonym,
            )
    except IntegrityError:
        learner = _known(integrator, pseudonym)
        if learner is None:
            raise
        return learner
