"""What came of the last decision, as the workbench shows it: each answer by itself, and how it is taken back."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from lesson_engine.models import LearnerText, VerdictReview
from lesson_engine.services.group_reviewing import MOST_OF_A_GROUP
from lesson_engine.workbench.addresses import is_key, queue_in, undo_url, verdict_url
from lesson_engine.workbench.cards import FIRST_WORDS, RESULTS, done_text, graded_name
from lesson_engine.workbench.queue import turns_shown


@dataclass(frozen=True)
class DecidedView:
    """An answer that was decided on. `undo_url` is empty where its reader has nothing to take back."""

    review: VerdictReview
    text: str
    words: str
    url: str
    undo_url: str

    @property
    def language(self) -> str:
        return self.review.lesson_version.language


@dataclass(frozen=True)
class LeftView:
    """An answer of a group on which nothing was stored, and why."""

    words: str
    why: str
    url: str
    language: str


@dataclass(frozen=True)
class DoneView:
    """`text` tells of those members together on which the reader decided."""

    text: str
    members: tuple[DecidedView, ...]
    left: tuple[LeftView, ...]


def done_view(query: Mapping[str, str], reader: User) -> DoneView | None:
    """What the address says was decided; None where it says nothing. One query, and two more where some were left."""
    members = _members(keys_in(query.get("done", "")), query, reader)
    left = _left(keys_in(query.get("left", "")), query)
    if not members and not left:
        return None
    return DoneView(_text(members, reader), members, left)


def keys_in(text: str) -> list[int]:
    """The keys of rows in a part of an address, such as "12,15"; what is none is left out."""
    return [int(key) for key in text.split(",")[: MOST_OF_A_GROUP + 1] if is_key(key)]


def _members(keys: list[int], query: Mapping[str, str], reader: User) -> tuple[DecidedView, ...]:
    rows = VerdictReview.objects.filter(pk__in=keys, takes_back__isnull=True)
    joined = rows.select_related("by", "taken_back_by", "turn__words", "lesson_version")
    reviews = {review.pk: review for review in joined.defer("lesson_version__source", "lesson_version__summary")}
    return tuple(_member(reviews[key], query, reader) for key in keys if key in reviews)


def _member(review: VerdictReview, query: Mapping[str, str], reader: User) -> DecidedView:
    is_undone = hasattr(review, "taken_back_by")
    place = {**queue_in(query), **{name: query[name] for name in ("done", "left") if query.get(name)}}
    return DecidedView(
        review=review,
        text=undone_text(review) if is_undone else done_text(review, reader),
        words=_first_words(review.turn.words),
        url=verdict_url(review.turn_id, queue_in(query)),
        undo_url=undo_url(review.turn_id, place) if review.current and review.by_id == reader.pk else "",
    )


def undone_text(review: VerdictReview) -> str:
    """That a review was taken back, and what counts since."""
    graded = graded_name(review.graded, doubtful=review.doubtful)
    names = {"code": review.ask_code, "said": RESULTS[review.result], "graded": graded}
    return _("%(code)s: “%(said)s” was taken back, and the grader's “%(graded)s” counts again.") % names


def _text(members: tuple[DecidedView, ...], reader: User) -> str:
    if len(members) < 2:
        return members[0].text if members else ""
    review, own = members[0].review, sum(member.review.by_id == reader.pk for member in members)
    text = ngettext("%(code)s: “%(said)s” for %(n)s answer.", "%(code)s: “%(said)s” for %(n)s answers.", own)
    return text % {"code": review.ask_code, "said": RESULTS[review.result], "n": own}


def _left(keys: list[int], query: Mapping[str, str]) -> tuple[LeftView, ...]:
    turns = turns_shown(keys)
    reviews = VerdictReview.objects.filter(turn__in=list(turns), current=True).select_related("by") if turns else ()
    counting = {review.turn_id: review for review in reviews}
    return tuple(
        LeftView(
            words=_first_words(turn.words),
            why=_why(turn.words, counting.get(turn.pk)),
            url=verdict_url(turn.pk, queue_in(query)),
            language=turn.session.lesson_version.language,
        )
        for turn in turns.values()
    )


def _why(words: LearnerText, review: VerdictReview | None) -> str:
    if words.erased_at is not None:
        return _("the learner's words were erased")
    if review is None:
        return _("the learner was answering at that moment")
    names = {"name": review.by.get_username(), "said": RESULTS[review.result]}
    return _("%(name)s decided meanwhile: %(said)s") % names


def _first_words(words: LearnerText) -> str:
    written = words.text or ", ".join(words.choices or ())
    return Truncator(" ".join(written.split())).chars(FIRST_WORDS) or "–"
