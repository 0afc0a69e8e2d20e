"""Pages of the admin on which staff review verdicts: the queue, a verdict, the agreement, the export."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from core.admin.tools import ROWS_SHOWN
from core.pages.streaming import BlockStream
from lesson_engine.authoring.pages import asks_first, author_of, author_page, shows_only
from lesson_engine.errors import ActionNotPossible, ReviewedMeanwhile, StaleSession
from lesson_engine.models import Turn, VerdictReview
from lesson_engine.services.group_reviewing import verdicts_review
from lesson_engine.services.reviewing import MAX_NOTE, review_undo, verdict_review
from lesson_engine.workbench.addresses import bench_url, queue_in, timeline_url, undo_url, verdict_url
from lesson_engine.workbench.alike import answers_alike
from lesson_engine.workbench.cards import RESULTS, card_view, line_view
from lesson_engine.workbench.decided import done_view
from lesson_engine.workbench.figures import agreement_page
from lesson_engine.workbench.forms import DecisionForm, QueueForm, UndoForm, VerdictsForm
from lesson_engine.workbench.queue import SAMPLED_FROM, Place, Show, queue_of, turn_shown, turns_shown
from lesson_engine.workbench.replayed import replay_text
from lesson_engine.workbench.reviewed import CONTENT_TYPE, labelled_export, verdicts_reviewed

LISTED = 12
"""How many of the queue's next verdicts are listed with the one that is shown."""
_GROUPED: tuple[Show, ...] = ("waiting", "doubtful", "sure")
"""Parts of the queue in which answers like the first are decided on with it: a random one comes alone."""


@shows_only
def workbench(request: HttpRequest) -> HttpResponse:
    """The first verdict of the queue, to decide on, and those behind it."""
    form = QueueForm(request.GET.dict())
    queue = {**form.chosen, "show": form.part}
    after, places = _places(form, request.GET.get("after", ""))
    context: dict[str, Any] = {
        "form": form,
        "show": form.part,
        "blind": form.part == "sample",
        "window": SAMPLED_FROM,
        "done": done_view(request.GET.dict(), author_of(request)),
        "start_url": bench_url(queue) if after else "",
        "most_note": MAX_NOTE,
    }
    if places:
        context |= _at(queue, after, places)
        context["alike"] = tuple(map(line_view, answers_alike(places[0].turn))) if form.part in _GROUPED else ()
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
        "undo_url": undo_url(first.turn.pk, then),
        "skip_url": bench_url(next_place),
        "lines": [(verdict_url(place.turn.pk, this_place), line_view(place.turn)) for place in others],
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
    if also := form.cleaned_data["also"]:
        return _decide_all(request, turn, also, form)
    chosen, drawn = form.cleaned_data, request.GET.get("show") == "sample"
    decision: dict[str, Any] = {"result": form.worth, "note": chosen["note"], "seen": chosen["seen"], "drawn": drawn}
    try:
        said = verdict_review(turn=turn, by=author_of(request), **decision)
    except ReviewedMeanwhile:
        conflict = {"conflict": True, "chosen": RESULTS[form.worth]}
        return _one(request, turn, {**conflict, **note}, status=409)
    except StaleSession:
        busy = _("The learner is answering at this moment, so nothing was stored. Decide again in a moment.")
        return _one(request, turn, {"refusal": busy, **note}, status=409)
    except ActionNotPossible:
        gone = _("There is nothing to decide here any more, so nothing was stored.")
        return _one(request, turn, {"refusal": gone}, status=409)
    if request.GET.get("from") == "session":
        return HttpResponseRedirect(timeline_url(turn))
    return HttpResponseRedirect(bench_url({"done": str(said.review.pk), **queue_in(request.GET)}))


def _decide_all(request: HttpRequest, turn: Turn, also: tuple[int, ...], form: DecisionForm) -> HttpResponse:
    """The same decision for answers to the same question; each that changed meanwhile is left, and named."""
    asked = (turn.ask_code, turn.session.lesson_version_id)
    others = turns_shown(also).values()
    same = [other for other in others if (other.ask_code, other.session.lesson_version_id) == asked]
    turns = {other.pk: other for other in (turn, *same)}.values()
    members = verdicts_review(turns=turns, result=form.worth, by=author_of(request), note=form.cleaned_data["note"])
    done = ",".join(str(member.review.pk) for member in members if member.review is not None)
    left = ",".join(str(member.turn.pk) for member in members if member.review is None)
    return HttpResponseRedirect(bench_url({"done": done, "left": left, **queue_in(request.GET)}))


@require_POST
def undo(request: HttpRequest, turn_id: int) -> HttpResponse:
    """Take a review of an answer back, and go on where the query string says."""
    turn, form = turn_shown(turn_id), UndoForm(request.POST)
    if turn is None or not form.is_valid():
        raise Http404
    review = VerdictReview.objects.filter(turn=turn, pk=form.cleaned_data["review"]).first()
    if review is None:
        raise Http404
    try:
        review_undo(review=review, by=author_of(request))
    except ReviewedMeanwhile:
        refusal = _("Somebody else has decided on this answer meanwhile, so nothing was taken back.")
    except StaleSession:
        refusal = _("The learner is answering at this moment, so nothing was taken back. Try again in a moment.")
    except ActionNotPossible:
        refusal = _("There is nothing to take back here any more.")
    else:
        if request.GET.get("from") == "session":
            return HttpResponseRedirect(timeline_url(turn))
        shown = {name: request.GET[name] for name in ("done", "left") if name in request.GET}
        return HttpResponseRedirect(bench_url({"done": str(review.pk), **shown, **queue_in(request.GET)}))
    return _one(request, turn, {"refusal": refusal}, status=409)


def _one(request: HttpRequest, turn: Turn, shown: dict[str, Any], *, status: int = 200) -> HttpResponse:
    queue, from_session = queue_in(request.GET), request.GET.get("from") == "session"
    place = {"from": "session"} if from_session else queue
    context = {
        "card": card_view(turn),
        "replay": replay_text(turn),
        "decide_url": verdict_url(turn.pk, place),
        "undo_url": undo_url(turn.pk, place),
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
