"""The problems that any address of the API may answer with, whatever the app behind it."""

from django.utils.translation import gettext_lazy as _

from core.problems.documents import problem_register


def problems_register_common() -> None:
    """Document what core itself refuses; called once, from `AppConfig.ready()`."""
    for code, status, title, description in _COMMON:
        problem_register(code, status, title, description)


_COMMON = (
    (
        "malformed-request",
        400,
        _("Malformed request"),
        _(
            "The request could not be read: the body is no valid JSON, or the request breaks the rules of HTTP. Send"
            " one JSON value, in UTF-8, and mind the detail."
        ),
    ),
    (
        "not-authenticated",
        401,
        _("Not authenticated"),
        _(
            "The request carries no token, or one that is unknown, expired or revoked. Send a valid one in the header"
            " Authorization, after the word Bearer; tokens are made on the page for programs of an account."
        ),
    ),
    (
        "permission-denied",
        403,
        _("Permission denied"),
        _(
            "You are known, but may not do this: the token lacks the scope that this address asks for, or the role of"
            " its owner does not allow it. Ask for a token with the scope that the documentation of the address names."
        ),
    ),
    (
        "not-found",
        404,
        _("Not found"),
        _(
            "There is nothing at this address, or it belongs to somebody else, which is not told apart. Look the"
            " address up in the documentation of the API; all of them end in a slash or in the name of a file."
        ),
    ),
    (
        "method-not-allowed",
        405,
        _("Method not allowed"),
        _("The address is there, but does not take this method. The header Allow lists those it takes."),
    ),
    (
        "not-acceptable",
        406,
        _("Not acceptable"),
        _(
            "The header Accept asks for a form that this address cannot give. Most answers are application/json;"
            " leave the header out or allow that."
        ),
    ),
    (
        "request-timeout",
        408,
        _("Request timeout"),
        _("The body did not come within a minute. Nothing was done; send it again over a faster connection."),
    ),
    (
        "request-too-large",
        413,
        _("Request too large"),
        _("The body is larger than the server takes. No request of this API needs so much; send less."),
    ),
    (
        "unsupported-media-type",
        415,
        _("Unsupported media type"),
        _("The body is not JSON, or does not say so. Send it with the header Content-Type: application/json."),
    ),
    (
        "too-many-requests",
        429,
        _("Too many requests"),
        _(
            "More came in a minute than is allowed to one user, token or address; what costs the server much weighs"
            " more than one request. Wait as many seconds as Retry-After says. The headers RateLimit-Limit,"
            " RateLimit-Remaining and RateLimit-Reset of every answer"
            " say how much is left."
        ),
    ),
    (
        "internal-error",
        500,
        _("Internal error"),
        _(
            "Something went wrong in the server; it is in its log. What was asked for may not have been done. Repeat"
            " it with the same Idempotency-Key later, and tell whoever runs the server if it goes on."
        ),
    ),
    (
        "unavailable",
        503,
        _("Temporarily unavailable"),
        _("The server cannot work at the moment; its database restarts, for instance. Repeat the request later."),
    ),
)
