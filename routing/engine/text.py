"""Messages as the engine sees them: folded, bounded, and as a set of lexical features."""

import re
import unicodedata
from itertools import pairwise

READ = 2_000
"""Characters of a message that are read: of a longer one the beginning and the end, where people say what they want."""
_GRAM = 4
_WORD_AT_MOST = 40
_WORD = re.compile(r"[^\W_]+")
_LETTERS = re.compile(r"[^\W\d_]{2,}")


def message_read(message: str) -> str:
    """What of a message is read: without control characters, half surrogates and runs of blanks."""
    text = message.strip()
    if len(text) > 4 * READ:
        text = f"{text[: 2 * READ]} {text[-2 * READ :]}"
    text = text.encode("utf-8", "replace").decode("utf-8")
    kept = "".join(" " if unicodedata.category(one)[0] in "CZ" and one != "\u200d" else one for one in text)
    words = " ".join(kept.split())
    return words if len(words) <= READ else f"{words[: READ // 2]} {words[-READ // 2 :]}"


def is_wordless(message: str) -> bool:
    """Whether there is no word in it that could say anything: punctuation, digits, single letters, pictures."""
    return not _LETTERS.search(message)


def fold(text: str) -> str:
    """Lower case without accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())[: 4 * READ]  # one sign may become eighteen
    return "".join(one for one in decomposed if not unicodedata.combining(one))


def words_of(text: str) -> list[str]:
    """The words of a text, folded, in order."""
    return [word[:_WORD_AT_MOST] for word in _WORD.findall(fold(text))]


def features_of(words: list[str]) -> set[str]:
    """Words, pairs of neighbours, and four letters in a row, which survive inflection and slips."""
    found = set(words)
    found.update(f"{one} {two}" for one, two in pairwise(["^", *words, "$"]))
    for word in set(words):
        edged = f"<{word}>"
        found.update(f"#{edged[start : start + _GRAM]}" for start in range(len(edged) - _GRAM + 1))
    return found
