"""Causes, learnings and adjustments in words."""
