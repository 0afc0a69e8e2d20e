"""A page for a person whose request was refused for now: what to do, and when."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext, ngettext

from core.limits.actions import ServerBusy, TooManyRequests
from core.pages.htmx import is_htmx

_MINUTE = 60


class PleaseWait:
    """Middleware: answers these two refusals of any page, for htmx with a sentence that the page shows as it is."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """The answer to the two refusals; None for any other exception."""
        if not isinstance(exception, TooManyRequests | ServerBusy):
            return None
        seconds = exception.retry_after or 1
        is_busy = isinstance(exception, ServerBusy)
        context = {"reason": _reason(is_busy=is_busy), "wait": _wait(seconds)}
        if is_htmx(request):
            text = "{reason} {wait}".format(**context)
            response = HttpResponse(text, content_type="text/plain; charset=utf-8", status=exception.status)
        else:
            response = render(request, "core/please_wait.html", context, status=exception.status)
        response.headers["Retry-After"] = str(seconds)
        add_never_cache_headers(response)
        return response


def _reason(*, is_busy: bool) -> str:
    if is_busy:
        return gettext("Many people are signing in at this moment, and each takes the server a little while.")
    return gettext("More came from you, or from the network that you are in, than this server takes at a time.")


def _wait(seconds: int) -> str:
    if seconds < 2 * _MINUTE:
        text = ngettext("Try again in %(count)s second.", "Try again in %(count)s seconds.", seconds)
        return text % {"count": seconds}
    minutes = -(-seconds // _MINUTE)
    return ngettext("Try again in %(count)s minute.", "Try again in %(count)s minutes.", minutes) % {"count": minutes}
