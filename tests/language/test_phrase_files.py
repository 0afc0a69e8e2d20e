import re

import pytest

from language.phrase_files import Notation, phrase_patterns

NOTATION = Notation(" ", {"_": r"(?:\S+ )", ":": r"\| "}, repeats="{0,2}")
TEXT = """# requests
{please} = please
{please} = por favor
{please}? (show | give)_ th% list
(very)* good (!not bad) :
[never]
ningun@ lista
"""


def _matches(section: str, text: str) -> bool:
    pattern = phrase_patterns("a.txt", TEXT, NOTATION, ("wanted", "never", "empty"))[section]
    return re.fullmatch(pattern, text) is not None


@pytest.mark.parametrize(
    ("section", "text"),
    [
        ("wanted", "por favor show me the list "),
        ("wanted", "give us this list "),
        ("wanted", "very very good | "),
        ("never", "ninguna lista "),
    ],
)
def test_phrases_are_found(section: str, text: str) -> None:
    assert _matches(section, text)


@pytest.mark.parametrize(
    ("section", "text"),
    [("wanted", "show the list "), ("wanted", "very very very good | "), ("wanted", "good "), ("empty", "")],
)
def test_others_are_not(section: str, text: str) -> None:
    assert not _matches(section, text)


@pytest.mark.parametrize("line", ["{unknown} list", "(show list", "[other]"])
def test_a_fault_names_its_line(line: str) -> None:
    with pytest.raises(ValueError, match=r"a\.txt, line 2: cannot be read"):
        phrase_patterns("a.txt", f"show\n{line}\n", NOTATION, ("wanted",))
