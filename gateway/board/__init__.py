"""The money dashboard."""
