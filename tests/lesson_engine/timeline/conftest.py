"""Sessions with answers that staff look at again."""

from tests.lesson_engine.workbench.conftest import asking, desk, light, start

__all__ = ("asking", "desk", "light", "start")
