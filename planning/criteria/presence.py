"""Builders for presence and absence."""

from collections.abc import Sequence
from typing import Final

from .building import About, RuleMatch, joined_by_or, joins_of, options_of, there
from .contracts import CriterionParse
from .nouns import Noun, bare, is_bare_thing, is_small, is_thing, noun_of, shown, snake
from .tokens import Token

_FREE: Final = "-free"


def has(match: RuleMatch) -> CriterionParse | None:
    """Hotel has pool; hotel does not have a casino; resort has beginner/intermediate slopes."""
    negations = match.codes("link").count("x") + bool(match.groups.get("no"))
    doubled = match.words.language == "es" and match.codes("no") in ("K", "N")  # "no tiene ningún error" denies once
    if negations > 1 + doubled:
        return None
    return there_of(match, absent=negations > 0)


def none(match: RuleMatch) -> CriterionParse | None:
    """No layovers; without nuts; neither alcohol nor pork."""
    if match.codes("no") == "zK" and match.words.language != "es":
        return None  # "without no nuts"
    if match.codes("no") == "N" and "r" not in match.codes("list"):
        return None
    return there_of(match, absent=True)


def there_of(match: RuleMatch, *, absent: bool) -> CriterionParse | None:
    """Presence or absence of what the group `list` names."""
    chunks = match.groups["list"]
    options = options_of(chunks, and_too=False)
    between = joins_of(chunks)
    if options is None or any(chunk.code == "v" for chunk in chunks) or ("r" in between and not absent):
        return None
    if any("user" in option[0].senses and "verdict" in option[-1].senses for option in options):
        return None  # "user confirms" is nothing to be there or not
    if between and "o" not in between and "r" not in between:
        return None
    subject = noun_of(match.tokens("left"), match.words, property_of=False) if match.groups.get("left") else None
    if subject and len(subject.words) > 1 and {"state", "measure"} & subject.words[-1].senses.keys():
        return None  # "deployment completed without errors" asks for two things
    every = bool(subject and subject.every) or any("every" in token.senses for token in match.tokens("list"))
    done = [token for chunk in match.groups.get("done", ()) if chunk.code == "y" for token in chunk.tokens]
    about, names, state = _named(options, done, match)
    about = About(about.field, about.text, snake(subject.words) if subject else None, every=every)
    return there(about, match.words, absent=absent, options=names, state=state)


def _named(
    options: Sequence[tuple[Token, ...]], done: Sequence[Token], match: RuleMatch
) -> tuple[About, list[str], str | None]:
    """What must be there, its alternatives, and the state that it must be in."""
    options = [bare([token for token in option if "every" not in token.senses]) for option in options]
    if len(options) == 1:
        words = (*options[0], *done)
        return About(snake(words), shown(words)), [], done[-1].raw.lower() if done else None
    if match.words.language == "es":
        noun, field_joint = _shared_noun(options[0], options[1:], 0), "_o_"
        names = [shown(options[0]), *(shown((*noun, *option)) for option in options[1:])]
    else:
        noun, field_joint = _shared_noun(options[-1], options[:-1], -1), "_or_"
        names = [*(shown((*option, *noun)) for option in options[:-1]), shown(options[-1])]
    field = snake(noun) or field_joint.join(snake(option) for option in options)
    return About(field, joined_by_or([shown(option) for option in options], match.words)), names, None


def _shared_noun(phrase: tuple[Token, ...], others: Sequence[tuple[Token, ...]], place: int) -> tuple[Token, ...]:
    """The noun of one alternative that the others leave out: "slopes" of "beginner or intermediate slopes"."""
    nouns = {"amenity", "thing", "user"}
    left_out = all(len(option) == 1 and nouns.isdisjoint(option[0].senses) for option in others)
    return (phrase[place],) if left_out and len(phrase) == 2 and not is_small(phrase[-1]) else ()


