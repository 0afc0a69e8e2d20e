"""`python -m benchmarks.analyze.tools --data FOLDER [--fit]`; see `tools_measure`."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from benchmarks.analyze.tools_measure import main  # noqa: E402 - Django first

if __name__ == "__main__":
    main()
