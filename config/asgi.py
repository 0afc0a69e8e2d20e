"""The web entry point. What is made once is made before the first request, so that no learner waits for it."""

import gc
import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")  # before anything of Django is imported

from django import setup
from django.conf import settings
from django.urls import resolve, reverse

setup(set_prefix=False)

import config.celery_app  # noqa: F401 - so that services can send to the worker
from config.web.application import Application
from core.api.docs.views import warm_up as warm_up_schema
from evaluation.layer import warm_up as warm_up_evaluation
from gateway.embedding.local import warm_up
from lesson_engine.authoring.upload import MAX_REQUEST
from lesson_engine.grading import warm_up as warm_up_grading
from planning.layer import warm_up as warm_up_planning
from routing.router import warm_up as warm_up_routing

HEALTH = reverse("healthz")
application = Application(
    threads=settings.DATABASE_POOL_SIZE,
    body_limits={reverse("admin:lesson_engine_lessonversion_upload"): MAX_REQUEST},
    at_once={HEALTH: resolve(HEALTH).func},
)
warm_up()
warm_up_grading()
warm_up_planning()
warm_up_evaluation()
warm_up_routing()
warm_up_schema()
# What is here now stays: it need not be looked through again. Requests leave cycles, but few; the default would look
# for them several times in each.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 50, 100)
