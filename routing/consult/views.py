"""The Consult page. Each address serves the whole page, or its part alone when htmx asks."""

import hashlib
import uuid
from typing import Any, cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.views.guests import user_of, user_or_guest
from core.errors import AndamioError
from core.limits.actions import ASK, action_count
from core.pages.htmx import action, is_htmx, render_part
from routing.audit.document import entry_standing
from routing.consult.histories import ROWS, entry_of_plan, history_rows, plan_shown, plans_of_question
from routing.consult.presenter import (
    EXAMPLES,
    MESSAGE_AT_MOST,
    Panel,
    asking_form,
    earlier_shown,
    panel_of,
    plan_address,
)
from routing.errors import AuditWriteFailed, ConsultFailed, CorrectionRefused, QueryPlanInvalid
from routing.models import QueryPlan
from routing.services import plan_correct, question_ask

TOO_LONG = "too-long"


@require_safe
@never_cache
def consult(request: HttpRequest) -> HttpResponse:
    """The form, the latest plan and earlier questions. `?before=` a question shows older ones."""
    before = _question_id(request.GET.get("before"))
    if before is None:
        return _consult(request)
    user = user_of(request)
    try:
        rows = history_rows(user, before=before, limit=ROWS + 1) if user else []
    except QueryPlan.DoesNotExist:
        raise Http404 from None
    if user is None:
        raise Http404
    context = {"page": {"address": reverse("routing:consult")}, **_history(rows)}
    if is_htmx(request):
        return render(request, "routing/consult.html#rows", context)
    return render(request, "routing/consult.html", {"form": asking_form(), "older": True, **context})


@require_safe
@never_cache
def plan(request: HttpRequest, query_plan_id: uuid.UUID) -> HttpResponse:
    """One plan, with what it corrects and what corrected it. `?record=open` opens its audit entry."""
    return _plan(request, _own(request, query_plan_id), open_record=request.GET.get("record") == "open")


@action("routing:consult")
def ask(request: HttpRequest) -> HttpResponse:
    """Ask a question. A visitor without an account becomes a guest."""
    action_count(request, ASK)
    message, mode, hint = _message(request), request.POST.get("mode", ""), request.POST.get("hint", "auto")
    typed = {"message": message, "mode": mode, "hint": hint}
    if len(message) > MESSAGE_AT_MOST:
        return _consult(request, problem=TOO_LONG, typed=typed, status=422)
    try:
        row = question_ask(
            user=user_or_guest(request),
            message=message,
            domain_hint=hint,
            mode=mode or None,
            request_key=_request_key(request, message, mode, hint),
        )
    except (QueryPlanInvalid, ConsultFailed, AuditWriteFailed) as error:
        return _consult(request, problem=error.code, typed=typed, status=error.status)
    if is_htmx(request):
        return _consult(request, shown=row.pk)
    return redirect(f"{reverse('routing:consult')}#plan")


@action("routing:plan")
def correct(request: HttpRequest, query_plan_id: uuid.UUID) -> HttpResponse:
    """Correct the domain, which makes another plan, linked. The page stays the one of the correction."""
    own, alone = _own(request, query_plan_id), request.POST.get("page") == "plan"
    action_count(request, ASK)
    domain = request.POST.get("domain", "")
    try:
        row = plan_correct(plan_id=own.pk, domain=domain, by=cast(User, request.user))
    except (CorrectionRefused, ConsultFailed, AuditWriteFailed) as error:
        return _shown(request, own.pk, alone=alone, error=error)
    if not is_htmx(request):
        return redirect(f"{plan_address(row.pk) if alone else reverse('routing:consult')}#plan")
    response = _shown(request, row.pk, alone=alone)
    if alone:
        response["HX-Push-Url"] = plan_address(row.pk)
    return response


