"""Learners' words: kept apart from everything else, and erasable."""

import hashlib
import secrets
import uuid
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta

from django.contrib.postgres.functions import RandomUUID
from django.db import transaction
from django.db.models import CharField, F, Func, JSONField, Value
from django.db.models.functions import Cast, Concat
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.models import User
from gateway.services import call_texts_erase, call_texts_erase_of, call_texts_kept
from lesson_engine.contracts import Reply
from lesson_engine.models import LearnerText, QuestionReport, Session, Turn, VerdictReview
from lesson_engine.services.examples import examples_erase
from lesson_engine.services.paying import subject_of
from telemetry.contracts import EventDraft, EventName
from telemetry.services import events_append

_WITH_WORDS = (Turn.Kind.ANSWER, Turn.Kind.REPORT)
_ERASED_KEY = "^erased [0-9a-f-]{36}$"
_LATE = timedelta(days=2)
_TEXTS_AT_ONCE = 1_000


def storable(text: str) -> str:
    """`text` without what PostgreSQL cannot hold: NUL characters are dropped, halves of surrogate pairs become "?"."""
    return text.replace("\x00", "").encode(errors="replace").decode()


def reply_dont_know(language: str) -> Reply:
    """What a learner says who presses "I don't know", in the lesson's language."""
    with translation.override(language):
        return Reply(text=_("I don't know"))


def words_keep(*, turn: Turn, reply: Reply) -> LearnerText:
    """Store what was written, as far as it is storable, with a salt of its own."""
    words = LearnerText(
        turn=turn,
        text=storable(reply.text),
        choices=[storable(code) for code in reply.choices],
        salt=secrets.token_bytes(16),
    )
    words.save(force_insert=True)
    return words


def words_reply(words: LearnerText) -> Reply:
    """The reply as it was stored; empty once it is erased."""
    return Reply(text=words.text or "", choices=tuple(words.choices or ()))


def words_digest(words: LearnerText) -> str:
    """SHA-256 of salt and words, for events; worth nothing once both are erased."""
    digest = hashlib.sha256(bytes(words.salt or b""))
    digest.update("\x00".join([words.text or "", *(words.choices or ())]).encode())
    return digest.hexdigest()


@transaction.atomic
def words_erase(*, user_id: int) -> int:
    """Erase all answers and comments of a learner and return how many texts that were. Chains and verdicts stay whole.

    Copies in examples and in what models were sent go as well, uncounted. A verdict's details go too, and the notes of
    reviewers: they may quote the answer. An answer that is still being judged is taken away from the process that
    judges it, so that it cannot write such details later; it is then taken up as an empty one.
    """
    now = timezone.now()
    # Two erasures of one learner would lock the same rows in different orders; the learner's own row lines them up.
    User.objects.select_for_update(no_key=True, of=("self",)).get(pk=user_id)
    # In this order: what is begun after the first statement keeps its words, what was begun before is either done when
    # the others look, and they see its details, or its late write is refused.
    texts = LearnerText.objects.filter(turn__session__user_id=user_id, erased_at__isnull=True)
    erased = texts.update(text=None, choices=None, salt=None, erased_at=now)
    judged = Turn.objects.filter(session__user_id=user_id, state=Turn.State.RUNNING, words__erased_at__isnull=False)
    judged.update(takes=F("takes") + 1, lease_until=now)
    turns = Turn.objects.filter(session__user_id=user_id, verdict__has_key="details")
    turns.update(verdict=_without("verdict", "{details}"))
    # A fingerprint is a hash without salt: a short answer could be guessed from it.
    Turn.objects.filter(session__user_id=user_id, kind__in=_WITH_WORDS).exclude(fingerprint="").update(fingerprint="")
    # Digests of what clients made of words, or of a name; in rows from before, that itself. Those of staff's turns are
    # ours. A request that still runs finds its turn by its key, and that of an erased learner goes when they are late.
    keyed = Turn.objects.filter(session__user_id=user_id, state=Turn.State.DONE)
    keyed = keyed.exclude(kind__in=(Turn.Kind.VOID, Turn.Kind.REVIEW))
    keyed.exclude(key__regex=_ERASED_KEY).update(key=Concat(Value("erased "), Cast(RandomUUID(), CharField())))
    # Sessions after all turns, as a turn that ends does it: the other way round each would wait for the other.
    sessions = Session.objects.filter(user_id=user_id, state__notice__verdict__has_key="details")
    sessions.update(state=_without("state", "{notice,verdict,details}"))
    # After the sessions, as a review does it. Reviews stay, without their notes.
    VerdictReview.objects.filter(turn__session__user_id=user_id).exclude(note="").update(note="")
    examples_erase(user_id=user_id)
    comments = QuestionReport.objects.filter(session__user_id=user_id, comment__isnull=False).exclude(comment="")
    commented = comments.update(comment=None)
    call_texts_erase(user_id=user_id)
    return erased + commented


def _without(column: str, path: str) -> Func:
    """The JSON of a column without the value at `path`."""
    return Func(column, Value(path), template="(%(expressions)s::text[])", arg_joiner=" #- ", output_field=JSONField())


@transaction.atomic
def learner_words_erase(*, user: User) -> None:
    """Erase what a learner wrote, and say so at the end of the chain of each of their sessions, without a name."""
    words_erase(user_id=user.pk)
    sessions = Session.objects.filter(user=user).select_related("lesson").only("mode", "lesson__slug")
    for session in sessions.order_by("pk"):  # always in one order: two that append to several chains cannot deadlock
        erased = [EventDraft(event=EventName.LEARNER_ERASED)]
        events_append(chain=str(session.pk), course=session.lesson.slug, mode=session.mode, drafts=erased)


def late_words_erase() -> int:
    """Erase what came in the very moment that its learner or their words were erased, and return how many texts.

    Such a request knew its user before, or a model was thinking about the words, and it wrote after. To be called once
    a day at least.
    """
    since = timezone.now() - _LATE
    erased = User.objects.filter(erased_at__gt=since).values_list("pk", flat=True)
    late = sum(words_erase(user_id=pk) for pk in erased)
    texts = call_texts_kept(since=since)
    for start in range(0, len(texts), _TEXTS_AT_ONCE):
        some = texts[start : start + _TEXTS_AT_ONCE]
        gone = _turns_erased(text.chain for text in some)
        late += call_texts_erase_of(hold_ids=[text.hold_id for text in some if (text.chain, text.subject) in gone])
    return late


def _turns_erased(chains: Iterable[str]) -> set[tuple[str, str]]:
    """Turns of these sessions whose words are erased, as the ledger names them. What is no session's has none."""
    sessions = set()
    for chain in chains:
        with suppress(ValueError):
            sessions.add(uuid.UUID(chain))
    turns = Turn.objects.filter(session_id__in=sessions, words__erased_at__isnull=False).only("session_id", "version")
    return {(str(turn.session_id), subject_of(turn)) for turn in turns}
