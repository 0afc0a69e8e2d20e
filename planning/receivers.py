"""What planning does when a layer below tells it something."""

from accounts.models import User
from planning.models import CachedPlan, Plan


def plans_move(*, guest: User, account: User, **_: object) -> None:
    """A guest signed in to an account: their plans go with them. What was cached for the guest serves nobody else."""
    CachedPlan.objects.filter(plan__user=guest).delete()
    Plan.objects.filter(user=guest).update(user=account, owner=str(account.pk))


def plans_go(*, user: User, **_: object) -> None:
    """A learner is erased: their tasks and what came of them go, with their evaluations."""
    Plan.objects.filter(user=user).delete()
