"""Erasing a learner: who they were, and through the layers above what they wrote. What they did stays, nameless."""

import secrets

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.hashers import make_password
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.errors import EraseRefused
from accounts.models import ApiToken, Role, User
from accounts.services.second_factor import second_factor_reset
from accounts.sign_in.lockout import key_of_second_factor
from accounts.signals import learner_erased
from core.services import requests_forget


@transaction.atomic
def learner_erase(*, user: User, by: User | None = None) -> bool:
    """Erase a learner, guest, managed learner or integrator for good, and return whether there was anything to erase.

    Name, addresses, password, tokens, second factor and pseudonym are deleted everywhere, and their sessions in
    browsers end. Sends `learner_erased` to the layers above. Raises `EraseRefused` for staff and for integrators who
    still manage learners. Idempotent, also for two calls at once.
    """
    person = User.objects.select_for_update(of=("self",)).get(pk=user.pk)
    if person.erased_at is not None:
        return False
    _require_erasable(person)
    _traces_erase(person)
    person.api_tokens.all().delete()
    second_factor_reset(user=person)
    person.groups.clear()
    person.user_permissions.clear()
    _name_erase(person)
    learner_erased.send(sender=User, user=person)
    if by is not None:
        LogEntry.objects.log_actions(by.pk, [person], CHANGE, "Erased.", single_object=True)
    return True


def managed_learner_erase(*, integrator: User, pseudonym: str) -> bool:
    """Erase the integrator's learner with this pseudonym, which is free then. Return whether there was one."""
    learner = User.objects.filter(managed_by=integrator, pseudonym=pseudonym, erased_at=None).first()
    return learner is not None and learner_erase(user=learner, by=integrator)


def _require_erasable(person: User) -> None:
    if person.role == Role.STAFF or person.is_staff or person.is_superuser:
        raise EraseRefused(_("Staff cannot be erased. Take their role away first."))
    managed = person.learners.filter(erased_at=None).count()
    if managed:
        raise EraseRefused(_("They manage %(count)s learners. Erase those first.") % {"count": managed})


def _traces_erase(person: User) -> None:
    """The name where sign-ins and the administration's history keep it, and answers kept for a repeated request."""
    names = Q(username__iexact=person.username) | Q(username=key_of_second_factor(person))
    for model in (AccessAttempt, AccessFailureLog, AccessLog):
        model.objects.filter(names).delete()
    tokens = [str(pk) for pk in person.api_tokens.values_list("pk", flat=True)]
    for model, keys in ((User, [str(person.pk)]), (ApiToken, tokens)):
        history = LogEntry.objects.filter(content_type=ContentType.objects.get_for_model(model), object_id__in=keys)
        history.update(object_repr="-", change_message="")
    requests_forget(user_id=person.pk)
    if person.managed_by_id is not None:
        # Requests for this learner are among the program's other requests, which do not name a learner.
        requests_forget(user_id=person.managed_by_id)


def _name_erase(person: User) -> None:
    new_name = f"erased-{secrets.token_hex(8)}"
    person.username = new_name
    person.first_name = person.last_name = person.email = ""
    person.pseudonym = new_name if person.managed_by_id is not None else ""
    person.password = make_password(None)  # another one: it ends their sessions in browsers
    person.last_login = None
    person.is_active = False
    person.erased_at = timezone.now()
    person.save()
