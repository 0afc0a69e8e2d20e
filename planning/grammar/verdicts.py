"""Builders for what a person has to say."""

from collections.abc import Sequence

from .building import About, Found, verdict
from .contracts import CriterionParse
from .nouns import bare, is_small, shown, snake
from .tokens import Token


def spoken(found: Found) -> CriterionParse | None:
    """User confirms; the client is satisfied; the user likes it."""
    token = found.first("verdict")
    if token is None or (found.codes("verdict") == "F" and "e" not in found.codes("link")):
        return None
    what = token.senses["satisfied" if found.codes("verdict") == "F" else "verdict"]
    return _verdict(found.tokens("who"), what, found.tokens("object"), found)


def _verdict(who: Sequence[Token], what: str, about: Sequence[Token], found: Found) -> CriterionParse | None:
    people = [token for token in bare(who) if not is_small(token) and "every" not in token.senses]
    if not people or not all("user" in token.senses for token in people):
        return None
    every = any("every" in token.senses for token in who)
    person = About(snake(people), shown(people), every=every)
    return verdict(person, what, shown(bare(about)), found.words)


def noun(found: Found) -> CriterionParse | None:
    """User confirmation; approval from the client."""
    token = found.first("verdict")
    if token is None:
        return None
    return _verdict(found.tokens("who") or found.tokens("of"), token.senses["verdict noun"], (), found)


def passive(found: Found) -> CriterionParse | None:
    """Approved by the client; the design is approved by the client."""
    token, who = found.first("verdict"), found.tokens("who")
    if token is None or "verdict" not in token.senses or "by" not in who[0].senses:
        return None
    return _verdict(who, token.senses["verdict"], found.tokens("object"), found)
