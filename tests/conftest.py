"""What every test stands on: the embedded PostgreSQL, a fixed cast of people, and small lessons."""

import asyncio
import gc
import json
import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.management import create_contenttypes
from django.contrib.contenttypes.models import ContentType
from django.core.handlers.base import BaseHandler
from django.core.management.sql import emit_post_migrate_signal
from django.db import connection, transaction
from django.db.models.signals import post_migrate
from django.test import TransactionTestCase, client
from django.test.signals import setting_changed
from django.utils import translation
from pgtrigger.apps import install_on_migrate
from pytest_django import DjangoDbBlocker, Settings

from accounts.models import Role, User
from accounts.sign_in import password_work
from config.database_roles import APPLICATION
from core.management.commands.compile_catalogues import compile_catalogues
from gateway.embedding import local as embeddings
from lesson_engine.models import LessonVersion
from lesson_engine.services.lessons import lesson_import
from telemetry.models import Event
from tests import database
from tests.hands import tampering
from tests.provider import Provider

# No deadline: machines are noisy. Under CI the same examples each time; elsewhere new ones.
hypothesis.settings.register_profile("andamio", deadline=None, max_examples=50, derandomize=bool(os.environ.get("CI")))
hypothesis.settings.load_profile("andamio")

RowsOfModule = Callable[[], AbstractContextManager[None]]
LARGE = 1_000_000  # bytes of a table
DEMO_LESSON = Path(settings.BASE_DIR) / "lesson_engine" / "lessons" / "fotosintesis.json"

# Pages name static files as they are: no test should need a collectstatic first.
settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
compile_catalogues()
Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)  # whitenoise complains of a missing one
# Signing in is not what tests wait for.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def pytest_collection_finish() -> None:
    """The collector of garbage need not look again at what stays until the end."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)  # tests also run without xdist
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With `--dist loadfile`: our own order of files."""
    if config.getoption("dist") != "loadfile":
        return None
    from tests.scheduling import LongFirst  # imported here: only the process that shares out needs it

    return LongFirst(config, log)


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A database for this process, with the whole schema.

    Connections are opened one by one: a pool would keep some when the database is dropped. They are the superuser's,
    who works as the application's role: `tests.hands` can do more for a moment.
    """
    place = settings.DATABASES["default"]
    place["OPTIONS"].pop("pool", None)
    place["USER"], place["OPTIONS"]["options"] = database.superuser(), f"-c role={APPLICATION}"
    name = f"test_{place['NAME']}_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    with django_db_blocker.unblock():
        database.durability_off()
        database.database_create(name)
        connection.close()
        connection.settings_dict.update(place | {"NAME": name})
        place["NAME"] = name
    yield
    with django_db_blocker.unblock():
        connection.close()
        database.database_drop(name)


@pytest.fixture(autouse=True, scope="session")
def _clean_up_is_quick(django_db_setup: None) -> Iterator[None]:
    """After a transactional test only tables that have rows are emptied; Django truncates every one of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda self: clear_tables("DELETE FROM {}", above=0))
        yield


@pytest.fixture(autouse=True, scope="module")
def _no_module_leaves_rows(django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Rows that a module commits and leaves would change the tests after it, whose order changes from run to run.

    A hundred thousand rows that were rolled back are still read through, so they go too.
    """
    yield
    if connection.settings_dict["NAME"].startswith("test_") and not _is_in_event_loop():
        with django_db_blocker.unblock():
            left = Event.objects.exists() or User.objects.exists()
            clear_tables("DELETE FROM {}" if left else "TRUNCATE {} CASCADE", above=0 if left else LARGE)
        assert not left, "this module left rows behind"


def _is_in_event_loop() -> bool:
    """Whether Django refuses its database here: Playwright's loop runs until the last test in the browser."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def clear_tables(statement: str, *, above: int) -> None:
    """Clear tables above this size. What Django says of the models stays, what comes with the migrations comes again.

    Tables that grew are truncated in any case: deleted rows are still read through, and statistics tell of them.
    """
    kept = (ContentType._meta.db_table, Permission._meta.db_table)
    tables = [name for name in connection.introspection.django_table_names() if name not in kept]
    look = "SELECT '{0}', pg_relation_size('{0}') > %s WHERE pg_relation_size('{0}') > %s"
    with transaction.atomic(), tampering(), connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(look.format(name) for name in tables), [LARGE, above] * len(tables))
        # Truncated first: what is deleted leaves deferred triggers, and tables that wait for those refuse it.
        found = sorted(cursor.fetchall(), key=lambda row: not row[1])
        for name, is_large in found:
            cursor.execute(("TRUNCATE {} CASCADE" if is_large else statement).format(name))
    if found:
        # These receivers would look for rows and triggers that are there.
        post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
        post_migrate.disconnect(create_contenttypes)
        post_migrate.disconnect(install_on_migrate, sender=apps.get_app_config("pgtrigger"))
        emit_post_migrate_signal(verbosity=0, interactive=False, db=connection.alias)


@pytest.fixture(autouse=True, scope="session")
def _middleware_is_loaded_once() -> Iterator[None]:
    """Django loads it for each client, which takes longer than most requests. It is kept until a setting changes."""
    load, kept = BaseHandler.load_middleware, dict[tuple[type, bool], dict[str, Any]]()

    def load_once(self: BaseHandler, is_async: bool = False) -> None:
        kind = (type(self), is_async)
        if kind not in kept:
            load(self, is_async)
            kept[kind] = {name: value for name, value in vars(self).items() if "middleware" in name}
        vars(self).update(kept[kind])

    def forget(**_: object) -> None:
        kept.clear()

    setting_changed.connect(forget)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseHandler, "load_middleware", load_once)
        yield
    setting_changed.disconnect(forget)


