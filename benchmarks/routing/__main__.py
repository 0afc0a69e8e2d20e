"""`python -m benchmarks.routing [--data FOLDER [--fit]]`; see `measure`."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from benchmarks.routing.measure import main  # noqa: E402 - Django first

main()
