"""What memory does when a layer below tells it something."""

from accounts.models import User


def memories_move(*, guest: User, account: User, **_: object) -> None:
    """A guest signed in to an account: what was remembered of them goes with them."""


def memories_go(*, user: User, **_: object) -> None:
    """A learner is erased: what was remembered of them goes."""
