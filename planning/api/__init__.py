"""The API of plans."""
