"""`python -m benchmarks.grading --data FOLDER`; see `measure`. `fit` and `encoder` in front of options: see there."""

import os
import sys
from importlib import import_module

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

part = sys.argv.pop(1) if sys.argv[1:2] in (["fit"], ["encoder"]) else "measure"
import_module(f"benchmarks.grading.{part}").main()
