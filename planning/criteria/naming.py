"""What a comparison is about, from the phrases before and after its value."""

from dataclasses import replace
from typing import Final

from .building import About, RuleMatch
from .contracts import Amount, ValueType
from .lexicon import Lexicon
from .nouns import Noun, bare, is_bare_thing, is_small, noun_of, shown, snake
from .tokens import Token
from .units import unit_dimension

_PER: Final = frozenset({"per", "each", "every", "por", "cada", "/", "a la", "al", "la"})
_TO: Final = {"en": "to", "es": "a"}
_NAMES_SIZE: Final = frozenset({"capacity", "capacidad", "servings", "raciones"})
"""Measures of how many: what is counted after them adds nothing ("sleeps 4 people")."""
_PLURALS: Final = frozenset({"people", "children", "men", "women", "gente"})
"""Things in the plural that do not end in "s"."""
_PER_WORD: Final = {"en": "per", "es": "por"}


def about_of(match: RuleMatch, amount: Amount, *, hint: str | None = None, within: bool = False) -> About | None:
    """What is compared, of the groups `topic`, `left`, `mid`, `link` and `tail`; None where nothing is named.

    `hint`: the field that the comparison itself names ("cheaper than" is of prices). `within`: a distance or a time to
    what comes after the value ("within 30 minutes of the airport").
    """
    words = match.words
    left, mid = _noun(match, "left"), _noun(match, "mid")
    topic = noun_of(match.tokens("topic"), words, property_of=False)
    says_nothing = {"tail filler", "adjective"}  # "in total"
    tail = tuple(token for token in match.tokens("tail") if says_nothing.isdisjoint(token.senses))
    measure = next((token.senses["measure"] for token in match.tokens("link") if _measures(match, token)), None)
    subject = snake(left.words) if left else None
    value_hint = match.tokens("value")[0].hint if match.tokens("value") else None
    counted = bool(tail) and not is_small(tail[0]) and _is_plain(amount)
    if measure and not (counted and not _NAMES_SIZE & {measure}):
        return _completed(About(snake_text(measure), measure, _subject(left)), tail, amount, words)
    if mid and left and is_bare_thing(mid):
        whole = Noun((*left.words, *match.tokens("link"), *mid.words))  # "appointment with the doctor"
        return _unnamed(whole, value_hint or hint, tail, amount, words, within=within, every=left.every)
    if mid:
        return _completed(_about(mid, subject or _subject(mid)), tail, amount, words)
    sold = amount.value_type is ValueType.MONEY and bool(left) and match.tokens("left")[-1].text in ("for", "por")
    if left and not sold and not is_bare_thing(left):  # "a bottle of wine for less than $15" is of its price
        subject = _subject(left) or (snake(topic.words) if topic else None)
        return _completed(_about(left, subject), tail, amount, words)
    every = bool(left and left.every)
    return _unnamed(left or topic, value_hint or hint, tail, amount, words, within=within, every=every)


def _is_plain(amount: Amount) -> bool:
    return amount.value_type is ValueType.NUMBER and amount.unit is None and amount.scale is None


def _measures(match: RuleMatch, token: Token) -> bool:
    chunks = match.groups.get("link", ())
    return any(chunk.code == "G" and token in chunk.tokens for chunk in chunks)


def _noun(match: RuleMatch, name: str) -> Noun | None:
    tokens = match.tokens(name)
    return noun_of(tokens, match.words) if tokens else None


def snake_text(text: str) -> str:
    return text.replace(" ", "_")


def _subject(noun: Noun | None) -> str | None:
    if noun is None:
        return None
    return snake(noun.subject) if noun.subject else (snake(noun.words) if is_bare_thing(noun) else None)


def _about(noun: Noun, subject: str | None) -> About:
    return About(noun.field, noun.text, subject, count=noun.count, every=noun.every)


def _is_per(token: Token, words: Lexicon) -> bool:
    """Whether a word after a value begins what it is counted by: "per night", "a day"."""
    return token.text in _PER or (words.language == "en" and token.text in ("a", "an"))


def _completed(about: About, tail: tuple[Token, ...], amount: Amount, words: Lexicon) -> About | None:
    """The name with what the tail adds: "price" and "per night". A counted noun adds nothing; else None."""
    if not tail:
        return about
    if _is_per(tail[0], words):
        return _extended(about, tail, words)
    if not is_small(tail[0]) and "article" not in tail[0].senses:
        return about if len(bare(tail)) <= 2 and not any(is_small(token) for token in tail) else None
    if unit_dimension(amount.unit or "") == "length" and "reference" in tail[0].senses:
        return _extended(about, tail, words)
    return None


def _extended(about: About, tail: tuple[Token, ...], words: Lexicon) -> About | None:
    """Name and tail together: "price_per_night", "distance_to_beach"."""
    rest = bare(tail)
    if not rest:
        return None
    lead = (_PER_WORD if _is_per(tail[0], words) else _TO)[words.language]
    field, text = f"{about.field}_{lead}_{snake(rest)}", f"{about.text} {lead} {shown(rest)}"
    return replace(about, field=field, text=text)


def _unnamed(
    thing: Noun | None,
    hint: str | None,
    tail: tuple[Token, ...],
    amount: Amount,
    words: Lexicon,
    *,
    within: bool,
    every: bool,
) -> About | None:
    """Where nothing before the value names what is compared: the tail does, or the kind of value."""
    subject = snake(thing.words) if thing else None
    default = hint or default_field(amount, words)
    refers = bool(tail) and "reference" in tail[0].senses and _is_reference(tail, amount, words, within=within)
    if default and tail and amount.unit == "star" and (of := noun_of(tail, words)) and is_bare_thing(of):
        return About(default, default, snake(of.words), every=every)  # "4-star hotel"
    if tail and not refers and not _is_per(tail[0], words):
        noun = noun_of(tail, words)
        if noun is None:
            return None
        if "verdict" in noun.words[-1].senses and any("user" in token.senses for token in noun.subject):
            return None  # "at least one teacher approves"
        counted = _is_plain(amount)
        return About(noun.field, noun.text, subject or snake(noun.subject) or None, count=counted, every=every)
    if default:
        about = About(snake_text(default), default, subject, every=every)
        return _extended(about, tail, words) if tail else about
    if thing and not tail and _is_counted(thing, amount):
        return About(thing.field, thing.text, None, count=True, every=every)
    return None


def _is_reference(tail: tuple[Token, ...], amount: Amount, words: Lexicon, *, within: bool) -> bool:
    """Whether a distance or a time is meant to what follows: "of the beach", "from the airport"."""
    dimension = unit_dimension(amount.unit or "")
    if dimension == "length":
        return True
    return dimension == "time" and (within or tail[0].text not in ("of", "de"))


def _is_counted(thing: Noun, amount: Amount) -> bool:
    """Whether the things themselves are counted: "rooms >= 2"."""
    last = thing.words[-1].text
    return _is_plain(amount) and (last.endswith("s") or last in _PLURALS)


def default_field(amount: Amount, words: Lexicon) -> str | None:
    """The field of a value where none is named: money is a price, kilometres are a distance."""
    names = words.names.get("field", {})
    if amount.unit:
        return names.get(amount.unit) or names.get(unit_dimension(amount.unit))
    by_type = {ValueType.MONEY: "money", ValueType.DATE: "date", ValueType.TIME: "clock"}
    return names.get(by_type.get(amount.value_type, ""))
