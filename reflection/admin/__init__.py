"""Reflections and patterns in the administration."""

from reflection.admin.patterns import PatternAdmin
from reflection.admin.reflections import ReflectionAdmin

__all__ = ("PatternAdmin", "ReflectionAdmin")
