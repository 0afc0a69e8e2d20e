"""Staff in a browser."""

from tests.lesson_engine.admin.conftest import desk  # noqa: F401 - a fixture here too
