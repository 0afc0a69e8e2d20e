"""Places and names in a task: known ones in any case, others by their capitals and the words before them."""

from typing import Final

from .items import NAME, PLACE, Item, Reading
from .words import Words, longest, word_set

_LINKS: Final = word_set("naming_links")
_PLACING: Final = {
    "en": frozenset({"in", "near", "at", "around", "towards"}),
    "es": frozenset({"en", "hacia", "cerca", "desde"}),
}
_MOVING: Final = word_set("naming_moving")
_TRAVEL: Final = word_set("naming_travel")
_NOT_PLACES: Final = word_set("naming_not_places")
_NOT_NAMES: Final = word_set("naming_not_names")
_PRONOUNS: Final = frozenset({"i", "i'm", "i'd", "i'll", "i've"})


def names_read(reading: Reading, words: Words) -> None:
    for place, token in enumerate(reading.tokens):
        if token.kind in {"quote", "code"} and reading.is_free(place, place + 1) and token.fold:
            reading.take(Item(NAME, token.fold, place, place + 1))
    _known_places(reading, words)
    if _capitals_say_something(reading):
        _capitals(reading, words)


def _known_places(reading: Reading, words: Words) -> None:
    place = 0
    while place < len(reading.tokens):
        canonical, length = longest(words.places, reading.tokens, place)
        if canonical and reading.is_free(place, place + length) and _is_meant(reading, place, length):
            reading.take(Item(PLACE, canonical, place, place + length))
            place += length
        else:
            place += 1


def _is_meant(reading: Reading, place: int, length: int) -> bool:
    """Whether a word that is also another word is the place: `nice hotel` is none, `hotel in nice` is."""
    token = reading.tokens[place]
    if length > 1 or token.fold not in _NOT_PLACES:
        return True
    placed = _PLACING[reading.language] | _MOVING
    return reading.fold(place - 1) in placed or (token.is_capitalised and place > 0)


def _capitals_say_something(reading: Reading) -> bool:
    """Not where everything has them: a task all in capitals, or written like a title."""
    long = [token for token in reading.tokens if token.kind == "word" and len(token.fold) > 3]
    after_first = sum(token.is_capitalised for token in long[1:])
    like_a_title = len(long) > 4 and after_first > 0.7 * (len(long) - 1)
    return not like_a_title and not (long and all(token.text.isupper() for token in long))


def _capitals(reading: Reading, words: Words) -> None:
    place = 0
    while place < len(reading.tokens):
        last = _phrase_end(reading, words, place)
        if last > place:
            kind = PLACE if _is_placed(reading, words, place) else NAME
            value = " ".join(token.fold for token in reading.tokens[place:last])
            reading.take(Item(kind, value, place, last))
        place = max(last, place + 1)


def _phrase_end(reading: Reading, words: Words, place: int) -> int:
    """Where a phrase with capitals that begins there ends; `place` itself where none does."""
    if not _is_name(reading, words, place):
        return place
    last = place + 1
    while last < len(reading.tokens):
        if _has_capital(reading, last) or (
            reading.fold(last) in _LINKS and _has_capital(reading, last + 1 + (reading.fold(last + 1) in _LINKS))
        ):
            last += 1
        elif reading.tokens[last].kind == "number" and reading.fold(last).isdigit() and reading.is_free(last, last + 1):
            return last + 1
        else:
            break
    return last


def _is_name(reading: Reading, words: Words, place: int) -> bool:
    if not _has_capital(reading, place):
        return False
    starts = place == 0 or reading.fold(place - 1) in {".", "!", "?", ":", "¿", "¡"}
    if not starts:
        text = reading.tokens[place].text
        acronym = len(text) > 1 and text.isupper() and _is_known(reading, words, place)
        return not acronym and reading.fold(place) not in _PRONOUNS
    return _has_capital(reading, place + 1) and not _is_known(reading, words, place)


def _is_known(reading: Reading, words: Words, place: int) -> bool:
    tables = (words.verbs, words.qualities, words.fillers, words.grammar["not"], words.grammar["without"])
    return any(longest(table, reading.tokens, place)[1] for table in tables) or bool(
        words.object_at(reading.tokens, place, reading.language)[1]
    )


def _has_capital(reading: Reading, place: int) -> bool:
    return (
        reading.is_free(place, place + 1)
        and reading.tokens[place].kind == "word"
        and reading.tokens[place].is_capitalised
        and reading.fold(place) not in _NOT_NAMES
    )


def _is_placed(reading: Reading, words: Words, place: int) -> bool:
    """Whether the word before names places; `to` and `from` do so in tasks about travel."""
    before = reading.fold(place - 1)
    if before in {"the", "el", "la", "los", "las"}:
        before = reading.fold(place - 2)
    if before in {"de", "del"} and reading.fold(place - 2) == "cerca":
        return True
    return before in _PLACING[reading.language] or (before in _MOVING and _travels(reading, words))


def _travels(reading: Reading, words: Words) -> bool:
    for place in range(len(reading.tokens)):
        thing = words.object_at(reading.tokens, place, reading.language)[0]
        verb = longest(words.verbs, reading.tokens, place)[0]
        if thing in _TRAVEL or verb in _TRAVEL:
            return True
    return False
