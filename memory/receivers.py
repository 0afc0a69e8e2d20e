"""What memory does when a layer below tells it something."""

from accounts.models import User
from memory.moving import memories_erase, memories_transfer


def memories_move(*, guest: User, account: User, **_: object) -> None:
    """A guest signed in to an account: what was remembered of them goes with them."""
    memories_transfer(source=guest.pk, target=account.pk)


def memories_go(*, user: User, **_: object) -> None:
    """A learner is erased: what was remembered of them goes."""
    memories_erase(user_id=user.pk)
