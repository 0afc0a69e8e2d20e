"""Builders for presence and absence."""

from collections.abc import Sequence
from typing import Final

from .building import About, Found, joined_by_or, there
from .contracts import CriterionParse
from .lists import joins, options_of
from .nouns import Noun, bare, is_bare_thing, is_small, is_thing, noun_of, shown, snake
from .tokens import Token

_FREE: Final = "-free"


def has(found: Found) -> CriterionParse | None:
    """Hotel has pool; hotel does not have a casino; resort has beginner/intermediate slopes."""
    negations = found.codes("link").count("x") + bool(found.groups.get("no"))
    doubled = found.words.language == "es" and found.codes("no") in ("K", "N")  # "no tiene ningún error" denies once
    if negations > 1 + doubled:
        return None
    return there_of(found, absent=negations > 0)


def none(found: Found) -> CriterionParse | None:
    """No layovers; without nuts; neither alcohol nor pork."""
    if found.codes("no") == "zK" and found.words.language != "es":
        return None  # "without no nuts"
    if found.codes("no") == "N" and "r" not in found.codes("list"):
        return None
    return there_of(found, absent=True)


def there_of(found: Found, *, absent: bool) -> CriterionParse | None:
    """Presence or absence of what the group `list` names."""
    chunks = found.groups["list"]
    options = options_of(chunks, and_too=False)
    between = joins(chunks)
    if options is None or any(chunk.code == "v" for chunk in chunks) or ("r" in between and not absent):
        return None
    if any(_is_verdict(option) for option in options):
        return None
    if between and "o" not in between and "r" not in between:
        return None
    subject = noun_of(found.tokens("left"), found.words, property_of=False) if found.groups.get("left") else None
    if subject and len(subject.words) > 1 and {"state", "measure"} & subject.words[-1].senses.keys():
        return None  # "deployment completed without errors" asks for two things
    every = bool(subject and subject.every) or any("every" in token.senses for token in found.tokens("list"))
    done = [token for chunk in found.groups.get("done", ()) if chunk.code == "y" for token in chunk.tokens]
    about, names, state = _named(options, done, found)
    about = About(about.field, about.text, snake(subject.words) if subject else None, every=every)
    return there(about, found.words, absent=absent, options=names, state=state)


def _is_verdict(tokens: Sequence[Token]) -> bool:
    """Whether somebody says something: "user confirms" is nothing to be there or not."""
    return "user" in tokens[0].senses and "verdict" in tokens[-1].senses


def _named(
    options: Sequence[tuple[Token, ...]], done: Sequence[Token], found: Found
) -> tuple[About, list[str], str | None]:
    """What must be there, its alternatives, and the state that it must be in."""
    options = [_words(option) for option in options]
    if len(options) == 1:
        words = (*options[0], *done)
        return About(snake(words), shown(words)), [], done[-1].raw.lower() if done else None
    head = _head(options, found)
    names = [shown((*option, *head)) if at < len(options) - 1 else shown(option) for at, option in enumerate(options)]
    field = snake(head) or "_or_".join(snake(option) for option in options)
    if found.words.language == "es":
        head = _spanish_head(options)
        names = [shown(option) if not at else shown((*head, *option)) for at, option in enumerate(options)]
        field = snake(head) or "_o_".join(snake(option) for option in options)
    return About(field, joined_by_or([shown(option) for option in options], found.words)), names, None


def _words(tokens: Sequence[Token]) -> tuple[Token, ...]:
    return bare([token for token in tokens if "every" not in token.senses])


def _head(options: Sequence[tuple[Token, ...]], found: Found) -> tuple[Token, ...]:
    """The noun that only the last alternative has: "slopes" of "beginner or intermediate slopes"."""
    last = options[-1]
    alone = all(len(option) == 1 and not _stands_alone(option[0]) for option in options[:-1])
    return last[-1:] if alone and len(last) == 2 else ()


def _stands_alone(token: Token) -> bool:
    return bool({"amenity", "thing", "user"} & token.senses.keys())


def _spanish_head(options: Sequence[tuple[Token, ...]]) -> tuple[Token, ...]:
    """The noun that only the first alternative has: "pistas" of "pistas verdes o azules"."""
    first = options[0]
    alone = all(len(option) == 1 and not _stands_alone(option[0]) for option in options[1:])
    return first[:1] if alone and len(first) == 2 and not is_small(first[1]) else ()


