"""What the words asked for rule out without a word of denial: meat in a vegan dish, the Ritz where it must be cheap."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from planning.contracts import ValueType
from planning.grammar import amount_read
from planning.understanding.known import canonical_of

from .asked import Asked
from .result import Piece, Said
from .words import folded, lines_of, word_set, words_of

_AGAINST, _CHEAP = "against.txt", "cheap.txt"
_BACK: Final = "takes back"
_PLANTS: Final = frozenset({"vegan", "vegetarian", "dairy", "lactose"})
_LONGEST: Final = 3
_CHEAP_WORDS: Final = frozenset({"cheap", "cheapest", "budget"})
_ONE: Final = frozenset({"price", "rate", "cost", "fare", "precio", "tarifa", "coste", "costo"})
_TOGETHER: Final = frozenset({"total", "all", "deposit", "original", "saved", "before", "insurance"})
_MONEY: Final = frozenset({None, "USD", "EUR", "GBP"})
_DEAR: Final = ("$$$", "€€€", "£££")


def is_ruled_out(asked: Asked, tokens: Mapping[str, bool]) -> bool:
    """Whether a result says what the task's qualities rule out. `tokens`: its words, and whether each is denied."""
    wanted = set(_wanted(asked))
    said = [word for word, negated in tokens.items() if not negated]
    spoken = {*said, *(one for word in said for one in canonical_of(word))}
    text = f" {' '.join(said)} "
    if wanted and wanted <= _PLANTS and not spoken.isdisjoint(_against()[_BACK]):
        return False  # "coconut milk", "cauliflower steak"
    return any(
        not own.intersection(spoken) and any(f" {one} " in text for one in _against()[quality])
        for quality in wanted
        for own in [{quality, *(word for word in asked.words if quality in canonical_of(word))}]
    )


def _wanted(asked: Asked) -> Iterator[str]:
    """Qualities asked for, and what must be free of something: "gluten-free", "without nuts"."""
    table = _against()
    for quality in asked.qualities:
        if quality in table and quality not in _free():
            yield quality
    for term in asked.terms:
        if term.word in table and (term.negated if term.word in _free() else not term.negated):
            yield term.word


@cache
def _free() -> frozenset[str]:
    return word_set("words.txt", "free_of")


@cache
def _against() -> dict[str, tuple[str, ...]]:
    return {
        name: tuple(" ".join(words_of(one)) for one in line.split(",") if words_of(one))
        for name, line in lines_of(_AGAINST)
    }


def is_too_dear(asked: Asked, said: Said) -> bool:
    """Whether the task wants it cheap, and every price of one that is told is none that anybody calls so."""
    if not _CHEAP_WORDS.intersection((*asked.qualities, *(term.word for term in asked.terms if not term.negated))):
        return False
    signs = [piece.text for piece in said.pieces if isinstance(piece.value, str)]
    if any(text.strip().startswith(_DEAR) and not any(one.isdigit() for one in text) for text in signs):
        return True
    most = next((_most()[one] for one in _things(asked) if one in _most()), None)
    prices = [price for piece in said.pieces if (price := _price(piece)) is not None]
    return most is not None and bool(prices) and min(prices) > most


def _things(asked: Asked) -> Iterable[str]:
    return (*asked.objects, *asked.thing)


def _price(piece: Piece) -> float | None:
    """The price of one; None where it is none, of all together, or in money whose worth we do not know."""
    if not _ONE.intersection(piece.keys) or _TOGETHER.intersection(piece.keys) or isinstance(piece.value, bool):
        return None
    if isinstance(piece.value, str):
        amount = amount_read(piece.value[:60])
        known = amount and amount.value_type in (ValueType.MONEY, ValueType.NUMBER) and amount.currency in _MONEY
        value = amount.value if amount and known else None
        return float(value) if isinstance(value, int | float) else None
    return float(piece.value) if abs(piece.value) < 1e9 else None


@cache
def _most() -> dict[str, float]:
    """Raises `ValueError` naming the line that cannot be read."""
    found: dict[str, float] = {}
    for names, most in lines_of(_CHEAP):
        if not most.isdigit():
            raise ValueError(f"{_CHEAP}: not a sum: {names}: {most}")
        found |= dict.fromkeys((name.strip() for name in names.split(",")), float(most))
    return found


def is_echo(task: str, pieces: Sequence[Piece]) -> bool:
    """Whether a result says nothing but the task itself, a word or two before it apart."""
    words = words_of(task)
    texts = [words_of(piece.text) for piece in pieces]
    if not words or not texts:
        return False
    return all(text == words or (len(words) >= _LONGEST and _ends_so(text, words)) for text in texts)


def _ends_so(text: list[str], words: list[str]) -> bool:
    return len(words) <= len(text) <= len(words) + _LONGEST and text[-len(words) :] == words


def is_written(asked: Asked) -> bool:
    """Whether the task wants a text of its own: a letter, a summary, a translation, a piece of code."""
    kinds = word_set("texts.txt", "written")
    asks = bool(word_set("texts.txt", "verb").intersection(asked.verbs[:1]))
    return asks or any(folded(one) in kinds for one in asked.objects[:1])
