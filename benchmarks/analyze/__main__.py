"""`python -m benchmarks.analyze [--data FOLDER] [--answers FOLDER] [--only PART] [--fit [--held-out SET]] [--misses]`;
see `measure`.
"""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from benchmarks.analyze.measure import main  # noqa: E402 - Django first

main()
