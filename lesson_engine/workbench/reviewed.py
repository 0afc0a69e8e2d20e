"""Verdicts and what staff say of them: what waits for a look, what had one, and how far grader and staff agree."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Final

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from core.contracts import Contract
from lesson_engine.contracts import VerdictResult
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Lesson, QuestionVoid, Turn, VerdictReview
from lesson_engine.outcomes.expected import reference_answers
from lesson_engine.workbench.agreement import Agreement, Pairs, agreement_of
from telemetry.services import export_record

_DOUBTFUL = {"doubtful": True}
_PICKED = Q(verdict__rule__startswith="choice.") | Q(verdict__rule__startswith="multi_choice.")
OWN_WORD: Final = Subquery(Turn.objects.filter(about=OuterRef("pk")).values("result")[:1])
"""Of an answer: the result of what its learner said who compared it."""
HEAVY = ("session__state", "session__lesson_version__source", "session__lesson_version__summary")
_CHUNK = 500
CONTENT_TYPE: Final = "application/x-ndjson"
_ROWS_OF_A_BLOCK: Final = 200


class VerdictFilter(Contract):
    """Which verdicts; each one that is given must hold. `lesson` is a slug, `result` the grader's.

    `drawn` is of reviewed ones alone: whether they were taken at random. `own_word` is of waiting ones alone: whether
    their learners compared them and gave a word of their own.
    """

    lesson: str | None = None
    ask: str | None = None
    grader: str | None = None
    result: VerdictResult | None = None
    doubtful: bool | None = None
    drawn: bool | None = None
    own_word: bool | None = None


EVERYTHING = VerdictFilter()


def verdicts_waiting(wanted: VerdictFilter = EVERYTHING) -> QuerySet[Turn]:
    """Judged answers in the learner's own words that were not reviewed yet, the newest first.

    With words, session and lesson version, without the file and the session's state, and with `own_word`, the result of
    the learner's own word; None where they gave none. Answers whose words were erased,
    picked choices and withdrawn questions are left out: there is nothing to say of them. The first of them are found
    without reading all turns, unless hardly any passes a filter by question, grader or result. For pages with the
    doubtful ones first see `queue.queue_of`. A query at once for the filter by lesson.
    """
    reviewed = VerdictReview.objects.filter(turn=OuterRef("pk"), current=True)
    version = OuterRef("session__lesson_version_id")
    withdrawn = QuestionVoid.objects.filter(lesson_version_id=version, ask_code=OuterRef("ask_code"))
    answers = Turn.objects.filter(kind=Turn.Kind.ANSWER, state=Turn.State.DONE, words__choices=[])
    written = answers.exclude(words__text="").exclude(_PICKED)  # an erased text is null: neither equal nor unequal
    waiting = _filtered(written.filter(words__text__isnull=False), wanted)
    joined = waiting.select_related("words", "session__lesson", "session__lesson_version").defer(*HEAVY)
    return joined.annotate(own_word=OWN_WORD).filter(~Exists(reviewed), ~Exists(withdrawn)).order_by("-pk")


def verdicts_reviewed(wanted: VerdictFilter = EVERYTHING) -> QuerySet[VerdictReview]:
    """The current review of each answer that has one, the latest first; each with its turn as `verdicts_waiting`, but
    for `own_word`, which is the review's.
    """
    joined = _reviews(wanted).select_related(
        "by", "turn__words", "turn__session__lesson", "turn__session__lesson_version"
    )
    heavy = (f"turn__{name}" for name in HEAVY)
    return joined.defer(*heavy).annotate(own_word=F("turn__own_words__result")).order_by("-pk")


def reviews_of(turn: Turn) -> list[VerdictReview]:
    """All reviews of an answer, the latest first."""
    return list(VerdictReview.objects.filter(turn=turn).select_related("by").order_by("-pk"))


def _filtered(turns: QuerySet[Turn], wanted: VerdictFilter) -> QuerySet[Turn]:
    if wanted.lesson is not None:
        # Asked for before: by its key the planner knows how many sessions a lesson has, by its slug it does not.
        lesson_id = Lesson.objects.filter(slug=wanted.lesson).values_list("pk", flat=True).first()
        turns = turns.filter(session__lesson_id=lesson_id) if lesson_id else turns.none()
    if wanted.ask is not None:
        turns = turns.filter(ask_code=wanted.ask)
    if wanted.grader is not None:
        turns = turns.filter(verdict__contains={"grader": wanted.grader})
    if wanted.result is not None:
        turns = turns.filter(result=wanted.result)
    if wanted.own_word is not None:
        # A join and not EXISTS: it begins with the words, of which there are few.
        own = Q(own_words__isnull=False)
        turns = turns.filter(own if wanted.own_word else ~Exists(Turn.objects.filter(about=OuterRef("pk"))))
    if wanted.doubtful is None:
        return turns
    doubtful = Q(verdict__contains=_DOUBTFUL)
    return turns.filter(doubtful if wanted.doubtful else ~doubtful)


def _reviews(wanted: VerdictFilter) -> QuerySet[VerdictReview]:
    conditions: dict[str, Any] = {
        "lesson_version__lesson__slug": wanted.lesson,
        "ask_code": wanted.ask,
        "grader": wanted.grader,
        "graded": wanted.result,
        "doubtful": wanted.doubtful,
        "drawn": wanted.drawn,
    }
    chosen = {name: value for name, value in conditions.items() if value is not None}
    return VerdictReview.objects.filter(current=True, **chosen)


@dataclass(frozen=True)
class AgreementRow(Agreement):
    """How far one version of the grader agrees with staff on a question, of all its lesson's versions together.

    `lesson` and `ask` are empty in a row of all questions. The verdicts of which the grader was unsure are a row
    of their own: staff look at these first, and an average over both would show that choice alone.
    """

    lesson: str
    ask: str
    grader: str
    doubtful: bool


def agreement(wanted: VerdictFilter = EVERYTHING) -> list[AgreementRow]:
    """By lesson, question, grader and doubt, in this order. One query; it reads current reviews alone."""
    by_question = _tables(wanted, "lesson_version__lesson__slug", "ask_code", "grader", "doubtful")
    return [agreement_row(pairs, *key) for key, pairs in by_question]


def agreement_by_grader(wanted: VerdictFilter = EVERYTHING) -> list[AgreementRow]:
    """The same by grader and doubt, of all questions together."""
    by_grader = _tables(wanted, "grader", "doubtful")
    return [agreement_row(pairs, "", "", *key) for key, pairs in by_grader]


def agreement_row(pairs: Pairs, lesson: str, ask: str, grader: str, doubtful: bool) -> AgreementRow:
    """The numbers of these pairs, with what they are of."""
    numbers = asdict(agreement_of(pairs))
    return AgreementRow(**numbers, lesson=lesson, ask=ask, grader=grader, doubtful=doubtful)


def _tables(wanted: VerdictFilter, *by: str) -> list[tuple[tuple[Any, ...], Pairs]]:
    """Results of grader and staff, counted by these fields, in their order."""
    counted = _reviews(wanted).order_by().values_list(*by, "graded", "result").annotate(n=Count("pk"))
    tables: dict[tuple[Any, ...], dict[tuple[VerdictResult, VerdictResult], int]] = defaultdict(dict)
    for *key, graded, result, n in counted:
        tables[tuple(key)][VerdictResult(graded), VerdictResult(result)] = n
    return sorted(tables.items(), key=lambda table: table[0])


def labelled_rows(wanted: VerdictFilter = EVERYTHING) -> Iterator[dict[str, Any]]:
    """Reviewed answers, to train and measure graders on; the oldest review first.

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


def labelled_export(*, by: User, wanted: VerdictFilter, filters: Mapping[str, str]) -> Iterator[bytes]:
    """Write down who exports which rows, and return them as blocks of JSON Lines. `filters` is `wanted` by its names.

    The blocks need no transaction and hold nothing in between. They are ASCII: no terminal, encoding or line splitter
    can break a line, whatever learners wrote.
    """
    export_record(by=by.pk, form="labelled", filters=dict(filters))
    return _blocks(wanted)


def _blocks(wanted: VerdictFilter) -> Iterator[bytes]:
    rows = labelled_rows(wanted)
    while lines := [json.dumps(row, separators=(",", ":")) for row in islice(rows, _ROWS_OF_A_BLOCK)]:
        yield "".join(f"{line}\n" for line in lines).encode()
