"""The web entry point. The embedder is loaded before the first request, so that no learner waits for it."""

import gc
import os

from asgiref.sync import sync_to_async
from django import setup
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponseBase

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class Application(ASGIHandler):
    """Django's handler with one thread for a request, from the first middleware to the last.

    Below a middleware that is not asynchronous, Django's own goes back to the event loop, and from there into the
    thread again for the view and for each middleware that looks at the view. All of it waits for the database anyway,
    and each change of threads waits for the interpreter's lock.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)


setup(set_prefix=False)
application = Application()

from gateway.embeddings import warm_up  # noqa: E402 - needs the application registry

warm_up()
# What is here now stays: it need not be looked through again. Requests leave cycles, but few; the default would look
# for them several times in each.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 50, 100)