@action("routing:plan")
def check(request: HttpRequest, query_plan_id: uuid.UUID) -> HttpResponse:
    """Check the chain of a plan's audit entry now."""
    own, alone = _own(request, query_plan_id), request.POST.get("page") == "plan"
    entry = entry_of_plan(own)
    if entry is not None:
        entry_standing(entry)
    if not is_htmx(request):
        return redirect(f"{plan_address(own.pk)}?record=open#record")
    return _shown(request, own.pk, alone=alone, open_record=True)


def _shown(
    request: HttpRequest,
    plan_id: uuid.UUID,
    *,
    alone: bool,
    error: AndamioError | None = None,
    open_record: bool = False,
) -> HttpResponse:
    """A plan after an action on it: its panel for htmx, which leaves the form alone; else the page."""
    status, uncorrected = (error.status, error.code) if error else (200, "")
    if is_htmx(request):
        panel = _panel(_own(request, plan_id))
        context = {"panel": panel, "alone": alone, "uncorrected": uncorrected, "open_record": open_record}
        return _answer(render(request, "routing/_panel.html", context, status=status))
    if alone:
        return _plan(request, _own(request, plan_id), uncorrected=uncorrected, status=status)
    return _consult(request, shown=plan_id, uncorrected=uncorrected, status=status)


def _consult(
    request: HttpRequest,
    *,
    shown: uuid.UUID | None = None,
    problem: str = "",
    uncorrected: str = "",
    typed: dict[str, str] | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page, with the plan `shown`, else the latest. `problem` is of the question, `uncorrected` of that plan."""
    user = user_of(request)
    rows = history_rows(user, limit=ROWS + 2) if user else []
    if shown is None and rows:
        shown = rows[0].plan_id
    context = {
        "page": {"address": reverse("routing:consult")},
        "form": asking_form(**(typed or {})),
        "panel": _panel(_own(request, shown)) if shown else None,
        "problem": problem,
        "uncorrected": uncorrected,
        **_history([row for row in rows if row.plan_id != shown]),
    }
    return _answer(render_part(request, "routing/consult.html", "consult", context, status=status))


def _plan(
    request: HttpRequest, own: QueryPlan, *, uncorrected: str = "", open_record: bool = False, status: int = 200
) -> HttpResponse:
    context = {
        "page": {"address": plan_address(own.pk)},
        "panel": _panel(own),
        "alone": True,
        "uncorrected": uncorrected,
        "open_record": open_record,
    }
    return render(request, "routing/plan.html", context, status=status)


def _answer(response: HttpResponse) -> HttpResponse:
    """Have htmx show a refusal too, but not one from elsewhere."""
    if response.status_code >= 400:
        response["HX-Reswap"] = "outerHTML"
    return response


def _history(rows: list[Any]) -> dict[str, Any]:
    listed = rows[:ROWS]
    more = listed[-1].question_id if len(rows) > ROWS else None
    return {"history": earlier_shown(listed), "more": more}


def _panel(own: QueryPlan) -> Panel:
    return panel_of(own, plans_of_question(own), entry_of_plan(own))


def _own(request: HttpRequest, plan_id: uuid.UUID) -> QueryPlan:
    user = user_of(request)
    try:
        if user is not None:
            return plan_shown(user, plan_id)
    except QueryPlan.DoesNotExist:
        pass
    raise Http404


def _message(request: HttpRequest) -> str:
    """The typed message, with line ends as browsers count them, or the example that was clicked."""
    example = request.POST.get("example", "")
    if example.isascii() and example.isdecimal() and len(example) <= 2 and int(example) < len(EXAMPLES):
        return str(EXAMPLES[int(example)])
    return request.POST.get("message", "").replace("\r\n", "\n")


def _request_key(request: HttpRequest, *values: str) -> str:
    """A key of the form and its values: a form that was gone back to and changed asks another question."""
    key = request.POST.get("key", "")
    return hashlib.sha256("\0".join((key, *values)).encode("utf-8", "surrogatepass")).hexdigest() if key else ""


def _question_id(text: str | None) -> uuid.UUID | None:
    """The id of a question; None without one. Raises `Http404` for any other text."""
    if text is None:
        return None
    try:
        return uuid.UUID(text)
    except ValueError:
        raise Http404 from None
