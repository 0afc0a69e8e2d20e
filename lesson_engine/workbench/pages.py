"""Pages beside the queue: how far grader and staff agree, and what staff said as labelled rows."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _

from core.admin_tools import ROWS_SHOWN
from core.streaming import BlockStream
from lesson_engine.author_pages import asks_first, author_of, author_page, shows_only
from lesson_engine.models import VerdictReview
from lesson_engine.reviewed import verdicts_reviewed
from lesson_engine.workbench.addresses import bench_url
from lesson_engine.workbench.exports import CONTENT_TYPE, labelled_export
from lesson_engine.workbench.figures import figures_of
from lesson_engine.workbench.forms import VerdictsForm


@shows_only
def agreement(request: HttpRequest) -> HttpResponse:
    """How often staff said what the grader said, by question and by version of the grader."""
    form = VerdictsForm(request.GET.dict())
    context = {
        "form": form,
        "figures": figures_of(form.wanted),
        "sample_url": bench_url({**form.chosen, "show": "sample"}),
    }
    return author_page(request, VerdictReview, "verdictreview/agreement", _("Agreement"), context)


@asks_first
def export(request: HttpRequest) -> HttpResponseBase:
    """What staff said of answers; sent as a form, a file of labelled rows."""
    form = VerdictsForm(request.POST.dict() if request.method == "POST" else request.GET.dict())
    if request.method == "POST" and form.is_valid():
        name = "-".join(["labelled", *form.chosen.values()])
        headers = {"Content-Disposition": f'attachment; filename="{name}.jsonl"'}
        blocks = labelled_export(by=author_of(request), wanted=form.wanted, said=form.chosen)
        return BlockStream(blocks, content_type=CONTENT_TYPE, headers=headers)
    status = 422 if form.errors and request.method == "POST" else 200
    context = {"form": form, "rows": verdicts_reviewed(form.wanted)[:ROWS_SHOWN].count(), "most": ROWS_SHOWN}
    return author_page(request, VerdictReview, "verdictreview/export", _("Export"), context, status=status)
