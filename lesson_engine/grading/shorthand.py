"""Words cut short as in messages ("xq no ay q comer"), written out before anything reads them."""

import re

from .lexicon import lexicon

_WORD = re.compile(r"(?<![\w.,/^-])[^\W\d_]{1,5}(?![\w^(])")
_SYMBOLS = frozenset({"q", "k", "pa"})
"""Units and names of quantities as well: "5 Pa", "k = 2"."""
_BESIDE_A_WORD = re.compile(r" [^\W\d_]{2,}")
_AFTER_A_NUMBER = re.compile(r"\d ?$")


def written_out(text: str, language: str) -> str:
    """The text with the shorthand of its language spelt out; in a formula, and after a number, nothing is."""
    table = lexicon(language).shorthand

    def spelt(word: re.Match[str]) -> str:
        full = table.get(word[0].lower())
        return word[0] if full is None or _is_symbol(word) else full

    return text if "=" in text else _WORD.sub(spelt, text)


def _is_symbol(word: re.Match[str]) -> bool:
    if word[0].lower() not in _SYMBOLS:
        return False
    alone = not _BESIDE_A_WORD.match(word.string, word.end())
    return alone or word[0] != word[0].lower() or bool(_AFTER_A_NUMBER.search(word.string, 0, word.start()))
