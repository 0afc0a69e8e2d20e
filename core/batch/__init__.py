"""Commands for people with files: JSON lines in, JSON lines out."""
