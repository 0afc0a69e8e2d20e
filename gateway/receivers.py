"""What the gateway does on signals of the layers below."""

from accounts.models import User
from gateway.client.call_texts import call_texts_erase
from gateway.ledger.pricing import prices_seed
from gateway.models import Hold


def prices_come(**_: object) -> None:
    """The tables are there: the documented prices come in where they are not yet."""
    prices_seed()


def calls_move(*, guest: User, account: User, **_: object) -> None:
    """A guest signed in to an account: what was spent for them is the account's. Days keep what they paid."""
    Hold.objects.filter(user=guest).update(user=account)


def texts_go(*, user: User, **_: object) -> None:
    """A learner is erased: texts to and from models in their lessons are erased too."""
    call_texts_erase(user_id=user.pk)
