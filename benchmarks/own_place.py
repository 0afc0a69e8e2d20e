"""A folder and a database that nobody else uses and that are gone afterwards."""

import os
import shutil
import signal
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg.conninfo import make_conninfo

from config.database_roles import SUPERUSER
from config.launcher import places


@contextmanager
def own_place() -> Iterator[None]:
    """Settings of a new embedded database: never one where a learner's work is kept. Before anything reads settings."""
    warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR is not set")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    os.environ.pop("DATABASE_URL", None)
    parent = places.PROJECT / "var"
    parent.mkdir(exist_ok=True)
    folder = tempfile.mkdtemp(prefix="bench-", dir=parent)
    os.environ |= {"ANDAMIO_VAR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
    try:
        yield
    finally:
        from config.launcher import embedded  # warns of a missing folder as soon as it is imported

        if database := places.database_folder():
            embedded.stop(database)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def filling() -> Iterator[psycopg.Cursor]:
    """A cursor that may do what the application may not: leave out foreign keys, make tables, vacuum."""
    from django.conf import settings

    with psycopg.connect(make_conninfo(settings.DATABASE_URL, user=SUPERUSER), autocommit=True) as connection:
        yield connection.cursor()
