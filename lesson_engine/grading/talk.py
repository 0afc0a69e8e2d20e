"""Phrases listed in files, as patterns over folded words in which a bar stands for the end of a clause.

A file has slots, `{name} = one | two words`, a line more for more of them, and sections of phrases, one or several a
line: `[anywhere]`, `[begins a clause]`, `[whole clause]`. A phrase is made of words, `{slots}`, `(this | that)`,
`(if you like)?`, `(many)*`, `(!not these)`, `:` for the end of a clause, `_` for any word, `..` for up to four,
`...` for the rest of the clause, and `~` for its rest up to a turn such as "but". In a word `@` is o or a, and `%` any
ending.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

_DATA: Final = Path(__file__).parent / "data"
_END: Final = "(?: |$)"
_ANY: Final = rf"(?:(?!\|)\S+{_END})"
_TURN: Final = f"(?:pero|creo|aunque|quiza|but|maybe){_END}"
_WILD: Final = {
    ":": rf"\|{_END}",
    "_": _ANY,
    "..": f"{_ANY}{{0,4}}?",
    "...": f"{_ANY}*",
    "~": f"(?:(?!{_TURN}){_ANY})*",
}
_CLAUSE: Final = r"(?:^|(?<=\| ))"
_SECTIONS: Final = {
    "[anywhere]": (r"(?<!\S)", ""),
    "[begins a clause]": (_CLAUSE, ""),
    "[whole clause]": (_CLAUSE, r"(?=\||$)"),
}
_PART: Final = re.compile(r"\{\w+\}|\(!|[()|?*+]|[^\s(){}|?*+]+")


@cache
def talk(name: str) -> re.Pattern[str]:
    """The phrases of a file in `data/`. Raises `ValueError` naming the line that cannot be read."""
    slots: dict[str, list[str]] = {}
    sections: dict[str, list[str]] = {section: [] for section in _SECTIONS}
    phrases = sections["[anywhere]"]
    for number, line in enumerate((_DATA / name).read_text(encoding="utf-8").splitlines(), 1):
        try:
            if line.startswith("["):
                phrases = sections[line]
            elif line.startswith("{") and " = " in line:
                slot, words = line.split(" = ", 1)
                slots.setdefault(slot, []).append(_pattern(words, slots))
            elif line and not line.startswith("#"):
                phrases.append(_pattern(line, slots))
        except (KeyError, re.error) as error:
            raise ValueError(f"{name}, line {number}: cannot be read ({error}): {line}") from error
    found = [_SECTIONS[section][0] + _one_of(lines) + _SECTIONS[section][1] for section, lines in sections.items()]
    return re.compile(_one_of(found))


def _pattern(text: str, slots: dict[str, list[str]]) -> str:
    pattern = "".join(_part(part, slots) for part in _PART.findall(text))
    re.compile(pattern)  # so that a fault is told with its line
    return pattern


def _part(part: str, slots: dict[str, list[str]]) -> str:
    if part.startswith("{"):
        return _one_of(slots[part])
    if part.startswith("("):
        return "(?!" if part == "(!" else "(?:"
    if part in "|)?*+":
        return part
    return _WILD.get(part) or re.escape(part).replace("@", "[oa]").replace("%", r"\w*") + _END


def _one_of(patterns: list[str]) -> str:
    return f"(?:{'|'.join(patterns)})" if patterns else "(?!)"
