"""A person is erased, or becomes another one: their words go, what was understood and its trail stay."""

from django.utils import timezone

from accounts.models import User
from routing.models import Question
from routing.services.recording import event_tell
from telemetry.contracts import EventName


def questions_erase(*, user: User) -> int:
    """Erase the words of everything that somebody asked, and return how many that were. Audit entries keep a hash that
    nobody can guess from, since its salt goes too.
    """
    return Question.objects.filter(user=user, erased_at__isnull=True).update(
        message=None, salt=None, erased_at=timezone.now()
    )


def questions_transfer(*, guest: User, account: User) -> int:
    """A guest signed in: what they asked becomes the account's, inside the caller's transaction. Their audit chain
    stays as it is, and an event in the chain of each question tells of the change; else the check would find it.
    """
    moved = list(Question.objects.filter(user=guest).only("pk").order_by("pk"))
    if not moved:
        return 0
    known = Question.objects.filter(user=account).exclude(request_key="").values("request_key")
    Question.objects.filter(user=guest, request_key__in=known).update(request_key="")
    for question in moved:
        event_tell(question, EventName.QUERY_MOVED, data={"from": str(guest.pk), "to": str(account.pk)})
    return Question.objects.filter(pk__in=[question.pk for question in moved]).update(user=account)
