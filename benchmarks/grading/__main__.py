"""`python -m benchmarks.grading --data FOLDER`; see `measure`. `python -m benchmarks.grading fit ...`; see `fit`."""

import os
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

if sys.argv[1:2] == ["fit"]:
    del sys.argv[1]
    from benchmarks.grading.fit import main
else:
    from benchmarks.grading.measure import main

main()
