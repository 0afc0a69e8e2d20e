"""The consult's receivers of signals of the layers below."""

from accounts.models import User
from routing.services.erasing import questions_erase, questions_transfer


def questions_go(*, user: User, **_: object) -> None:
    """A learner is erased: the words of their questions go."""
    questions_erase(user=user)


def questions_move(*, guest: User, account: User, **_: object) -> None:
    """A guest signed in to an account: what they asked goes with them."""
    questions_transfer(guest=guest, account=account)
