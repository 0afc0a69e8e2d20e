"""Writes of the lesson engine."""