def stands(found: Found) -> CriterionParse | None:
    """Breakfast is included; email sent; pets not allowed."""
    link, state = found.codes("link"), found.groups["state"][0]
    missing = link.count("x") + (state.code == "S")
    if missing > 1 or link.count("h") > 1:
        return None
    noun = noun_of(found.tokens("list"), found.words, property_of=False)
    tail = found.tokens("tail")
    if noun is None or _is_about_somebody(tail):
        return None
    words: tuple[Token, ...] = noun.words
    shown_state = None
    if state.code == "y":
        words = (*words, state.token, *tail)
        shown_state = state.token.raw.lower()
    about = About(snake(words), shown(words), every=noun.every)
    return there(about, found.words, absent=missing == 1, state=shown_state)


def _is_about_somebody(tail: Sequence[Token]) -> bool:
    """Whether what follows is a person who did it: that is a verdict, or nothing that we can tell."""
    return bool(tail) and "by" in tail[0].senses and any("user" in token.senses for token in tail)


def such(found: Found) -> CriterionParse | None:
    """The flight is direct; the meal is gluten-free. What only taste decides is not understood."""
    noun = noun_of(found.tokens("left"), found.words, property_of=False)
    words = bare(found.tokens("such"))
    if (
        found.codes("link").count("x") > 1
        or not words
        or (noun is None and "m" not in found.codes("link"))
        or (noun and not is_bare_thing(noun))
    ):
        return None
    return _such(noun, words, found)


def _such(noun: Noun | None, words: Sequence[Token], found: Found) -> CriterionParse | None:
    subject, every = (snake(noun.words), noun.every) if noun else (None, False)
    absent = "x" in found.codes("link")
    if len(words) == 1 and (content := _free_of(words[0], found)):
        about = About(content, content.replace("_", " "), subject, every=every)
        return None if absent else there(about, found.words, absent=True)
    if not _is_checkable(words, found):
        return None
    return there(About(snake(words), shown(words), subject, every=every), found.words, absent=absent)


def _is_checkable(words: Sequence[Token], found: Found) -> bool:
    """Whether an adjective is one that a result can have."""
    text = " ".join(token.text for token in words)
    if found.words.has("checkable", text) or found.words.has("state", text):
        return True
    return len(words) == 1 and found.words.ends("checkable ending", text)


def _free_of(token: Token, found: Found) -> str | None:
    """What a word such as "gluten-free" says is not there."""
    content = token.text.removesuffix(_FREE)
    return content if content != token.text and found.words.has("contents", content) else None


def named(found: Found) -> CriterionParse | None:
    """A name alone: "free cancellation", "gluten-free". Only of what the lexicon lists as something to be there."""
    options = options_of(found.groups["list"], and_too=False)
    if options is None or any(chunk.code == "v" for chunk in found.groups["list"]):
        return None
    if len(options) == 1 and len(options[0]) == 1 and (content := _free_of(options[0][0], found)):
        return there(About(content, content.replace("_", " ")), found.words, absent=True)
    if len(options) == 1 and found.words.has("checkable", " ".join(token.text for token in options[0])):
        return there_of(found, absent=False)
    if not all(_is_amenity(option, found) for option in options):
        return _such_thing(options[0], found) if len(options) == 1 else None
    return there_of(found, absent=False)


def _such_thing(tokens: tuple[Token, ...], found: Found) -> CriterionParse | None:
    """A direct flight, un vuelo directo: as "the flight is direct"."""
    if len(tokens) < 2:
        return None
    thing, words = (tokens[:1], tokens[1:]) if found.words.language == "es" else (tokens[-1:], tokens[:-1])
    noun = noun_of(thing, found.words)
    return _such(noun, words, found) if noun and is_thing(thing[0]) else None


def _is_amenity(tokens: Sequence[Token], found: Found) -> bool:
    """Whether the phrase's noun is listed: its last word in English, its first in Spanish."""
    words = [token for token in tokens if not is_small(token)]
    if not words or any("user" in token.senses for token in words) or len(words) > 4:
        return False
    return "amenity" in (words[0] if found.words.language == "es" else words[-1]).senses
