"""Reflections that a model writes, held against the failure."""
