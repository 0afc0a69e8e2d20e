"""The administration's action that erases learners, and the page that asks before."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.errors import EraseRefused
from accounts.models import User
from accounts.services import learner_erase

PEOPLE_AT_MOST = 100


@admin.action(description=_("Erase the learner"))
def erase_learners(model_admin: Any, request: HttpRequest, queryset: QuerySet[User]) -> HttpResponse | None:
    """Ask on a page of its own; of a single learner the name must be typed. Superusers only."""
    if not (isinstance(request.user, User) and request.user.is_superuser):
        raise PermissionDenied
    people = list(queryset.order_by("username")[: PEOPLE_AT_MOST + 1])
    if len(people) > PEOPLE_AT_MOST:
        text = gettext("At most %(most)s people can be erased at once.") % {"most": PEOPLE_AT_MOST}
        model_admin.message_user(request, text, messages.ERROR)
        return None
    if "confirmed" in request.POST:
        if len(people) > 1 or request.POST.get("typed", "").strip() == people[0].username:
            _erase(model_admin, request, people)
            return None
        mistyped = True
    else:
        mistyped = False
    return _ask(model_admin, request, people, mistyped=mistyped)


def _ask(model_admin: Any, request: HttpRequest, people: list[User], *, mistyped: bool) -> HttpResponse:
    context = {
        **model_admin.admin_site.each_context(request),
        "title": gettext("Erase for good?"),
        "opts": model_admin.opts,
        "people": people,
        "mistyped": mistyped,
        "action_checkbox_name": ACTION_CHECKBOX_NAME,
        "media": model_admin.media,
    }
    return TemplateResponse(request, "admin/accounts/user/erase.html", context, status=422 if mistyped else 200)


def _erase(model_admin: Any, request: HttpRequest, people: list[User]) -> None:
    erased = 0
    for person in people:
        try:
            erased += learner_erase(user=person, by=request.user)  # type: ignore[arg-type]  # looked at above
        except EraseRefused as error:
            text = gettext("Not erased: %(name)s. %(why)s") % {"name": person.username, "why": error.message}
            model_admin.message_user(request, text, messages.ERROR)
    text = ngettext("%(n)s learner was erased.", "%(n)s learners were erased.", erased) % {"n": erased}
    model_admin.message_user(request, text, messages.SUCCESS if erased else messages.WARNING)
