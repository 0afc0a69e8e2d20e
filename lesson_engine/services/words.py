"""Learners' words: kept apart from everything else, and erasable."""

import hashlib
import secrets

from django.db import transaction
from django.db.models import F, Func, JSONField, Value
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.models import User
from gateway.services import call_texts_erase
from lesson_engine.contracts import Reply
from lesson_engine.models import LearnerText, QuestionReport, Session, Turn, VerdictReview

_WITH_WORDS = (Turn.Kind.ANSWER, Turn.Kind.REPORT)


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
    """SHA-256 of salt and words, for events; it tells nothing once both are erased."""
    digest = hashlib.sha256(bytes(words.salt or b""))
    digest.update("\x00".join([words.text or "", *(words.choices or ())]).encode())
    return digest.hexdigest()


@transaction.atomic
def words_erase(*, user_id: int) -> int:
    """Erase all answers and comments of a learner and return how many texts that were. Chains and verdicts stay whole.

    Copies in what models were sent go as well, uncounted. A verdict's details go too, and the notes of whoever reviewed
    it: they may quote the answer. An answer that is still being judged is taken away from whoever judges it, so that
    they cannot write such details later; it is then taken up as an empty one.
    """
    now = timezone.now()
    # Two erasures of one learner would lock the same rows in different orders; the learner's own row lines them up.
    User.objects.select_for_update(no_key=True, of=("self",)).get(pk=user_id)
    # In this order: what is begun after the first statement keeps its words, what was begun before is either done when
    # the others look, and they see its details, or its late write is refused.
    kept = LearnerText.objects.filter(turn__session__user_id=user_id, erased_at__isnull=True)
    erased = kept.update(text=None, choices=None, salt=None, erased_at=now)
    judged = Turn.objects.filter(session__user_id=user_id, state=Turn.State.RUNNING, words__erased_at__isnull=False)
    judged.update(takes=F("takes") + 1, lease_until=now)
    turns = Turn.objects.filter(session__user_id=user_id, verdict__has_key="details")
    turns.update(verdict=_without("verdict", "{details}"))
    # A fingerprint is a hash without salt: a short answer could be guessed from it.
    Turn.objects.filter(session__user_id=user_id, kind__in=_WITH_WORDS).exclude(fingerprint="").update(fingerprint="")
    # Sessions after all turns, as a turn that ends does it: the other way round each would wait for the other.
    told = Session.objects.filter(user_id=user_id, state__notice__verdict__has_key="details")
    told.update(state=_without("state", "{notice,verdict,details}"))
    # After the sessions, as a review does it. What staff said stays, without the reasons that they gave.
    VerdictReview.objects.filter(turn__session__user_id=user_id).exclude(note="").update(note="")
    comments = QuestionReport.objects.filter(session__user_id=user_id, comment__isnull=False).exclude(comment="")
    commented = comments.update(comment=None)
    call_texts_erase(user_id=user_id)
    return erased + commented


def _without(column: str, path: str) -> Func:
    """The JSON of a column without what stands at `path`."""
    return Func(column, Value(path), template="(%(expressions)s::text[])", arg_joiner=" #- ", output_field=JSONField())
