"""What the lesson engine does when a layer below tells it something."""

from accounts.models import User
from lesson_engine.services.erasing import learner_words_erase
from lesson_engine.services.sessions import sessions_transfer


def sessions_move(*, guest: User, account: User, **_: object) -> None:
    """A guest signed in to an account: their lessons go with them."""
    sessions_transfer(source=guest, target=account)


def words_go(*, user: User, **_: object) -> None:
    """A learner is erased: what they wrote goes with their name."""
    learner_words_erase(user=user)
