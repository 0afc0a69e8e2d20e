"""Who sends a request to the API, and what they may: a token of a program, or the session of a browser."""

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.errors import ScopeMissing, SecondFactorRequired
from accounts.models import ApiToken, Scope, User
from accounts.selectors import token_named
from accounts.services.tokens import token_note_use
from accounts.sign_in.scopes import FOR_STAFF, may_hold_tokens, scopes_of
from accounts.staff.access import second_factor_given

if TYPE_CHECKING:  # REST framework's settings load this module while its views are being loaded
    from rest_framework.views import APIView

REALM = 'Bearer realm="andamio"'


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer andamio_...`; `request.auth` is the token.

    One statement for a good token, and a second one once a minute that notes its use. A good one works whatever else
    comes from its address: no number of tries finds one of 2**256. Requests with a wrong one count for their address,
    as those without a token do.
    """

    problems = ("not-authenticated",)  # for the description of every operation

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        kind, _, secret = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if kind.lower() != "bearer":
            return None
        token = token_named(secret.strip())
        if token is None:
            raise AuthenticationFailed("The token is unknown.")
        _require_alive(token)
        token_note_use(token=token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return REALM


class BrowserSession(SessionAuthentication):
    """The session of the pages, guests' too; what changes something needs the CSRF token."""

    problems = ("permission-denied",)


class HasScope(BasePermission):
    """`view.required_scopes` names the scope that each of its methods needs.

    A token must have it, and its owner's role must still allow it. A browser's session has every scope of the role;
    staff read telemetry with it only after their second factor, where that is asked for.
    """

    problems = (ScopeMissing.code, SecondFactorRequired.code)

    def has_permission(self, request: Request, view: "APIView") -> bool:
        if not isinstance(request.user, User):
            return False
        if request.method == "OPTIONS" or not hasattr(view, (request.method or "").lower()):
            return True  # answered with what there is, or that this method is not
        _require(request, _required(view, request.method))
        return True


def _required(view: "APIView", method: str | None) -> Scope:
    scopes: dict[str, str] = getattr(view, "required_scopes", {})
    try:
        return Scope(scopes["GET" if method == "HEAD" else method or ""])
    except (KeyError, ValueError) as error:  # a view without a scope admits no request
        raise ImproperlyConfigured(f"{type(view).__name__} names no scope for {method}") from error


def _require(request: Request, scope: Scope) -> None:
    user: Any = request.user
    if scope not in scopes_of(user):
        raise ScopeMissing(f"Your role does not allow {scope.value}.")
    token = request.auth
    if isinstance(token, ApiToken):
        if scope not in token.scopes:
            raise ScopeMissing(f"This token lacks the scope {scope.value}.")
    elif scope in FOR_STAFF and not second_factor_given(request._request):
        raise SecondFactorRequired("Enter the code of your second factor in this browser first, or use a token.")


def _require_alive(token: ApiToken) -> None:
    if token.revoked_at is not None:
        raise AuthenticationFailed("The token was revoked.")
    if token.expires_at <= timezone.now():
        raise AuthenticationFailed("The token has expired.")
    if not may_hold_tokens(token.user):
        raise AuthenticationFailed("The account of this token is closed.")
