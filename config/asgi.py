"""The web entry point. The embedder is loaded before the first request, so that no learner waits for it."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_asgi_application()

from gateway.embeddings import warm_up  # noqa: E402 - needs the application registry

warm_up()
