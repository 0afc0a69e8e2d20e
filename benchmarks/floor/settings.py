"""The application's own settings, database and connection pool included, without everything above the bare view."""

from config.settings import *  # noqa: F403 - the floor differs in what follows and in nothing else

INSTALLED_APPS = [*INSTALLED_APPS, "benchmarks.floor"]  # noqa: F405
MIDDLEWARE = []
ROOT_URLCONF = "benchmarks.floor.urls"
