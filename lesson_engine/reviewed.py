"""Verdicts and what staff say of them: what waits for a look, what had one, and how far grader and staff agree."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from core.contracts import Contract
from lesson_engine.agreement import Agreement, Pairs, agreement_of
from lesson_engine.catalogue import outline_of
from lesson_engine.contracts import VerdictResult
from lesson_engine.expected import reference_answers
from lesson_engine.models import Lesson, QuestionVoid, Turn, VerdictReview

_DOUBTFUL = {"doubtful": True}
_PICKED = Q(verdict__rule__startswith="choice.") | Q(verdict__rule__startswith="multi_choice.")
_HEAVY = ("session__state", "session__lesson_version__source", "session__lesson_version__summary")
_CHUNK = 500


class VerdictFilter(Contract):
    """Which verdicts; each one that is given must hold. `lesson` is a slug, `result` the grader's.

    `drawn` is of reviewed ones alone: whether they were taken at random.
    """

    lesson: str | None = None
    ask_code: str | None = None
    grader: str | None = None
    result: VerdictResult | None = None
    doubtful: bool | None = None
    drawn: bool | None = None


EVERYTHING = VerdictFilter()


def verdicts_waiting(wanted: VerdictFilter = EVERYTHING) -> QuerySet[Turn]:
    """Judged answers in the learner's own words that no person has looked at, the newest first.

    With words, session and lesson version, without the file and the session's state. Answers whose words were erased,
    picked choices and withdrawn questions are left out: there is nothing to say of them. The first of them are found
    without reading all turns, unless hardly any passes a filter by question, grader or result. For pages with the
    doubtful ones first see `waiting_page`. A query at once for the filter by lesson.
    """
    looked_at = VerdictReview.objects.filter(turn=OuterRef("pk"), current=True)
    version = OuterRef("session__lesson_version_id")
    withdrawn = QuestionVoid.objects.filter(lesson_version_id=version, ask_code=OuterRef("ask_code"))
    answers = Turn.objects.filter(kind=Turn.Kind.ANSWER, state=Turn.State.DONE, words__choices=[])
    written = answers.exclude(words__text="").exclude(_PICKED)  # an erased text is null: neither equal nor unequal
    waiting = _filtered(written.filter(words__text__isnull=False), wanted)
    return _with_their_session(waiting.filter(~Exists(looked_at), ~Exists(withdrawn)).order_by("-pk"))


@dataclass(frozen=True)
class WaitingPage:
    """`next` is where the page after this one begins, as `waiting_page` takes it; empty after the last."""

    turns: tuple[Turn, ...]
    next: str


def waiting_page(wanted: VerdictFilter = EVERYTHING, *, after: str = "", limit: int = 50) -> WaitingPage:
    """`verdicts_waiting`, page by page: first what the grader was unsure of, then the rest.

    At most two queries, and as many more with a filter by lesson. Raises `ValueError` for an `after` that no page gave.
    """
    halves = (True, False) if wanted.doubtful is None else (wanted.doubtful,)
    here, below = _place(after, halves)
    found: list[Turn] = []
    for half in halves[halves.index(here) :]:
        turns = verdicts_waiting(wanted.model_copy(update={"doubtful": half}))
        if half == here and below is not None:
            turns = turns.filter(pk__lt=below)
        found += turns[: limit + 1 - len(found)]
        if len(found) > limit:
            last = found[limit - 1]
            return WaitingPage(tuple(found[:limit]), f"{'d' if _is_doubtful(last) else 's'}{last.pk}")
    return WaitingPage(tuple(found), "")


def _place(after: str, halves: tuple[bool, ...]) -> tuple[bool, int | None]:
    if not after:
        return halves[0], None
    half, number = {"d": True, "s": False}.get(after[0]), after[1:]
    if half not in halves or not (number.isascii() and number.isdecimal() and len(number) < 19):
        raise ValueError(f"no page of these verdicts begins at {after!r}")
    return bool(half), int(number)


def _is_doubtful(turn: Turn) -> bool:
    return bool(turn.verdict and turn.verdict.get("doubtful"))


def verdicts_reviewed(wanted: VerdictFilter = EVERYTHING) -> QuerySet[VerdictReview]:
    """The current review of each answer that has one, the latest first; each with its turn as `verdicts_waiting`."""
    joined = _reviews(wanted).select_related(
        "by", "turn__words", "turn__session__lesson", "turn__session__lesson_version"
    )
    heavy = (f"turn__{name}" for name in _HEAVY)
    return joined.defer(*heavy).order_by("-pk")


def reviews_of(turn: Turn) -> list[VerdictReview]:
    """Everything that staff said of an answer, the latest first."""
    return list(VerdictReview.objects.filter(turn=turn).select_related("by").order_by("-pk"))


def _filtered(turns: QuerySet[Turn], wanted: VerdictFilter) -> QuerySet[Turn]:
    if wanted.lesson is not None:
        # Asked for before: by its key the planner knows how many sessions a lesson has, by its slug it does not.
        known = Lesson.objects.filter(slug=wanted.lesson).values_list("pk", flat=True).first()
        turns = turns.filter(session__lesson_id=known) if known else turns.none()
    if wanted.ask_code is not None:
        turns = turns.filter(ask_code=wanted.ask_code)
    if wanted.grader is not None:
        turns = turns.filter(verdict__contains={"grader": wanted.grader})
    if wanted.result is not None:
        turns = turns.filter(result=wanted.result)
    if wanted.doubtful is None:
        return turns
    doubtful = Q(verdict__contains=_DOUBTFUL)
    return turns.filter(doubtful if wanted.doubtful else ~doubtful)


def _reviews(wanted: VerdictFilter) -> QuerySet[VerdictReview]:
    given: dict[str, Any] = {
        "lesson_version__lesson__slug": wanted.lesson,
        "ask_code": wanted.ask_code,
        "grader": wanted.grader,
        "graded": wanted.result,
        "doubtful": wanted.doubtful,
        "drawn": wanted.drawn,
    }
    return VerdictReview.objects.filter(
        current=True, **{name: value for name, value in given.items() if value is not None}
    )


def _with_their_session(turns: QuerySet[Turn]) -> QuerySet[Turn]:
    joined = turns.select_related("words", "session__lesson", "session__lesson_version")
    return joined.defer(*_HEAVY)


@dataclass(frozen=True)
class AgreementRow:
    """How far one version of the grader agrees with staff on a question, of all its lesson's versions together.

    `lesson` and `ask_code` are empty in a row of all questions. The verdicts of which the grader was unsure are a row
    of their own: staff look at these first, and an average over both would tell of that choice alone.
    """

    lesson: str
    ask_code: str
    grader: str
    doubtful: bool
    numbers: Agreement


def agreement(wanted: VerdictFilter = EVERYTHING) -> list[AgreementRow]:
    """By lesson, question, grader and doubt, in this order. One query; it reads current reviews alone."""
    by_question = _tables(wanted, "lesson_version__lesson__slug", "ask_code", "grader", "doubtful")
    return [
        AgreementRow(lesson, code, grader, doubtful, agreement_of(pairs))
        for (lesson, code, grader, doubtful), pairs in by_question
    ]


def agreement_by_grader(wanted: VerdictFilter = EVERYTHING) -> list[AgreementRow]:
    """The same by grader and doubt, of all questions together."""
    by_grader = _tables(wanted, "grader", "doubtful")
    return [AgreementRow("", "", grader, doubtful, agreement_of(pairs)) for (grader, doubtful), pairs in by_grader]


def _tables(wanted: VerdictFilter, *by: str) -> list[tuple[tuple[Any, ...], Pairs]]:
    """What grader and staff said, counted by these fields, in their order."""
    counted = _reviews(wanted).order_by().values_list(*by, "graded", "result").annotate(n=Count("pk"))
    tables: dict[tuple[Any, ...], dict[tuple[VerdictResult, VerdictResult], int]] = defaultdict(dict)
    for *key, graded, result, n in counted:
        tables[tuple(key)][VerdictResult(graded), VerdictResult(result)] = n
    return sorted(tables.items(), key=lambda table: table[0])


def labelled_rows(wanted: VerdictFilter = EVERYTHING) -> Iterator[dict[str, Any]]:
    """What staff said of answers, to train and measure graders on; the oldest review first.

    Never who wrote or who looked. Answers whose words were erased meanwhile are left out. A few hundred rows are in
    memory at a time, however many there are.
    """
    last = 0
    while rows := list(_labelled_after(wanted, last)):
        last = rows[-1].pk
        for review in rows:
            if review.written:
                yield _labelled(review)


def _labelled_after(wanted: VerdictFilter, last: int) -> QuerySet[Any]:
    reviews = _reviews(wanted).filter(pk__gt=last).order_by("pk").select_related("lesson_version__lesson")
    slim = reviews.defer("lesson_version__source", "lesson_version__summary", "note")
    return slim.annotate(written=F("turn__words__text"))[:_CHUNK]


def _labelled(review: Any) -> dict[str, Any]:
    outline = outline_of(review.lesson_version_id)
    ask = outline.ask(review.ask_code)
    return {
        "question": ask.question,
        "objective": ask.objective,
        "reference_answers": reference_answers(ask, outline.lesson.meta.language),
        "student_answer": review.written,
        "label": review.result.lower(),
        "lang": outline.lesson.meta.language,
        "lesson": review.lesson_version.lesson.slug,
        "version": review.lesson_version.sha256,
        "ask_code": review.ask_code,
        "kind": ask.answer.kind,
        "grader": review.grader,
        "graded": review.graded.lower(),
        "score": review.score,
        "doubtful": review.doubtful,
        "drawn": review.drawn,
        "reviewed_at": review.at.isoformat(),
    }