@pytest.fixture(autouse=True, scope="session")
def _context_of_the_page_alone_is_kept() -> Iterator[None]:
    """Django's client copies the context of each part that a page includes, a fifth of what the page itself costs."""
    name = "store_rendered_templates"
    store = getattr(client, name)

    def store_first(kept: dict[str, Any], *arguments: Any, **rendered: Any) -> None:
        if not kept:
            store(kept, *arguments, **rendered)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, name, store_first)
        yield


@pytest.fixture(autouse=True, scope="session")
def _model_is_loaded_once() -> Iterator[None]:
    """Tests that begin with a fresh embedder, as a new process has it, need not read its weights anew."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embeddings, "_load_model", cache(embeddings._load_model))
        yield


@pytest.fixture(scope="module")
def module_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[RowsOfModule]:
    """For rows that every test of a module finds and that cost much: `with module_rows():` in a module's fixture.

    They are undone after the module, and what a test does is undone after the test. Not for a module that commits.
    """
    around = transaction.atomic()
    around._from_testcase = True  # type: ignore[attr-defined]  # as Django marks its own around tests
    with django_db_blocker.unblock():
        around.__enter__()
    try:
        yield django_db_blocker.unblock
    finally:
        with django_db_blocker.unblock():
            transaction.set_rollback(True)
            around.__exit__(None, None, None)


@pytest.fixture(autouse=True)
def _language() -> Iterator[None]:
    """A page asked for in Spanish leaves Spanish active in this thread; the next test begins in English."""
    yield
    translation.activate(settings.LANGUAGE_CODE)


@pytest.fixture
def learner(db: None) -> User:
    """Somebody with an account."""
    return User.objects.create_user("ana", password="correct horse battery")


@pytest.fixture
def stranger(db: None) -> User:
    """Somebody else, who must see nothing of the learner's."""
    return User.objects.create_user("berto", password="correct horse battery")


@pytest.fixture
def staff(db: None) -> User:
    """Somebody who may enter the admin."""
    return User.objects.create_superuser("carla", password="correct horse battery", role=Role.STAFF)


@pytest.fixture
def full_line() -> Iterator[None]:
    """As many people have a password looked at, or wait for it, as may."""
    with ExitStack() as line:
        for _ in range(password_work.AT_ONCE + password_work.IN_LINE):
            line.enter_context(password_work._line)
        yield


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    """Where the anchors of the audit are."""
    settings.AUDIT_ANCHORS = tmp_path / "anchors"
    return tmp_path / "anchors"


@pytest.fixture
def provider(settings: Settings) -> Iterator[Provider]:
    """A server of models that does as it is told, and the settings of somebody who has configured it."""
    with Provider() as running:
        settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY, settings.MODELS_CONFIGURED = running.url, "test", True
        yield running


@pytest.fixture
def photosynthesis(db: None) -> LessonVersion:
    """The demo lesson, imported."""
    return lesson_import(source=DEMO_LESSON.read_bytes()).version


RIGHT = "Plants use light to make sugar from water and carbon dioxide."
WRONG = "They need it to sleep"
"""Two answers to the question about light that the grader knows word for word, whatever it makes of others."""
BOTH = f"{RIGHT} {WRONG}."
"""The right answer and a known wrong idea: of this it is never sure."""


def ask(code: str = "ASK_001", **changes: Any) -> dict[str, Any]:
    """An open question about light, as a lesson file has it. In its own words it knows one wrong idea, `WRONG`."""
    question: dict[str, Any] = {
        "type": "ASK",
        "code": code,
        "question": f"What do plants need light for? ({code})",
        "objective": "Say what plants use light for",
        "answer": {"kind": "open", "accepted": [RIGHT]},
        "hints": ["Think of what they take in.", "It is stored in fruit."],
        "micro_steps": [{"code": "detour", "body": "A leaf is a small kitchen."}],
    }
    if changes.get("answer", question["answer"])["kind"] == "open":
        question["misconceptions"] = [{"code": "sleep", "examples": [WRONG], "feedback": "Plants do not sleep."}]
    return {**question, **changes}


def number(code: str = "ASK_002", value: int = 6) -> dict[str, Any]:
    """A question whose answer is a number."""
    return ask(code, question="How many molecules?", answer={"kind": "numeric", "value": value})


def lesson_data(*steps: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A small English lesson: a reading and the given steps, or two questions."""
    reading = {"type": "CONTENT", "title": "Light", "body": "Plants make sugar with light."}
    lesson: dict[str, Any] = {
        "format": "andamio.lesson/1",
        "meta": {
            "slug": "light",
            "title": "Light",
            "language": "en",
            "summary": "What plants do with light.",
            "objectives": ["Say what plants use light for"],
        },
        "moments": [{"title": "Beginning", "steps": [reading, *(steps or (ask(), number()))]}],
    }
    return {**lesson, **changes}


LessonMaker = Callable[..., LessonVersion]


def lesson_make(*steps: dict[str, Any], **changes: Any) -> LessonVersion:
    """Import a small lesson made by `lesson_data`."""
    return lesson_import(source=json.dumps(lesson_data(*steps, **changes)).encode()).version


@pytest.fixture
def make_lesson(db: None) -> LessonMaker:
    return lesson_make
