"""Builders for equality with words, for sets, and for what a person has to say."""

from collections.abc import Sequence

from . import building
from .building import About, RuleMatch, is_negated, options_of, value_type_of
from .contracts import CriterionParse, Operator, ValueType
from .nouns import as_written, bare, is_bare_thing, is_small, noun_of, shown, snake
from .presence import state_of_thing
from .tokens import Token


def _about(match: RuleMatch, name: str = "left") -> About | None:
    noun = noun_of(match.tokens(name), match.words)
    if noun is None or is_bare_thing(noun):
        return None
    return About(noun.field, noun.text, snake(noun.subject) or None, every=noun.every)


def member(match: RuleMatch) -> CriterionParse | None:
    about, odd = _about(match), is_negated(match.codes("link"))
    options = options_of(match.groups["list"], and_too=True)
    if about is None or odd is None or options is None or "h" in match.codes("link"):
        return None
    outside = match.codes("in") in ("I", "N")
    doubled = match.words.language == "es" and match.codes("in") == "N"  # "no es ni A ni B" denies once
    if outside and odd and not doubled:
        return None
    if "r" in match.codes("list") and not (outside or odd):
        return None
    return _member(about, options, match, outside=outside or odd)


def _member(
    about: About, options: list[tuple[Token, ...]], match: RuleMatch, *, outside: bool
) -> CriterionParse | None:
    shown = [as_written(option) for option in options]
    if len(shown) < 2 and match.codes("in") == "E":
        return None
    operator = Operator.NOT_IN if outside else Operator.IN
    return building.member(about, operator, shown, match.words, value_type_of(match.groups["list"]))


def alternatives(match: RuleMatch) -> CriterionParse | None:
    """French or Italian; neither French nor Italian with a negation before."""
    codes = match.codes("list")
    if not ("o" in codes or "r" in codes) or "a" in codes:
        return None
    about, odd = _about(match), is_negated(match.codes("link"))
    options = options_of(match.groups["list"], and_too=False)
    if about is None or odd is None or options is None or ("r" in codes and not odd):
        return None
    return _member(about, options, match, outside=odd)


def equal_text(match: RuleMatch) -> CriterionParse | None:
    """The status is confirmed; the cuisine is not French."""
    link = match.codes("link")
    odd, value = is_negated(link), bare(match.tokens("right"))
    about = _about(match)
    if about is None or odd is None or not value or _is_taste(match, value):
        return None
    text = as_written((*value, *match.tokens("state")))
    return building.equal(about, _operator(odd), text, match.words, ValueType.TEXT)


def _operator(odd: bool) -> Operator:
    return Operator.NOT_EQUAL if odd else Operator.EQUAL


def _is_taste(match: RuleMatch, value: tuple[Token, ...]) -> bool:
    """Whether a word such as "reproducible" follows "is" and no known property: that is an opinion."""
    plain_copula = match.codes("link").strip("x") == "e" and "attribute" not in bare(match.tokens("left"))[-1].senses
    return plain_copula and match.words.ends("taste ending", value[-1].text) and value[-1].raw.islower()


def equal_state(match: RuleMatch) -> CriterionParse | None:
    """The status is confirmed; of what has no states ("payment is confirmed") that it is done."""
    about, odd = _about(match), is_negated(match.codes("link"))
    token = match.first("state")
    if token is None or odd is None:
        return None
    named = bool(match.tokens("left")) and _names_states(match)
    if about is None or not named:
        return state_of_thing(RuleMatch({**match.groups, "list": match.groups["left"]}, match.words))
    return building.equal(about, _operator(odd), token.raw, match.words, ValueType.TEXT)


def _names_states(match: RuleMatch) -> bool:
    """Whether the last word before the verb is of a property ("status"), or a sign compares."""
    signs = [token for token in match.tokens("link") if token.kind == "symbol"]
    return bool(signs) or "attribute" in bare(match.tokens("left"))[-1].senses


def truth(match: RuleMatch) -> CriterionParse | None:
    """Refundable: yes."""
    about, token = _about(match), match.first("truth")
    if about is None or token is None:
        return None
    return building.equal(about, Operator.EQUAL, "yes" in token.senses, match.words, ValueType.BOOLEAN)


def in_state(match: RuleMatch) -> CriterionParse | None:
    """The order is in state shipped."""
    value = (*bare(match.tokens("right")), *match.tokens("state"))
    odd = is_negated(match.codes("link"))
    if not value or odd is None:
        return None
    noun = noun_of(match.tokens("left"), match.words, property_of=False)
    name = match.words.names["field"]["status"]
    about = About(name, name, noun.field if noun else None)
    return building.equal(about, _operator(odd), as_written(value), match.words, ValueType.TEXT)


def located(match: RuleMatch) -> CriterionParse | None:
    """The hotel is in Paris; the report is in Spanish."""
    value, odd = bare(match.tokens("right")), is_negated(match.codes("link"))
    if not value or odd is None:
        return None
    noun = noun_of(match.tokens("left"), match.words, property_of=False)
    kind = "language" if "language" in value[-1].senses else "location"
    name = match.words.names["field"][kind]
    about = About(name, name, noun.field if noun else None)
    return building.equal(about, _operator(odd), as_written(value), match.words, ValueType.TEXT)


def spoken(match: RuleMatch) -> CriterionParse | None:
    """User confirms; the client is satisfied; the user likes it."""
    token = match.first("verdict")
    if token is None or (match.codes("verdict") == "F" and "e" not in match.codes("link")):
        return None
    what = token.senses["satisfied" if match.codes("verdict") == "F" else "verdict"]
    return _verdict(match.tokens("who"), what, match.tokens("object"), match)


def _verdict(who: Sequence[Token], what: str, about: Sequence[Token], match: RuleMatch) -> CriterionParse | None:
    people = [token for token in bare(who) if not is_small(token) and "every" not in token.senses]
    if not people or not all("user" in token.senses for token in people):
        return None
    every = any("every" in token.senses for token in who)
    person = About(snake(people), shown(people), every=every)
    return building.verdict(person, what, shown(bare(about)), match.words)


def approval(match: RuleMatch) -> CriterionParse | None:
    """User confirmation; approval from the client."""
    token = match.first("verdict")
    if token is None:
        return None
    return _verdict(match.tokens("who") or match.tokens("of"), token.senses["verdict noun"], (), match)


def passive(match: RuleMatch) -> CriterionParse | None:
    """Approved by the client; the design is approved by the client."""
    token, who = match.first("verdict"), match.tokens("who")
    if token is None or "verdict" not in token.senses or "by" not in who[0].senses:
        return None
    return _verdict(who, token.senses["verdict"], match.tokens("object"), match)
