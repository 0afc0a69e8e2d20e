"""Builders for equality with words, and for sets."""

from typing import Final

from . import building
from .building import About, Found
from .contracts import CriterionParse, Operator, ValueType
from .lists import options_of, value_type_of
from .nouns import as_written, bare, is_bare_thing, noun_of, snake
from .presence import stands
from .tokens import Token

_NEGATIVE: Final = frozenset("xQ")


def _about(found: Found, name: str = "left") -> About | None:
    noun = noun_of(found.tokens(name), found.words)
    if noun is None or is_bare_thing(noun):
        return None
    return About(noun.field, noun.text, snake(noun.subject) or None, every=noun.every)


def _negated(link: str) -> bool | None:
    """Whether an odd number of words negate; None where two do."""
    count = sum(code in _NEGATIVE for code in link)
    return None if count > 1 else count == 1


def member(found: Found) -> CriterionParse | None:
    """One of a set, or none of it."""
    about, odd = _about(found), _negated(found.codes("link"))
    options = options_of(found.groups["list"], and_too=True)
    if about is None or odd is None or options is None or "h" in found.codes("link"):
        return None
    outside = found.codes("in") in ("I", "N")
    doubled = found.words.language == "es" and found.codes("in") == "N"  # "no es ni A ni B" denies once
    if outside and odd and not doubled:
        return None
    if "r" in found.codes("list") and not (outside or odd):
        return None
    return _member(about, options, found, outside=outside or odd)


def _member(about: About, options: list[tuple[Token, ...]], found: Found, *, outside: bool) -> CriterionParse | None:
    shown = [as_written(option) for option in options]
    if len(shown) < 2 and found.codes("in") == "E":
        return None
    operator = Operator.NOT_IN if outside else Operator.IN
    return building.member(about, operator, shown, found.words, value_type_of(found.groups["list"]))


def alternatives(found: Found) -> CriterionParse | None:
    """French or Italian; neither French nor Italian with a negation before."""
    codes = found.codes("list")
    if not ("o" in codes or "r" in codes) or "a" in codes:
        return None
    about, odd = _about(found), _negated(found.codes("link"))
    options = options_of(found.groups["list"], and_too=False)
    if about is None or odd is None or options is None or ("r" in codes and not odd):
        return None
    return _member(about, options, found, outside=odd)


def equal_text(found: Found) -> CriterionParse | None:
    """The status is confirmed; the cuisine is not French."""
    link = found.codes("link")
    odd, value = _negated(link), bare(found.tokens("right"))
    about = _about(found)
    if about is None or odd is None or not value or _is_taste(found, value):
        return None
    text = as_written((*value, *found.tokens("state")))
    return building.equal(about, _operator(odd), text, found.words, ValueType.TEXT)


def _operator(odd: bool) -> Operator:
    return Operator.NOT_EQUAL if odd else Operator.EQUAL


def _is_taste(found: Found, value: tuple[Token, ...]) -> bool:
    """Whether "is" is said of no known property, with a word such as "reproducible": that is an opinion."""
    said = found.codes("link").strip("x") == "e" and "attribute" not in bare(found.tokens("left"))[-1].senses
    return said and found.words.ends("taste ending", value[-1].text) and value[-1].raw.islower()


def equal_state(found: Found) -> CriterionParse | None:
    """The status is confirmed; of what has no states ("payment is confirmed") that it is done."""
    about, odd = _about(found), _negated(found.codes("link"))
    token = found.first("state")
    if token is None or odd is None:
        return None
    named = bool(found.tokens("left")) and _names_states(found)
    if about is None or not named:
        return stands(Found({**found.groups, "list": found.groups["left"]}, found.words))
    return building.equal(about, _operator(odd), token.raw, found.words, ValueType.TEXT)


def _names_states(found: Found) -> bool:
    """Whether the last word before the verb is of a property ("status"), or a sign compares."""
    signs = [token for token in found.tokens("link") if token.kind == "symbol"]
    return bool(signs) or "attribute" in bare(found.tokens("left"))[-1].senses


def truth(found: Found) -> CriterionParse | None:
    """Refundable: yes."""
    about, token = _about(found), found.first("truth")
    if about is None or token is None:
        return None
    return building.equal(about, Operator.EQUAL, "yes" in token.senses, found.words, ValueType.BOOLEAN)


def in_state(found: Found) -> CriterionParse | None:
    """The order is in state shipped."""
    value = (*bare(found.tokens("right")), *found.tokens("state"))
    odd = _negated(found.codes("link"))
    if not value or odd is None:
        return None
    noun = noun_of(found.tokens("left"), found.words, property_of=False)
    name = found.words.names["field"]["status"]
    about = About(name, name, noun.field if noun else None)
    return building.equal(about, _operator(odd), as_written(value), found.words, ValueType.TEXT)


def located(found: Found) -> CriterionParse | None:
    """The hotel is in Paris; the report is in Spanish."""
    value, odd = bare(found.tokens("right")), _negated(found.codes("link"))
    if not value or odd is None:
        return None
    noun = noun_of(found.tokens("left"), found.words, property_of=False)
    kind = "language" if "language" in value[-1].senses else "location"
    name = found.words.names["field"][kind]
    about = About(name, name, noun.field if noun else None)
    return building.equal(about, _operator(odd), as_written(value), found.words, ValueType.TEXT)
