"""What every test stands on: the embedded PostgreSQL, a fixed cast of people, and small lessons."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pgtrigger
import pytest
from django.conf import settings
from django.test import TransactionTestCase
from django.utils import translation
from pytest_django import Settings

from accounts.models import Role, User
from core.management.commands.compile_catalogues import compile_catalogues
from lesson_engine.models import LessonVersion
from lesson_engine.services.lessons import lesson_import
from tests.provider import Provider

# No deadline: machines are noisy. Under CI the same examples each time; elsewhere new ones.
hypothesis.settings.register_profile("andamio", deadline=None, derandomize=bool(os.environ.get("CI")))
hypothesis.settings.load_profile("andamio")

DEMO_LESSON = Path(settings.BASE_DIR) / "lesson_engine" / "lessons" / "fotosintesis.json"

# Pages name static files as they are: no test should need a collectstatic first.
settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
compile_catalogues()
Path(settings.STATIC_ROOT).mkdir(parents=True, exist_ok=True)  # whitenoise complains of a missing one
# Signing in is not what tests wait for.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """Connections of their own: a pool would keep some open when the test database is dropped."""
    settings.DATABASES["default"]["OPTIONS"].pop("pool", None)


@pytest.fixture(autouse=True, scope="session")
def _flush_may_truncate() -> Iterator[None]:
    """The clean-up after transactional tests, and it alone, may truncate what refuses it."""
    with pytest.MonkeyPatch.context() as patch:
        clean_up = TransactionTestCase._fixture_teardown  # type: ignore[attr-defined]

        def clean_up_without_triggers(self: TransactionTestCase) -> None:
            with pgtrigger.ignore():
                clean_up(self)

        patch.setattr(TransactionTestCase, "_fixture_teardown", clean_up_without_triggers)
        yield


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
def provider(settings: Settings) -> Iterator[Provider]:
    """A server of models that does as it is told, and the settings of somebody who has configured it."""
    with Provider() as running:
        settings.OPENAI_BASE_URL, settings.OPENAI_API_KEY, settings.MODELS_CONFIGURED = running.url, "test", True
        yield running


@pytest.fixture
def photosynthesis(db: None) -> LessonVersion:
    """The demo lesson, imported."""
    return lesson_import(source=DEMO_LESSON.read_bytes()).version


def ask(code: str = "ASK_001", **changes: Any) -> dict[str, Any]:
    """An open question about light, as a lesson file has it."""
    question: dict[str, Any] = {
        "type": "ASK",
        "code": code,
        "question": f"What do plants need light for? ({code})",
        "objective": "Say what plants use light for",
        "answer": {"kind": "open", "accepted": ["Plants use light to make sugar from water and carbon dioxide."]},
        "hints": ["Think of what they take in.", "It is stored in fruit."],
        "micro_steps": [{"code": "detour", "body": "A leaf is a small kitchen."}],
    }
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


@pytest.fixture
def make_lesson(db: None) -> LessonMaker:
    """Import a small lesson made by `lesson_data`."""

    def make(*steps: dict[str, Any], **changes: Any) -> LessonVersion:
        return lesson_import(source=json.dumps(lesson_data(*steps, **changes)).encode()).version

    return make
