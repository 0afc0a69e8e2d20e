"""What the gateway does when a layer below tells it something."""

from accounts.models import User
from gateway.call_texts import texts_erase
from gateway.models import Hold
from gateway.pricing import prices_seed


def prices_come(**_: object) -> None:
    """The tables are there: the documented prices come in where they are not yet."""
    prices_seed()


def calls_move(*, guest: User, account: User, **_: object) -> None:
    """A guest signed in to an account: what was spent for them is the account's. Days keep what they paid."""
    Hold.objects.filter(user=guest).update(user=account)


def texts_go(*, user: User, **_: object) -> None:
    """A learner is erased: what models were told in their lessons, and said, goes with them."""
    texts_erase(user_id=user.pk)
