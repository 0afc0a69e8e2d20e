"""What models were told of a learner's words goes with them, also where it is written down a moment later."""

import json
import threading
from collections.abc import Callable

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from accounts.services import learner_erase
from gateway.client.call_texts import text_keep
from gateway.contracts import Payer
from gateway.models import CallText
from gateway.services import gateway_purge
from lesson_engine.models import Session
from lesson_engine.services.words import late_words_erase
from tests.browser.server import until
from tests.gateway.ledger_helpers import sent
from tests.lesson_engine.escalation.conftest import PARTLY, answer, holds, opinion
from tests.lesson_engine.services.threads import at_once
from tests.provider import Provider, hangs

OPINION = json.dumps({"verdict": "PARTIAL", "confidence": "high", "tricks": False})


@pytest.fixture(autouse=True)
def kept(settings: Settings) -> None:
    """Texts are kept."""
    settings.MODEL_TEXT_LOG = True


def texts() -> list[str | None]:
    """The prompts there are, in the order of their calls."""
    return list(CallText.objects.order_by("hold__reserved_at").values_list("prompt", flat=True))


def test_erasing_a_learners_words_erases_what_models_were_told_of_them(adaptive: Session, provider: Provider) -> None:
    provider.always(opinion("PARTIAL"))
    answer(adaptive, PARTLY)
    assert PARTLY in str(texts())
    call_command("erase_words", adaptive.user.username, yes=True)
    assert texts() == [None]


def test_erasing_a_learner_does_so_too_and_others_keep_theirs(
    adaptive: Session, provider: Provider, stranger: User
) -> None:
    provider.always(opinion("PARTIAL"))
    answer(adaptive, PARTLY)
    learner_erase(user=stranger)
    assert PARTLY in str(texts())
    learner_erase(user=adaptive.user)
    assert texts() == [None]


def answered_while(adaptive: Session, provider: Provider, erase: Callable[[], object]) -> None:
    """The learner answers, and while the thinker thinks this is done."""
    provider.always(hangs(text=OPINION))

    def meanwhile() -> None:
        provider.wait_calls(1)
        erase()
        provider.release()

    at_once([lambda: answer(adaptive, PARTLY), meanwhile])


@pytest.mark.django_db(transaction=True)
def test_of_a_learner_who_is_erased_while_the_thinker_thinks_no_text_is_kept(
    adaptive: Session, provider: Provider
) -> None:
    answered_while(adaptive, provider, lambda: learner_erase(user=adaptive.user))
    assert [hold.state for hold in holds(adaptive)] == ["settled"]
    assert not CallText.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_words_that_are_erased_while_the_thinker_thinks_are_swept_out_of_its_texts(
    adaptive: Session, provider: Provider
) -> None:
    answered_while(
        adaptive, provider, lambda: call_command("erase_words", adaptive.user.username, yes=True, verbosity=0)
    )
    assert late_words_erase() == 1
    assert texts() == [None]
    assert late_words_erase() == 0


def test_the_sweep_leaves_alone_what_is_not_erased_and_what_is_no_lesson(adaptive: Session, provider: Provider) -> None:
    provider.always(opinion("PARTIAL"))
    answer(adaptive, PARTLY)
    call_command("erase_words", adaptive.user.username, yes=True, verbosity=0)
    answer(adaptive, PARTLY)
    of_no_lesson = sent(Payer(chain="plain", subject="turn:1"), now=timezone.now())
    text_keep(hold_id=of_no_lesson, prompt="What is light?", reply="Much.")
    assert late_words_erase() == 0
    assert [bool(text) for text in texts()].count(True) == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("first", ["erasing", "keeping"])
def test_of_the_text_and_the_erasing_at_once_the_text_never_stays(
    adaptive: Session, provider: Provider, first: str
) -> None:
    """The first has done its work and not committed it when the second comes, and waits or is through with its own."""
    provider.always(opinion("PARTIAL"))
    answer(adaptive, PARTLY)
    hold, done, through = holds(adaptive)[0].pk, threading.Event(), threading.Event()
    CallText.objects.all().delete()
    works: dict[str, Callable[[], object]] = {
        "erasing": lambda: learner_erase(user=adaptive.user),
        "keeping": lambda: text_keep(hold_id=hold, prompt=PARTLY, reply=OPINION),
    }

    def begin() -> None:
        with transaction.atomic():
            works.pop(first)()
            done.set()
            until(lambda: through.is_set() or _somebody_waits(), "the other waits for this one")

    def follow() -> None:
        done.wait(30)
        works.popitem()[1]()
        through.set()

    at_once([begin, follow])
    assert set(texts()) == ({None} if first == "keeping" else set())


def _somebody_waits() -> bool:
    """For this transaction. What tells of activity is looked at once in a transaction, locks each time."""
    mine = "NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM pg_locks WHERE {mine}")
        return bool(cursor.fetchone()[0])


@pytest.mark.parametrize("sweep", [late_words_erase, gateway_purge])
def test_texts_of_erased_users_are_swept_whatever_left_them(
    adaptive: Session, provider: Provider, sweep: Callable[[], int]
) -> None:
    provider.always(opinion("PARTIAL"))
    answer(adaptive, PARTLY)
    User.objects.filter(pk=adaptive.user_id).update(erased_at=timezone.now(), is_active=False)
    assert texts() != [None]
    sweep()
    assert texts() == [None]
