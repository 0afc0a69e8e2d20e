"""Signing in: guessing is slowed, and staff show a second factor."""
