"""What memory does on signals of the layers below."""

from accounts.models import User
from memory.services.transfer import memories_erase, memories_transfer


def memories_move(*, guest: User, account: User, **_: object) -> None:
    """A guest signed in to an account: what was remembered of them goes with them."""
    memories_transfer(source=guest.pk, target=account.pk)


def memories_go(*, user: User, **_: object) -> None:
    """A learner is erased: what was remembered of them goes."""
    memories_erase(user_id=user.pk)
