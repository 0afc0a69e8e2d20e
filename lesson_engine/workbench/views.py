"""Pages of the admin on which staff review verdicts: the queue, a verdict, the agreement, the export."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.utils.translation import gettext as _

from core.admin.tools import ROWS_SHOWN
from core.pages.streaming import BlockStream
from lesson_engine.authoring.pages import asks_first, author_of, author_page, shows_only
from lesson_engine.errors import ActionNotPossible, ReviewedMeanwhile, StaleSession
from lesson_engine.models import Turn, VerdictReview
from lesson_engine.services.reviewing import MAX_NOTE, verdict_review
from lesson_engine.workbench.addresses import bench_url, is_key, queue_in, timeline_url, verdict_url
from lesson_engine.workbench.cards import RESULTS, card_view, done_text, line_view
from lesson_engine.workbench.figures import agreement_page
from lesson_engine.workbench.forms import DecisionForm, QueueForm, VerdictsForm
from lesson_engine.workbench.queue import SAMPLED_FROM, Place, queue_of, turn_shown
from lesson_engine.workbench.reviewed import CONTENT_TYPE, labelled_export, verdicts_reviewed

LISTED = 12
"""How many of the queue's next verdicts are listed with the one that is shown."""


@shows_only
def workbench(request: HttpRequest) -> HttpResponse:
    """The first verdict of the queue, to decide on, and those behind it."""
    form = QueueForm(request.GET.dict())
    queue = {**form.chosen, "show": form.part}
    after, places = _places(form, request.GET.get("after", ""))
    context = {
        "form": form,
        "show": form.part,
        "blind": form.part == "sample",
        "window": SAMPLED_FROM,
        "done": _done(request),
        "start_url": bench_url(queue) if after else "",
        "most_note": MAX_NOTE,
    }
    if places:
        context |= _at(queue, after, places)
    return author_page(request, VerdictReview, "verdictreview/workbench", _("Workbench"), context)


def _places(form: QueueForm, after: str) -> tuple[str, tuple[Place, ...]]:
    limit = 1 if form.part == "sample" else LISTED + 1
    try:
        return after, queue_of(form.part, form.wanted, after=after, limit=limit)
    except ValueError:  # an address that no page of ours gave
        return "", queue_of(form.part, form.wanted, after="", limit=limit)


def _at(queue: dict[str, str], after: str, places: tuple[Place, ...]) -> dict[str, Any]:
    """The first of these verdicts, and those that come next."""
    first, *others = places
    this_place, next_place = queue | {"after": after}, queue | {"after": first.after}
    # What staff looked at stays in its queue when it is decided anew: go on behind it.
    then = next_place if queue["show"] == "reviewed" else this_place
    return {
        "card": card_view(first.turn),
        "decide_url": verdict_url(first.turn.pk, then),
        "skip_url": bench_url(next_place),
        "lines": [(verdict_url(place.turn.pk, this_place), line_view(place.turn)) for place in others],
    }


def _done(request: HttpRequest) -> dict[str, str] | None:
    """What was decided last, in words, and the way back to it."""
    key = request.GET.get("done", "")
    rows = VerdictReview.objects.filter(pk=int(key)) if is_key(key) else VerdictReview.objects.none()
    review = rows.select_related("by").first()
    if review is None:
        return None
    return {
        "text": done_text(review, author_of(request)),
        "url": verdict_url(review.turn_id, queue_in(request.GET)),
    }


@asks_first
def verdict(request: HttpRequest, turn_id: int) -> HttpResponse:
    """One verdict; sent as a form, what staff say of it. The query string says where to go on."""
    turn = turn_shown(turn_id)
    if turn is None:
        raise Http404
    return _decide(request, turn) if request.method == "POST" else _one(request, turn, {})


def _decide(request: HttpRequest, turn: Turn) -> HttpResponse:
    form = DecisionForm(request.POST)
    note: dict[str, Any] = {"note": request.POST.get("note", "")}
    if not form.is_valid():
        unclear = _("Nothing was stored: choose what the answer is worth; a note has at most %(most)s characters.")
        return _one(request, turn, {"refusal": unclear % {"most": MAX_NOTE}, **note}, status=422)
    chosen, drawn = form.decision, request.GET.get("show") == "sample"
    try:
        review = verdict_review(turn=turn, by=author_of(request), drawn=drawn, **chosen)
    except ReviewedMeanwhile:
        conflict = {"conflict": True, "chosen": RESULTS[chosen["result"]]}
        return _one(request, turn, {**conflict, **note}, status=409)
    except StaleSession:
        busy = _("The learner is answering at this moment, so nothing was stored. Decide again in a moment.")
        return _one(request, turn, {"refusal": busy, **note}, status=409)
    except ActionNotPossible:
        gone = _("There is nothing to decide here any more, so nothing was stored.")
        return _one(request, turn, {"refusal": gone}, status=409)
    if request.GET.get("from") == "session":
        return HttpResponseRedirect(timeline_url(turn))
    return HttpResponseRedirect(bench_url({"done": str(review.pk), **queue_in(request.GET)}))


def _one(request: HttpRequest, turn: Turn, shown: dict[str, Any], *, status: int = 200) -> HttpResponse:
    queue, from_session = queue_in(request.GET), request.GET.get("from") == "session"
    context = {
        "card": card_view(turn),
        "decide_url": verdict_url(turn.pk, {"from": "session"} if from_session else queue),
        "back_url": timeline_url(turn) if from_session else bench_url(queue),
        "from_session": from_session,
        "most_note": MAX_NOTE,
        **shown,
    }
    title = _("A verdict on %(code)s") % {"code": turn.ask_code}
    return author_page(request, VerdictReview, "verdictreview/one", title, context, status=status)


@shows_only
def agreement(request: HttpRequest) -> HttpResponse:
    """How often staff agreed with the grader, by question and by version of the grader."""
    form = VerdictsForm(request.GET.dict())
    context = {
        "form": form,
        "figures": agreement_page(form.wanted),
        "sample_url": bench_url({**form.chosen, "show": "sample"}),
    }
    return author_page(request, VerdictReview, "verdictreview/agreement", _("Agreement"), context)


@asks_first
def export(request: HttpRequest) -> HttpResponseBase:
    """Ask which reviews to export; sent as a form, a file of labelled rows."""
    form = VerdictsForm(request.POST.dict() if request.method == "POST" else request.GET.dict())
    if request.method == "POST" and form.is_valid():
        name = "-".join(["labelled", *form.chosen.values()])
        headers = {"Content-Disposition": f'attachment; filename="{name}.jsonl"'}
        blocks = labelled_export(by=author_of(request), wanted=form.wanted, filters=form.chosen)
        return BlockStream(blocks, content_type=CONTENT_TYPE, headers=headers)
    status = 422 if form.errors and request.method == "POST" else 200
    context = {"form": form, "rows": verdicts_reviewed(form.wanted)[:ROWS_SHOWN].count(), "most": ROWS_SHOWN}
    return author_page(request, VerdictReview, "verdictreview/export", _("Export"), context, status=status)
