"""How common words are: Zipf frequencies of wordfreq 3.1 (Robyn Speer, CC BY-SA 4.0), the commoner words only."""

from functools import cache
from pathlib import Path
from typing import Final

from language import Language
from language.word_lists import json_file

_DATA: Final = Path(__file__).parent / "data"
LEAST: Final = 3.4
"""Words below this frequency are not listed."""


@cache
def frequencies(language: Language) -> dict[str, float]:
    """Folded words with their frequency: 3.4 is one in 400,000, 7.5 the commonest word. In steps of 0.2."""
    listed = json_file(_DATA / f"frequency-{language}.json")["words"]
    return {word: float(zipf) for zipf, words in listed.items() for word in words.split()}
