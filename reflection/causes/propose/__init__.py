"""Adjustments that answer a cause."""
