"""What the lesson engine does when a layer below tells it something."""

from accounts.models import User
from lesson_engine.services.sessions import sessions_transfer


def sessions_move(*, guest: User, account: User, **_: object) -> None:
    """A guest signed in to an account: their lessons go with them."""
    sessions_transfer(source=guest, target=account)
