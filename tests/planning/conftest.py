"""Staff in a browser."""

from tests.admin.conftest import desk  # noqa: F401 - a fixture here too
