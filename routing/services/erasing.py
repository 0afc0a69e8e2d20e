"""A person is erased, or becomes another one: their words go, what was understood and its trail stay."""

from django.utils import timezone

from accounts.models import User
from routing.models import Question


def questions_erase(*, user: User) -> int:
    """Erase the words of everything that somebody asked, and return how many that were. Audit entries keep a hash that
    nobody can guess from, since its salt goes too.
    """
    return Question.objects.filter(user=user, erased_at__isnull=True).update(
        message=None, salt=None, erased_at=timezone.now()
    )


def questions_transfer(*, guest: User, account: User) -> int:
    """A guest signed in: what they asked becomes the account's. Their audit chain stays as it is."""
    known = Question.objects.filter(user=account).exclude(request_key="").values("request_key")
    Question.objects.filter(user=guest, request_key__in=known).update(request_key="")
    return Question.objects.filter(user=guest).update(user=account)
