"""In which languages a browser test runs."""

import pytest


def in_both_languages(first: str) -> pytest.MarkDecorator:
    """`make test` runs the test in this language, `make test-hard` in the other."""
    other = {"en": "es", "es": "en"}[first]
    return pytest.mark.parametrize("language", [first, pytest.param(other, marks=pytest.mark.hard)])
