"""Receivers of signals of the layers below."""

from uuid import UUID

from django.utils import timezone

from accounts.models import User
from reflection.services.activation import superseded_end
from reflection.services.patterns import patterns_erase, patterns_transfer


def patterns_move(*, guest: User, account: User, **_: object) -> None:
    """A guest signed in to an account: what keeps happening to them goes with them, after their memories and plans."""
    patterns_transfer(source=guest.pk, target=account.pk)


def patterns_go(*, user: User, **_: object) -> None:
    """A learner is erased: what keeps happening to them goes. Reflections go with the plans that they are of."""
    patterns_erase(user_id=user.pk)


def learned_end(*, plan_id: UUID, **_: object) -> None:
    """Another result of a plan counts: what was learned from earlier ones is taken back."""
    superseded_end(plan_id=plan_id, now=timezone.now())
