"""The files of phrases: how their lines are read."""

from pathlib import Path

import pytest

from lesson_engine.grading import phrase_lists as module
from lesson_engine.grading.phrase_lists import phrase_pattern

PHRASES = """
# a comment
{a} = a | an | the
{a} = un@ | el
{thing} = ({a})? (big)? dog | cats

[anywhere]
bark% | say {thing}

[begins a clause]
see (!no) {thing} ...

[whole clause]
(just)* _ runs (: away)? | one .. two | wonder ~
"""


class Found:
    def __init__(self, place: Path) -> None:
        self.place = place

    def __call__(self, line: str) -> str | None:
        match = phrase_pattern("phrases.txt").search(line)
        return match[0].strip() if match else None


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Found:
    monkeypatch.setattr(module, "_DATA", tmp_path)
    phrase_pattern.cache_clear()
    (tmp_path / "phrases.txt").write_text(PHRASES, encoding="utf-8")
    return Found(tmp_path)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("the dog is barking now", "barking"),
        ("embark", None),
        ("they say a big dog", "say a big dog"),
        ("i say dog here", "say dog"),
        ("i say dogs", None),
        ("say una dog", "say una dog"),
        ("see the dog and more | then", "see the dog and more"),
        ("i see the dog", None),
        ("so | see cats", "see cats"),
        ("see no cats", None),
        ("he runs", "he runs"),
        ("just just he runs | away", "just just he runs | away"),
        ("he runs fast", None),
        ("well | he runs | but", "he runs"),
        ("one a b two", "one a b two"),
        ("one a b c d e two", None),
        ("wonder what it is", "wonder what it is"),
        ("wonder what | but why", "wonder what"),
    ],
)
def test_lines_are_found_as_written(found: Found, line: str, expected: str | None) -> None:
    assert found(line) == expected


@pytest.mark.parametrize("line", ["say (this", "say {nothing}", "[nowhere]", "{a} = (b"])
def test_a_line_that_cannot_be_read_is_named(found: Found, line: str) -> None:
    (found.place / "wrong.txt").write_text(f"fine\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"wrong\.txt, line 2"):
        phrase_pattern("wrong.txt")
