"""Reflections and patterns in the administration."""

from reflection.admin_patterns import PatternAdmin
from reflection.admin_reflections import ReflectionAdmin

__all__ = ("PatternAdmin", "ReflectionAdmin")
