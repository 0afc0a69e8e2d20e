"""Everything between an empty folder and a server that can start: schema, static files, lesson, accounts."""

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import django
from django.core.exceptions import ImproperlyConfigured

from accounts.contracts import DemoAccount
from config import env
from config.launcher import places
from config.launcher.console import Problem, say, step
from core.operations.locks import file_locked

if TYPE_CHECKING:  # models can be imported only after `_set_up`
    from lesson_engine.models import LessonVersion


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Let one start at a time prepare the folder; a second one waits and says so."""
    folder.mkdir(parents=True, exist_ok=True)
    with file_locked(folder / "start.lock", lambda: say("Another start is at work in this folder; waiting for it.")):
        yield


def prepare() -> list[DemoAccount]:
    """Do all steps and return the demonstration's accounts. Raises `Problem`."""
    with only_one(places.var()):
        _database()
        _catalogues()
        _schema()
        _static_files()
        _lessons()
        _courses()
        accounts = _accounts()
        _disconnect()
    return accounts


def _database() -> None:
    folder = places.database_folder()
    if folder is None:
        with step("Connecting to the PostgreSQL of DATABASE_URL"):
            _set_up()
            _connect()
        return
    from config.launcher import embedded  # imported here: a deployment with its own PostgreSQL does not load it

    new = not (folder / "PG_VERSION").exists()
    with step(f"{'Creating' if new else 'Starting'} the embedded PostgreSQL, data in {places.short(folder)}"):
        embedded.start(folder)
        _set_up()


def _set_up() -> None:
    try:
        django.setup()
    except ImproperlyConfigured as error:
        raise Problem(f"A setting is wrong: {error}") from error


def _connect() -> None:
    from django.db import OperationalError, connection

    try:
        connection.ensure_connection()
    except OperationalError as error:
        raise Problem(f"The database of DATABASE_URL does not answer: {str(error).splitlines()[0]}") from error


def _catalogues() -> None:
    from core.management.commands.compile_catalogues import compile_catalogues

    with step("Compiling translations") as current:
        count = len(compile_catalogues())
        current.result = f"{count} compiled" if count else "nothing new"


def _schema() -> None:
    """Tables, what the roles may do, and the first signatures."""
    from core.operations.readiness import migrations
    from core.operations.rights import rights_are_granted
    from telemetry.services import nothing_is_signed

    with step("Bringing the database up to date") as current:
        # Rights first: without them the application cannot even read which migrations were applied.
        if not rights_are_granted() or migrations():
            ended = _as_owner("migrate", "--noinput")
            if ended.returncode:
                raise Problem(f"The database cannot be brought up to date: {_last_line(ended)}")
            applied = ended.stdout.count("  Applying ")
            current.result = f"{applied} migrations applied" if applied else "rights granted"
        else:
            current.result = "nothing new"
    # Only where nothing is signed: who signs vouches for what is there, and later that is an operator's to decide.
    if nothing_is_signed():
        with step("Signing what is on record") as current:
            ended = _as_owner("audit_sign", "--first")
            if ended.returncode and not ended.stdout:
                raise Problem(f"What is on record cannot be signed: {_last_line(ended)}")
            signed = "; ".join(line for line in ended.stdout.splitlines() if line.endswith(" chains signed"))
            current.result = f"{signed}; {_last_line(ended)}" if ended.returncode else signed


def _as_owner(*command: str) -> "subprocess.CompletedProcess[str]":
    """Run a command that the settings connect as the owner of the tables: this process is the application."""
    arguments = [sys.executable, "manage.py", *command]
    return subprocess.run(arguments, cwd=places.PROJECT, capture_output=True, text=True)


def _last_line(ended: "subprocess.CompletedProcess[str]") -> str:
    """Why it failed."""
    return (ended.stderr.strip().splitlines() or [f"code {ended.returncode}"])[-1]


def _static_files() -> None:
    from django.conf import settings
    from django.core.management import call_command

    with step("Collecting static files") as current:
        mark, stamp = _static_fingerprint(), places.var() / "static.stamp"
        if Path(settings.STATIC_ROOT).is_dir() and stamp.exists() and stamp.read_text() == mark:
            current.result = "nothing new"
            return
        stamp.unlink(missing_ok=True)
        call_command("collectstatic", interactive=False, verbosity=0)
        stamp.write_text(mark)


def _static_fingerprint() -> str:
    """Changes when any file to collect does: compressing and naming them anew takes seconds, looking does not."""
    from django.conf import settings
    from django.contrib.staticfiles.finders import get_finders

    states = [settings.STATIC_URL, settings.STORAGES["staticfiles"]["BACKEND"]]
    for finder in get_finders():
        for name, storage in finder.list([]):
            state = Path(storage.path(name)).stat()
            states.append(f"{name} {state.st_size} {state.st_mtime_ns}")
    return hashlib.sha256("\n".join(sorted(states)).encode()).hexdigest()


def _lessons() -> None:
    """Only bytes that never came before are imported, and what a person published or retired stays as they left it."""
    with step("Loading the bundled lessons") as current:
        outcomes = {file.stem: _lesson(file) for file in places.bundled_lessons()}
        new = (f"{name} {outcome}" for name, outcome in outcomes.items() if outcome != "nothing new")
        current.result = "; ".join(new) or "nothing new"


def _lesson(file: Path) -> str:
    from lesson_engine.errors import LessonRefused
    from lesson_engine.selectors import stored_version
    from lesson_engine.services.lessons import lesson_import

    source = file.read_bytes()
    known = stored_version(source)
    try:
        version = known or lesson_import(source=source, give_way=True).version
    except LessonRefused as error:
        raise Problem(f"The bundled lesson in {places.short(file)} is refused: {error}") from error
    return _what_came_of(version, new=known is None)


def _what_came_of(version: "LessonVersion", *, new: bool) -> str:
    text, current = f"imported as version {version.number}" if new else "nothing new", version.lesson.current
    if current is None:
        return f"{text}; the lesson is retired"
    return text if current == version else f"{text}; version {current.number}, published since, stays current"


def _courses() -> None:
    """Only those whose name is still free: what staff made of a course stays as they left it."""
    with step("Loading the bundled courses") as current:
        new = [file.stem for file in places.bundled_courses() if _course(file)]
        current.result = f"imported {', '.join(new)}" if new else "nothing new"


def _course(file: Path) -> bool:
    from lesson_engine.errors import CourseRefused
    from lesson_engine.services.courses import course_import

    try:
        return course_import(source=file.read_bytes(), give_way=True) is not None
    except CourseRefused as error:
        raise Problem(f"The bundled course in {places.short(file)} is refused: {error}") from error


def _accounts() -> list[DemoAccount]:
    from accounts.services import demo_accounts_ensure

    with step("Looking after the demo accounts") as current:
        accounts = demo_accounts_ensure(password=env.text("DEMO_PASSWORD") or None)
        current.result = "passwords set" if any(account.password for account in accounts) else "they are there"
    return accounts


def _disconnect() -> None:
    """From here on the launcher only watches; it keeps no connection from those who serve."""
    from django.db import connections

    connections.close_all()
    for connection in connections.all():
        getattr(connection, "close_pool", lambda: None)()  # only PostgreSQL's has one
