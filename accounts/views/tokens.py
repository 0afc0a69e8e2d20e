"""A person's API tokens."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import services
from accounts.errors import TokenRefused
from accounts.models import User
from accounts.selectors import tokens_of
from accounts.views.forms import TokenForm
from accounts.views.signed_in import account_required


@require_safe
@never_cache
@account_required
def tokens(request: HttpRequest, user: User) -> HttpResponse:
    """Which tokens there are, and what became of them."""
    return render(request, "accounts/tokens.html", {"tokens": tokens_of(user)})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@account_required
def token_new(request: HttpRequest, user: User) -> HttpResponse:
    """Make a token. Only the answer to this form shows it; it cannot be shown again."""
    form = TokenForm(request.POST or None, user=user)
    if request.method == "POST" and form.is_valid():
        try:
            token, secret = services.token_issue(user=user, **form.cleaned_data)
        except TokenRefused as error:
            form.add_error(None, error.message)
        else:
            return render(request, "accounts/token_made.html", {"token": token, "secret": secret})
    return render(request, "accounts/token_new.html", {"form": form}, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@account_required
def token_revoke(request: HttpRequest, user: User, token_id: int) -> HttpResponse:
    """Ask, then end the token."""
    token = get_object_or_404(user.api_tokens, pk=token_id)
    if request.method == "POST":
        services.token_revoke(token=token)
        return HttpResponseRedirect(reverse("accounts:tokens"))
    return render(request, "accounts/token_revoke.html", {"token": token})
