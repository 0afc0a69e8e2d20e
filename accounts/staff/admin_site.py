"""The administration's site: who may enter, and where they show who they are."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _

from accounts.sign_in import second_factor
from accounts.staff import access


class AndamioAdminSite(admin.AdminSite):
    """Django's, behind our sign-in page and the second factor of staff."""

    site_header = site_title = _("Andamio administration")
    index_title = _("What is on record")

    def has_permission(self, request: HttpRequest) -> bool:
        return access.staff_entered(request)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        return {**super().each_context(request), "without_second_factor": second_factor.reason_without()}

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """There is one page for that, too."""
        return HttpResponseRedirect(reverse("accounts:password"))

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Never asks for a password itself: there is one page for that, and one for the second factor."""
        target = request.GET.get("next", "")
        if not url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure()):
            target = reverse("admin:index", current_app=self.name)
        if self.has_permission(request):
            return HttpResponseRedirect(target)
        return access.access_refused(request, target)
