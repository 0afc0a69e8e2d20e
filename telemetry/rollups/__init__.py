"""Counting events once, and reading what was counted."""
