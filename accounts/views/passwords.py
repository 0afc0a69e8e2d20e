"""A new password, for people who know their old one."""

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.selectors import tokens_working
from accounts.sign_in.password_work import password_slot
from accounts.views.forms import LOCKED_OUT, NewPasswordForm
from accounts.views.signed_in import account_required
from core.limits.actions import PASSWORD, action_count


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@account_required
def password(request: HttpRequest, user: User) -> HttpResponse:
    """Ask for the old and the new one. The other browsers of this account are signed out, and its tokens revoked."""
    if request.method == "POST":
        action_count(request, PASSWORD)
    form, working = NewPasswordForm(request, user), tokens_working(user)
    if request.method == "POST" and form.is_valid():
        with password_slot():
            form.save(commit=False)
        user.save()
        update_session_auth_hash(request, user)
        messages.success(request, f"{gettext('Your password was changed.')} {tokens_revoked_text(working)}".strip())
        return HttpResponseRedirect(reverse("accounts:tokens"))
    if form.has_error("old_password", LOCKED_OUT):
        return render(request, "accounts/locked_out.html", status=429)
    context = {"form": form, "working": working}
    return render(request, "accounts/password.html", context, status=422 if form.errors else 200)


def tokens_revoked_text(count: int) -> str:
    """What is said once tokens were ended with something else; empty for none."""
    text = ngettext("%(n)s API token was revoked.", "%(n)s API tokens were revoked.", count) % {"n": count}
    return text if count else ""
