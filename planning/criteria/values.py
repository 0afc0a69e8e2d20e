"""Values in a row of tokens: numbers with what belongs to them, dates and times, each made one token."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from language.numbers import number_read, plain_number
from planning.criteria.units import number_at

from .contracts import Amount, Scalar, ValueType
from .lexicon import Lexicon
from .moments import Awaited, moment_at, month_day_at
from .tokens import Token
from .units import SECONDS, currencies, longest, units

STARS: Final = 5
"""What stars are out of."""
_SCALES: Final = frozenset({5, 10, 20, 100})
_OUT_OF: Final = (("/",), ("out", "of"), ("out of",), ("sobre",), ("over",))
_IN_BRACKETS: Final = (("of",), ("de",), ("de", "un"), ("max",), ("max", "."))
ARTICLES: Final = frozenset({"a", "an", "un", "una"})
_COMPARES: Final = frozenset({"compare", "compare value", "comparative", "limit", "measure"})
_ORDINALS: Final = frozenset({"st", "nd", "rd", "th"})
_LARGE: Final = {"k": 1000, "m": 1_000_000}


def values_merged(tokens: Sequence[Token], words: Lexicon) -> list[Token]:
    """The tokens with every value made one."""
    tokens = _plus_last(_codes_merged(tokens))
    merged: list[Token] = []
    at = 0
    while at < len(tokens):
        used, value = value_at(tokens, at, words, merged)
        if value is None:
            merged.append(tokens[at])
            at += 1
        else:
            merged.append(value)
            at += used
    return merged


def _codes_merged(tokens: Sequence[Token]) -> list[Token]:
    """Numbers that go on in letters which are no unit are names: "5G", "4K", "1080p", "2FA"."""
    merged: list[Token] = []
    for at, token in enumerate(tokens):
        if merged and token.glued and token.kind == "word" and merged[-1].kind == "number" and _is_code(tokens, at):
            number = merged.pop()
            token = Token("word", number.text + token.text, number.raw + token.raw, number.glued)
        merged.append(token)
    return merged


def _is_code(tokens: Sequence[Token], at: int) -> bool:
    token = tokens[at]
    if token.raw in ("G", "K", "D", "P") and len(tokens[at - 1].text) == 1:
        before = tokens[at - 2].text if at > 1 else ""
        return not (token.raw == "K" and before in "$€£")
    known = {"clock", "multiplier", "month", "after", "approximate"} & token.senses.keys()
    if known or token.text in ("m", "x", "st", "nd", "rd", "th", "h", "hs"):
        return False
    return not (longest(units()[0], tokens, at)[0] or longest(currencies(), tokens, at)[0])


def _plus_last(tokens: Sequence[Token]) -> Sequence[Token]:
    """Such as "4+ stars" as "4 stars+", so that the unit follows its number."""
    moved = list(tokens)
    for at, token in enumerate(tokens[1:-1], 1):
        if token.text == "+" and token.glued and tokens[at - 1].kind == "number":
            used = longest(units()[0], tokens, at + 1)[0] or longest(currencies(), tokens, at + 1)[0]
            moved[at : at + 1 + used] = [*tokens[at + 1 : at + 1 + used], token]
    return moved


def value_at(tokens: Sequence[Token], at: int, words: Lexicon, done: Sequence[Token]) -> tuple[int, Token | None]:
    """How many tokens the value at a place takes, and the value as a token; None where none begins. `done`: what
    comes before it.
    """
    token, before = tokens[at], done[-1] if done else None
    if token.kind == "quoted":
        return 0, None
    if idiom := token.senses.get("value"):
        number, _, unit = idiom.partition(" ")
        return _with_adjective(tokens, at, 1, _amount(Decimal(number), unit=unit), words)
    if moment := month_day_at(tokens, at, done) or moment_at(tokens, at, words, awaited=_awaited(done)):
        amount = Amount(value=moment.text, value_type=moment.type)
        return moment.used, _token(tokens, at, moment.used, amount)
    if token.kind == "stars":
        return 1, _token(tokens, at, 1, _amount(Decimal(sum(char in "★⭐" for char in token.raw)), unit="star"))
    if token.text in ARTICLES and before is not None and _COMPARES & before.senses.keys():
        return _one_at(tokens, at, words)
    return _quantity_at(tokens, at, words, before)


def _one_at(tokens: Sequence[Token], at: int, words: Lexicon) -> tuple[int, Token | None]:
    """The one of "under an hour", "at least a pool"; in "within a budget" an article is none."""
    follows = tokens[at + 1] if at + 1 < len(tokens) else None
    if follows is None or follows.kind != "word" or {"limit", "count"} & follows.senses.keys():
        return 0, None
    used, unit = longest(units()[0], tokens, at + 1)
    if used:
        return _with_adjective(tokens, at, 1 + used, _amount(Decimal(1), unit=unit), words)
    before = tokens[at - 1]
    return (1, _token(tokens, at, 1, _amount(Decimal(1)))) if {"compare", "limit"} & before.senses.keys() else (0, None)


def _awaited(done: Sequence[Token]) -> Awaited:
    """What the words before make of a bare number: "antes de las 18", but not "no supera las 2 horas"."""
    if not done:
        return "no"
    last = done[-1]
    if last.text.endswith((" las", " la")):
        return "bare"
    if last.text in ("las", "la"):
        compares = len(done) > 1 and "compare" in done[-2].senses and "compare moment" not in done[-2].senses
        return "no" if compares else "bare"
    return "h" if "compare moment" in last.senses or last.text == "at" else "no"


def _token(tokens: Sequence[Token], at: int, used: int, amount: Amount, hint: str | None = None) -> Token:
    raw = " ".join(token.raw for token in tokens[at : at + used])
    return Token("value", raw.lower(), raw, tokens[at].glued, amount=amount, hint=hint)


def _quantity_at(tokens: Sequence[Token], at: int, words: Lexicon, before: Token | None) -> tuple[int, Token | None]:
    place, sign = at, 1
    prefix, code = longest(currencies(), tokens, place) if tokens[place].kind != "number" else (0, "")
    place += prefix
    if place < len(tokens) and tokens[place].text in ("-", "+") and _is_sign(tokens, place, before):
        sign = -1 if tokens[place].text == "-" else 1
        place += 1
        if not prefix:
            prefix_after, code = longest(currencies(), tokens, place) if place < len(tokens) else (0, "")
            place += prefix_after
    if place >= len(tokens):
        return 0, None
    used, number = _number_at(tokens, place, words, money=bool(code))
    if number is None:
        return 0, None
    place += used
    if place < len(tokens) and tokens[place].glued and tokens[place].text in _ORDINALS:
        return 0, None
    end, amount = _completed(tokens, place, sign * number, code, words)
    return _with_adjective(tokens, at, end - at, amount, words)


def _is_sign(tokens: Sequence[Token], at: int, before: Token | None) -> bool:
    follows = tokens[at + 1] if at + 1 < len(tokens) else None
    if follows is None or not follows.glued or (tokens[at].glued and before is not None):
        return False
    return follows.kind == "number" or bool(longest(currencies(), tokens, at + 1)[0])


def _number_at(tokens: Sequence[Token], at: int, words: Lexicon, *, money: bool) -> tuple[int, Decimal | None]:
    token = tokens[at]
    if token.kind == "number":
        money = money or bool(at + 1 < len(tokens) and longest(currencies(), tokens, at + 1)[0])
        return 1, number_read(token.text, words.language, money=money)
    used, number = number_at(tokens, at, words)
    return used, number if used else None


def _completed(tokens: Sequence[Token], at: int, number: Decimal, code: str, words: Lexicon) -> tuple[int, Amount]:
    """The number with its multiplier, currency, percent, scale or unit, and where that ends."""
    at, number = _multiplied(tokens, at, number, code)
    if code:
        used, after = longest(currencies(), tokens, at)
        return at + (used if after == code else 0), _amount(number, currency=code)
    if scaled := _scale_at(tokens, at, number):
        return scaled[0], _amount(number, scale=scaled[1])
    hyphen = 1 if at + 1 < len(tokens) and tokens[at].text == "-" and tokens[at].glued and tokens[at + 1].glued else 0
    bracket = 1 if at + 2 < len(tokens) and tokens[at].text == "(" else 0
    start = at + (hyphen or bracket)
    for tree in (currencies(), units()[0]):
        used, name = longest(tree, tokens, start)
        if used and bracket:
            used = used + 1 if start + used < len(tokens) and tokens[start + used].text == ")" else 0
        if used and tree is currencies():
            return start + used, _amount(number, currency=name)
        no_inch = used == 1 and tokens[start].text == "in" and start + 1 < len(tokens)
        if used and not (no_inch and tokens[start + 1].kind == "word"):
            return _durations(tokens, start + used, number, name)
    return at, _amount(number)


def _multiplied(tokens: Sequence[Token], at: int, number: Decimal, code: str) -> tuple[int, Decimal]:
    while at < len(tokens):
        token = tokens[at]
        large = _LARGE.get(token.text) if token.glued and (token.text == "k" or code) else None
        times = str(large) if large else token.senses.get("multiplier") if token.text != "k" else None
        if not times or (times == "100" and number > 9) or number > 10**12:
            break
        number *= Decimal(times)
        at += 1
    return at, number


def _scale_at(tokens: Sequence[Token], at: int, number: Decimal) -> tuple[int, float] | None:
    """What a rating is out of, and where that ends: "/10", "out of 5", "(out of 10)", "(de 10)"."""
    bracket = tokens[at].text == "(" if at < len(tokens) else False
    at += bracket
    for form in (*_OUT_OF, *_IN_BRACKETS) if bracket else _OUT_OF:
        end = at + len(form)
        if end < len(tokens) and tuple(token.text for token in tokens[at:end]) == form and tokens[end].text.isdigit():
            scale = int(tokens[end].text[:4])
            closed = not bracket or (end + 1 < len(tokens) and tokens[end + 1].text == ")")
            if closed and scale in _SCALES and 0 <= number <= scale:
                return end + 1 + bracket, float(scale)
    return None


def _durations(tokens: Sequence[Token], at: int, number: Decimal, unit: str) -> tuple[int, Amount]:
    """A unit, and smaller ones of time after it: "2 h 30 min" is 150 minutes."""
    while unit in SECONDS and at < len(tokens):
        start = at + (tokens[at].text in ("and", "y", ",", "con"))
        if start + 1 >= len(tokens) or tokens[start].kind != "number" or not tokens[start].text.isdigit():
            break
        used, smaller = longest(units()[0], tokens, start + 1)
        smaller = "minute" if tokens[start + 1].text == "m" else smaller
        if not used or SECONDS.get(smaller, SECONDS[unit]) >= SECONDS[unit]:
            break
        times = Decimal(SECONDS[unit]) / Decimal(SECONDS[smaller])
        number, unit, at = number * times + Decimal(tokens[start].text[:9]), smaller, start + 1 + used
    return at, _amount(number, unit=unit)


def _with_adjective(tokens: Sequence[Token], at: int, used: int, amount: Amount, words: Lexicon) -> tuple[int, Token]:
    """With what the value is of: "30 minutes long", "18 years old"."""
    end = at + used
    hint = tokens[end].senses.get("adjective") if amount.unit and end < len(tokens) else None
    return (used + 1, _token(tokens, at, used + 1, amount, hint)) if hint else (used, _token(tokens, at, used, amount))


def _amount(number: Decimal, *, currency: str = "", unit: str = "", scale: float | None = None) -> Amount:
    if unit in ("percent", "%"):
        return Amount(value=plain_number(number / 100), value_type=ValueType.PERCENT)
    if currency:
        code = None if currency == "-" else currency
        return Amount(value=plain_number(number), value_type=ValueType.MONEY, currency=code)
    return Amount(value=plain_number(number), unit=unit or None, scale=float(STARS) if unit == "star" else scale)


def alike(low: Amount, high: Amount) -> tuple[Amount, Amount] | None:
    """Both ends of a range, each with the unit that only one has: "100-150 €", "70-80 %"; None where these differ."""
    if low.value_type != high.value_type:
        plain_low, plain_high = low.value_type is ValueType.NUMBER, high.value_type is ValueType.NUMBER
        if plain_low == plain_high or (low if plain_low else high).unit:
            return None
        low, high = (_as(low, high), high) if plain_low else (low, _as(high, low))
    shared: dict[str, Any] = {}
    for name in ("unit", "currency", "scale"):
        first, second = getattr(low, name), getattr(high, name)
        if first != second and first is not None and second is not None:
            return None
        shared[name] = second if first is None else first
    low, high = low.model_copy(update=shared), high.model_copy(update=shared)
    return (low, high) if _ordered(low.value, high.value) else None


def _as(number: Amount, other: Amount) -> Amount:
    share = other.value_type is ValueType.PERCENT and isinstance(number.value, int | float)
    value = plain_number(Decimal(str(number.value)) / 100) if share else number.value
    return number.model_copy(update={"value": value, "value_type": other.value_type})


def _ordered(low: Scalar | None, high: Scalar | None) -> bool:
    if isinstance(low, str) and isinstance(high, str):
        return low <= high or len(low) == 5 or "T" not in low
    return isinstance(low, int | float) and isinstance(high, int | float) and low <= high
