"""The API of evaluations."""
