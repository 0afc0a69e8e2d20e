"""What the words asked for rule out without a word of denial: meat in a vegan dish, the Ritz where it must be cheap."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final

from language.word_lists import entries_of, word_set
from planning.criteria import ValueType, amount_read
from planning.understanding.known import canonical_of

from .request import Request
from .result import Content, Entry
from .words import DATA, TEXTS, WORDS, plain_text, words_and_numbers

_AGAINST, _CHEAP = DATA / "against.txt", DATA / "cheap.txt"
_BACK: Final = "takes back"
_PLANTS: Final = frozenset({"vegan", "vegetarian", "dairy", "lactose"})
_LONGEST: Final = 3
_CHEAP_WORDS: Final = frozenset({"cheap", "cheapest", "budget"})
_ONE: Final = frozenset({"price", "rate", "cost", "fare", "precio", "tarifa", "coste", "costo"})
_TOGETHER: Final = frozenset({"total", "all", "deposit", "original", "saved", "before", "insurance"})
_MONEY: Final = frozenset({None, "USD", "EUR", "GBP"})
_DEAR: Final = ("$$$", "€€€", "£££")


def is_ruled_out(request: Request, tokens: Mapping[str, bool]) -> bool:
    """Whether a result says what the task's qualities rule out. `tokens`: its words, and whether each is denied."""
    wanted = set(_wanted(request))
    affirmed = [word for word, negated in tokens.items() if not negated]
    forms = {*affirmed, *(form for word in affirmed for form in canonical_of(word))}
    text = f" {' '.join(affirmed)} "
    if wanted and wanted <= _PLANTS and not forms.isdisjoint(_against()[_BACK]):
        return False  # "coconut milk", "cauliflower steak"
    return any(
        not own.intersection(forms) and any(f" {ruled_out} " in text for ruled_out in _against()[quality])
        for quality in wanted
        for own in [{quality, *(word for word in request.words if quality in canonical_of(word))}]
    )


def _wanted(request: Request) -> Iterator[str]:
    """Qualities asked for, and what must be free of something: "gluten-free", "without nuts"."""
    table, free_of = _against(), word_set(WORDS, "free_of")
    for quality in request.qualities:
        if quality in table and quality not in free_of:
            yield quality
    for term in request.terms:
        if term.word in table and term.negated is (term.word in free_of):
            yield term.word


@cache
def _against() -> dict[str, tuple[str, ...]]:
    return {
        name: tuple(" ".join(words_and_numbers(phrase)) for phrase in line.split(",") if words_and_numbers(phrase))
        for name, line in entries_of(_AGAINST)
    }


def is_too_dear(request: Request, content: Content) -> bool:
    """Whether the task wants it cheap, and every price of one is above what may be called so."""
    if not _CHEAP_WORDS.intersection((*request.qualities, *(term.word for term in request.terms if not term.negated))):
        return False
    signs = [entry.text for entry in content.entries if isinstance(entry.value, str)]
    if any(text.strip().startswith(_DEAR) and not any(character.isdigit() for character in text) for text in signs):
        return True
    limit = next((_most()[thing] for thing in (*request.objects, *request.thing) if thing in _most()), None)
    prices = [price for entry in content.entries if (price := _price(entry)) is not None]
    return limit is not None and bool(prices) and min(prices) > limit


def _price(entry: Entry) -> float | None:
    """The price of one; None where it is none, of all together, or in money whose worth we do not know."""
    if not _ONE.intersection(entry.keys) or _TOGETHER.intersection(entry.keys) or isinstance(entry.value, bool):
        return None
    if isinstance(entry.value, str):
        amount = amount_read(entry.value[:60])
        is_money = amount and amount.value_type in (ValueType.MONEY, ValueType.NUMBER) and amount.currency in _MONEY
        value = amount.value if amount and is_money else None
        return float(value) if isinstance(value, int | float) else None
    return float(entry.value) if abs(entry.value) < 1e9 else None


@cache
def _most() -> dict[str, float]:
    """Raises `ValueError` naming the line that cannot be read."""
    limits: dict[str, float] = {}
    for names, limit in entries_of(_CHEAP):
        if not limit.isdigit():
            raise ValueError(f"{_CHEAP.name}: not a sum: {names}: {limit}")
        limits |= dict.fromkeys((name.strip() for name in names.split(",")), float(limit))
    return limits


def is_echo(task: str, entries: Sequence[Entry]) -> bool:
    """Whether a result says nothing but the task itself, a word or two before it apart."""
    words = words_and_numbers(task)
    texts = [words_and_numbers(entry.text) for entry in entries]
    if not words or not texts:
        return False
    longest = len(words) + (_LONGEST if len(words) >= _LONGEST else 0)
    return all(text[-len(words) :] == words and len(text) <= longest for text in texts)


def is_written(request: Request) -> bool:
    """Whether the task wants a text of its own: a letter, a summary, a translation, a piece of code."""
    kinds = word_set(TEXTS, "written")
    asks = bool(word_set(TEXTS, "verb").intersection(request.verbs[:1]))
    return asks or any(plain_text(name) in kinds for name in request.objects[:1])
