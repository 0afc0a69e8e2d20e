"""Erasure and transfer of a user's questions: the words go, plans and audit entries stay."""

from django.utils import timezone

from accounts.models import User
from routing.models import Question
from routing.services.recording import event_append
from telemetry.contracts import EventName


def questions_erase(*, user: User) -> int:
    """Erase the words of all questions of a user; returns how many. Audit entries keep a hash; its salt goes too,
    so that the words cannot be guessed, and so does the key of the request, which is a hash without salt.
    """
    return Question.objects.filter(user=user, erased_at__isnull=True).update(
        message=None, salt=None, request_key="", erased_at=timezone.now()
    )


def questions_transfer(*, guest: User, account: User) -> int:
    """Give the questions of a guest to an account, inside the caller's transaction; returns how many. The audit chain
    stays as it is, and an event in the chain of each question records the change, which the check expects.
    """
    moved = list(Question.objects.filter(user=guest).only("pk").order_by("pk"))
    if not moved:
        return 0
    keys = Question.objects.filter(user=account).exclude(request_key="").values("request_key")
    Question.objects.filter(user=guest, request_key__in=keys).update(request_key="")
    for question in moved:
        event_append(question, EventName.QUERY_MOVED, data={"from": str(guest.pk), "to": str(account.pk)})
    return Question.objects.filter(pk__in=[question.pk for question in moved]).update(user=account)
