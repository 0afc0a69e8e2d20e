"""Phrases listed in files, as patterns over folded words. `language.phrase_files` describes the files.

Sections: `[anywhere]`, `[begins a clause]`, `[whole clause]`. Signs: `:` for the end of a clause, `_` for any word,
`..` for up to four, `...` for the rest of the clause, and `~` for its rest up to a turn such as "but".
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

from language.phrase_files import Notation, either, phrase_patterns

_DATA: Final = Path(__file__).parent / "data"
_END: Final = "(?: |$)"
_ANY: Final = rf"(?:(?!\|)\S+{_END})"
_TURN: Final = f"(?:pero|creo|aunque|quiza|but|maybe){_END}"
_NOTATION: Final = Notation(
    _END,
    {
        ":": rf"\|{_END}",
        "_": _ANY,
        "..": f"{_ANY}{{0,4}}?",
        "...": f"{_ANY}*",
        "~": f"(?:(?!{_TURN}){_ANY})*",
    },
)
_CLAUSE: Final = r"(?:^|(?<=\| ))"
_SECTIONS: Final = {
    "anywhere": (r"(?<!\S)", ""),
    "begins a clause": (_CLAUSE, ""),
    "whole clause": (_CLAUSE, r"(?=\||$)"),
}


def any_of(*patterns: str) -> str:
    """The source of a pattern for any of these."""
    return either(patterns)


@cache
def phrase_pattern(name: str) -> re.Pattern[str]:
    """The phrases of a file in `data/`. Raises `ValueError` naming the line that cannot be read."""
    text = (_DATA / name).read_text(encoding="utf-8")
    patterns = phrase_patterns(name, text, _NOTATION, [*_SECTIONS])
    placed = [before + patterns[section] + after for section, (before, after) in _SECTIONS.items()]
    return re.compile(either(placed))
