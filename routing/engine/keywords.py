"""Keywords of a pack in a message: whole words, folded, with the plain plural."""

from collections import defaultdict

from routing.engine.text import words_of
from routing.pack import Pack


class Keywords:
    """Finds them by their first word, so that a message costs the same whatever the pack has."""

    def __init__(self, pack: Pack) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], int, str]]] = defaultdict(list)
        for place, domain in enumerate(pack.domains):
            for keyword in domain.keywords:
                if words := tuple(map(_stem, words_of(keyword))):
                    self._by_first[words[0]].append((words, place, keyword))

    def found(self, text: str) -> list[tuple[int, str]]:
        """The place of the domain and the keyword, once each, in the order of the message."""
        words = [_stem(word) for word in words_of(text)]
        hits = (
            (place, keyword)
            for start, word in enumerate(words)
            for needle, place, keyword in self._by_first.get(word, ())
            if tuple(words[start : start + len(needle)]) == needle
        )
        return list(dict.fromkeys(hits))


def _stem(word: str) -> str:
    """The word without its plural."""
    if len(word) > 4 and word.endswith("es"):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") else word