def state_of_thing(match: RuleMatch) -> CriterionParse | None:
    """Breakfast is included; email sent; pets not allowed."""
    link, state = match.codes("link"), match.groups["state"][0]
    missing = link.count("x") + (state.code == "S")
    if missing > 1 or link.count("h") > 1:
        return None
    noun = noun_of(match.tokens("list"), match.words, property_of=False)
    tail = match.tokens("tail")
    by_user = bool(tail) and "by" in tail[0].senses and any("user" in token.senses for token in tail)
    if noun is None or by_user:  # a verdict, or nothing that the rules can read
        return None
    words: tuple[Token, ...] = noun.words
    shown_state = None
    if state.code == "y":
        words = (*words, state.token, *tail)
        shown_state = state.token.raw.lower()
    about = About(snake(words), shown(words), every=noun.every)
    return there(about, match.words, absent=missing == 1, state=shown_state)


def such(match: RuleMatch) -> CriterionParse | None:
    """The flight is direct; the meal is gluten-free. What only taste decides is not understood."""
    noun = noun_of(match.tokens("left"), match.words, property_of=False)
    words = bare(match.tokens("such"))
    if (
        match.codes("link").count("x") > 1
        or not words
        or (noun is None and "m" not in match.codes("link"))
        or (noun and not is_bare_thing(noun))
    ):
        return None
    return _such(noun, words, match)


def _such(noun: Noun | None, words: Sequence[Token], match: RuleMatch) -> CriterionParse | None:
    subject, every = (snake(noun.words), noun.every) if noun else (None, False)
    absent = "x" in match.codes("link")
    if len(words) == 1 and (content := _free_of(words[0], match)):
        about = About(content, content.replace("_", " "), subject, every=every)
        return None if absent else there(about, match.words, absent=True)
    if not _is_checkable(words, match):
        return None
    return there(About(snake(words), shown(words), subject, every=every), match.words, absent=absent)


def _is_checkable(words: Sequence[Token], match: RuleMatch) -> bool:
    """Whether an adjective is one that a result can have."""
    text = " ".join(token.text for token in words)
    if match.words.has("checkable", text) or match.words.has("state", text):
        return True
    return len(words) == 1 and match.words.ends("checkable ending", text)


def _free_of(token: Token, match: RuleMatch) -> str | None:
    """The thing that a word such as "gluten-free" excludes; None for another word."""
    content = token.text.removesuffix(_FREE)
    return content if content != token.text and match.words.has("contents", content) else None


def named(match: RuleMatch) -> CriterionParse | None:
    """A name alone: "free cancellation", "gluten-free". Only of what the lexicon lists as something to be there."""
    options = options_of(match.groups["list"], and_too=False)
    if options is None or any(chunk.code == "v" for chunk in match.groups["list"]):
        return None
    if len(options) == 1 and len(options[0]) == 1 and (content := _free_of(options[0][0], match)):
        return there(About(content, content.replace("_", " ")), match.words, absent=True)
    if len(options) == 1 and match.words.has("checkable", " ".join(token.text for token in options[0])):
        return there_of(match, absent=False)
    if not all(_is_amenity(option, match) for option in options):
        return _such_thing(options[0], match) if len(options) == 1 else None
    return there_of(match, absent=False)


def _such_thing(tokens: tuple[Token, ...], match: RuleMatch) -> CriterionParse | None:
    """A direct flight, un vuelo directo: as "the flight is direct"."""
    if len(tokens) < 2:
        return None
    thing, words = (tokens[:1], tokens[1:]) if match.words.language == "es" else (tokens[-1:], tokens[:-1])
    noun = noun_of(thing, match.words)
    return _such(noun, words, match) if noun and is_thing(thing[0]) else None


def _is_amenity(tokens: Sequence[Token], match: RuleMatch) -> bool:
    """Whether the phrase's noun is listed: its last word in English, its first in Spanish."""
    words = [token for token in tokens if not is_small(token)]
    if not words or any("user" in token.senses for token in words) or len(words) > 4:
        return False
    return "amenity" in (words[0] if match.words.language == "es" else words[-1]).senses
