"""Whether a text asks for something. Tasks do; what somebody plans by may also only tell something."""

from typing import Final

from planning.understanding.facts_items import NAME, PLACE, QUANTITY, VERB, WORD, Item, Reading
from planning.understanding.facts_words import word_set, words_in

_QUESTIONS: Final = word_set("asking_questions")
_OURS: Final = word_set("asking_ours")
_BEFORE_ORDERS: Final = word_set("asking_before_orders")
_ARTICLES: Final = word_set("asking_articles")
_OTHERS: Final = word_set("asking_others")
_TO_BE: Final = word_set("asking_to_be")
_VERBAL: Final = {"en": ("ing", "ed"), "es": ("ando", "iendo", "ado", "ada", "ido", "ida", "aron", "ieron")}


def is_told(one: Reading, other: Reading) -> bool:
    """Whether the two tell something: neither asks for anything, and at least one is a sentence, with somebody or
    something first and then what it does. Two mere names of things do not tell anything.
    """
    return not (_asks(one) or _asks(other)) and (_tells(one) or _tells(other))


def _asks(reading: Reading) -> bool:
    """An order, a question, or something of ours: who says "my sink leaks" asks for something."""
    if not reading.items or "?" in reading.text or reading.fold(0) in _QUESTIONS:
        return True
    if any(token.fold in _OURS for token in reading.tokens):
        return True
    return not _starts_with_a_thing(reading) or any(_is_order(reading, item) for item in reading.items)


def _tells(reading: Reading) -> bool:
    told_of = reading.items[reading.items[0].kind != VERB :]
    return any(_is_done(reading, item) for item in told_of)


def _starts_with_a_thing(reading: Reading) -> bool:
    """Not with an order. An unknown first word may be one, unless something is done right after it."""
    first = reading.items[0]
    if first.kind == VERB:
        return first.first > 0 and (
            reading.fold(first.first - 1) in _ARTICLES or any(t.fold in _OTHERS for t in reading.tokens[: first.first])
        )
    return first.first > 0 or first.kind != WORD or (len(reading.items) > 1 and _is_done(reading, reading.items[1]))


def _is_done(reading: Reading, item: Item) -> bool:
    """Whether the item is said to be or to be done: a known verb, a form of to be before it, an unknown word that is
    like a verb, as in "A dog digs in the sand". "Restaurant serving fish" is the name of a thing.
    """
    before = reading.fold(item.first - 1)
    if before in _TO_BE or (item.kind == VERB and before in _OTHERS):
        return True
    if item.kind not in {WORD, VERB} or not any(other.last == item.first for other in reading.items):
        return False
    fold, after = reading.fold(item.first), (reading.fold(item.last),)
    if fold.endswith(_VERBAL[reading.language]):
        return reading.fold(0) in _ARTICLES or reading.items[0].kind in {NAME, PLACE, QUANTITY}
    third = fold.endswith("s") and reading.language == "en" and after in words_in("en").fillers
    return item.kind == VERB or third


def _is_order(reading: Reading, item: Item) -> bool:
    before = reading.fold(item.first - 1) if item.first else ""
    return item.kind == VERB and before in _BEFORE_ORDERS and _is_base(reading, item)


def _is_base(reading: Reading, item: Item) -> bool:
    fold = reading.fold(item.first)
    if reading.language == "es":
        return not fold.endswith((*_VERBAL["es"], "an", "en"))
    return not fold.endswith(("ing", "ed", "s"))
