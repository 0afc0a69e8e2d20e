"""What the lesson engine does on signals of the layers below."""

from accounts.models import User
from lesson_engine.services.sessions import sessions_transfer
from lesson_engine.services.words import learner_words_erase


def sessions_move(*, guest: User, account: User, **_: object) -> None:
    """A guest signed in to an account: their lessons go with them."""
    sessions_transfer(source=guest, target=account)


def words_go(*, user: User, **_: object) -> None:
    """A learner is erased: what they wrote goes with their name."""
    learner_words_erase(user=user)
