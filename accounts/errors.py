"""What accounts refuses, and how it says so."""

from django.utils.translation import gettext_lazy as _

from core.errors import AndamioError


class TokenRefused(AndamioError):
    code = "token-refused"
    status = 422
    title = _("Token refused")
    description = _(
        "Its name, scopes or days are out of bounds, or you have as many tokens as there may be. Mind the detail."
    )


class ScopeMissing(AndamioError):
    code = "scope-missing"
    status = 403
    title = _("Scope missing")
    description = _(
        "The token lacks the scope that this operation needs, or your role does not allow it. The detail names the"
        " scope. Make a token with it on the page for tokens of your account; if it is not offered there, your role"
        " excludes it."
    )


class SecondFactorRequired(AndamioError):
    code = "second-factor-required"
    status = 403
    title = _("Second factor required")
    description = _(
        "Staff in a browser must enter the code of their second factor before they read this. Open the administration"
        " in the same browser and enter the code, or use a token."
    )


class LearnersNotManaged(AndamioError):
    code = "learners-not-managed"
    status = 403
    title = _("No learners of your own")
    description = _(
        "Only integrators and staff can act for learners whom they know under pseudonyms. Leave the pseudonym out."
    )


class PseudonymRefused(AndamioError):
    code = "pseudonym-refused"
    status = 422
    title = _("Pseudonym refused")
    description = _(
        "A pseudonym has 1 to 120 printable characters without blanks around them, and is not that of a learner who was"
        " erased. Use the name under which your program knows the learner, never their real one."
    )


class EraseRefused(AndamioError):
    code = "erase-refused"
    status = 409
    title = _("Cannot be erased")
    description = _(
        "Staff cannot be erased, nor can integrators before the learners whom they manage are. Take the role away, or"
        " erase those learners, first."
    )
