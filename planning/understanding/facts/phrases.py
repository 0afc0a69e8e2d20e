"""The rest of a task, word by word: what is to be done, with what, and what it is like; then what is not wanted."""

from dataclasses import replace
from itertools import pairwise, takewhile
from typing import Final

from language.stems import stem

from .items import AMOUNT, DATE, DURATION, NAME, NEGATION, OBJECT, PLACE, QUALITY, QUANTITY, VERB, WORD, Item, Reading
from .words import Words, longest, word_set

_SCOPE_ENDS: Final = frozenset({".", ";", ":", "!", "?", ","})
_ROLES: Final = ("near", "from", "to", "via", "before", "after", "with", "for", "about", "in", "of")
_ARTICLES: Final = word_set("phrases_articles")
# Articles and the like before a word make it a thing: the delay, un retraso.
_NAMING: Final = {"en": word_set("phrases_naming_en"), "es": word_set("phrases_naming_es")}
_PARTICLES: Final = frozenset({"in", "on", "over", "back", "away"})
_UNSCOPED: Final = frozenset({DATE, AMOUNT, DURATION, QUANTITY, PLACE})
_WHOLE_WITHIN: Final = 6
"""Words before a "but" that are searched for "all" and the like."""
SCOPE_AT_MOST: Final = 4
"""Words that one negation is about."""


def words_read(reading: Reading, words: Words) -> None:
    """Take verbs, objects, qualities and unknown words, in this order of what a word may be."""
    place = 0
    while place < len(reading.tokens):
        place += _word_at(reading, words, place) if not reading.used[place] else 1


def _word_at(reading: Reading, words: Words, place: int) -> int:
    """Take what begins there, and return how many tokens it was, taken or passed over."""
    tokens, language = reading.tokens, reading.language
    negating = max(longest(words.grammar[name], tokens, place)[1] for name in ("without", "not"))
    filler = longest(words.fillers, tokens, place)[1]
    verb, verb_length = longest(words.verbs, tokens, place)
    thing, thing_length = words.object_at(tokens, place, language)
    quality, quality_length = longest(words.qualities, tokens, place)
    most = max(verb_length, thing_length, quality_length)
    if negating >= most and negating >= filler and negating:
        return negating
    if _is_particle(reading, words, place):
        return _unknown(reading, place)
    if filler > max(most, 1) or (filler and not most):
        return filler
    if not most or (
        most == verb_length == 1 and not (thing or quality) and reading.fold(place - 1) in _NAMING[language]
    ):
        return _unknown(reading, place)
    is_doing = thing_length == most and reading.fold(place).endswith("ing")
    if (
        verb_length == most
        and not is_doing
        and (most > 1 or _is_verb_place(reading, words, place) or not (thing or quality))
    ):
        kind, value = VERB, verb
    elif thing_length == most:
        kind, value = OBJECT, thing
    elif quality_length == most:
        kind, value = QUALITY, quality
    else:
        kind, value = VERB, verb
    if filler >= most and not (kind == VERB and _is_verb_place(reading, words, place)):
        return filler
    last = place + most
    if not reading.is_free(place, last):
        return _unknown(reading, place)
    reading.take(Item(kind, value, place, last))
    return most


def _is_particle(reading: Reading, words: Words, place: int) -> bool:
    """Log in, check in for a flight: the word goes with the verb before it, and no thing follows that it is in."""
    if reading.fold(place) not in _PARTICLES or not any(i.kind == VERB and i.last == place for i in reading.items):
        return False
    after = (reading.fold(place + 1),)
    return after[0] == "" or not after[0].isalnum() or any(after in words.grammar[name] for name in _ROLES)


def _is_verb_place(reading: Reading, words: Words, place: int) -> bool:
    """Where an order begins, or after what goes before a verb."""
    before = place - 1
    while before >= 0 and not reading.used[before] and (reading.fold(before),) in words.fillers:
        if (reading.fold(before),) in words.grammar["before_verbs"]:
            return True
        if (reading.fold(before),) in words.grammar["determiners"]:
            return False
        before -= 1
    return before < 0 or (reading.fold(before),) in words.grammar["before_verbs"]


def _unknown(reading: Reading, place: int) -> int:
    token = reading.tokens[place]
    if token.kind == "sign" and not token.fold.isalnum() and token.fold not in "+#%@<>=&":
        return 1
    if token.kind == "sign" and token.fold in {"&", "<", ">", "="}:
        return 1
    reading.take(Item(WORD, stem(token.fold, reading.language), place, place + 1))
    return 1


def roles_read(reading: Reading, words: Words) -> None:
    """Give each item the preposition that joins it to the rest."""
    reading.items.sort(key=lambda item: item.first)
    items: list[Item] = []
    for item in reading.items:
        role, intro = (item.role, item.begins) if item.role else _role(reading, words, item)
        joined = bool(items) and _is_joined(reading, words, items[-1].last, item.first)
        if joined and not role and items[-1].role:
            role = items[-1].role
        items.append(replace(item, role=role, intro=intro, joined=joined))
    reading.items = _from_and_to(reading, items) if reading.language == "es" else items


def _from_and_to(reading: Reading, items: list[Item]) -> list[Item]:
    """De Madrid a Roma: the first place is the origin."""
    directed = list(items)
    for number, (item, after) in enumerate(pairwise(items)):
        named = item.kind == after.kind and item.kind in {PLACE, NAME, DATE}
        if named and item.role in {"of", ""} and reading.fold(item.first - 1) in {"de", "del"} and after.role == "to":
            directed[number] = replace(item, role="from")
    return directed


def _is_done_to(reading: Reading, verb: Item, thing: Item) -> bool:
    """Whether only words that the thing goes with stand between: make a hotel reservation."""
    between = [item for item in reading.items if verb.last <= item.first < thing.first]
    gaps = [reading.fold(place) for place in range(verb.last, thing.first) if not reading.used[place]]
    return thing.first > verb.first and len(between) < 3 and all(gap in _ARTICLES for gap in gaps)


def nominal_read(reading: Reading, words: Words) -> None:
    """Replace "make a reservation" by "book": the verb comes from the thing that is made."""
    verbs = [item for item in reading.items if item.kind == VERB]
    objects = [item for item in reading.items if item.kind == OBJECT]
    made = [item for item in objects if verbs and (verbs[0].value, item.value) in words.nominal]
    if made and _is_done_to(reading, verbs[0], made[0]):
        verb = replace(verbs[0], value=words.nominal[verbs[0].value, made[0].value])
        reading.items = [verb if item is verbs[0] else item for item in reading.items if item is not made[0]]
    reading.items.sort(key=lambda item: item.first)
    for place, item in enumerate(reading.items):
        if item.kind == VERB:
            things = _things_of(reading, place)
            means = (words.contexts.get((item.value, thing.value)) for thing in things)
            reading.items[place] = replace(item, value=next(filter(None, means), item.value))


def _things_of(reading: Reading, place: int) -> list[Item]:
    """The objects of the verb at a place: those without a preposition, else the first that has one."""
    following = list(takewhile(lambda other: other.kind != VERB, reading.items[place + 1 :]))
    direct = list(takewhile(lambda other: not other.role, following))
    return [item for item in direct or following[:1] if item.kind == OBJECT]


def _role(reading: Reading, words: Words, item: Item) -> tuple[str, int]:
    """The preposition before the item, over articles and over what the thing is like."""
    at = item.first
    while at > 0 and not reading.used[at - 1] and (reading.fold(at - 1),) in words.grammar["determiners"]:
        if any((reading.fold(at - 1),) in words.grammar[name] for name in _ROLES):
            break
        at -= 1
    for length in (3, 2, 1):
        start = at - length
        if start < 0 or any(reading.used[start:at]):
            continue
        words_before = tuple(reading.fold(place) for place in range(start, at))
        for name in _ROLES:
            if words_before in words.grammar[name] and not (item.kind == VERB and name == "to"):
                return name, start
    return "", at


def _is_joined(reading: Reading, words: Words, end: int, first: int) -> bool:
    between = [reading.fold(place) for place in range(end, first)]
    joins = [fold for fold in between if (fold,) in words.grammar["joins"] or fold == ","]
    rest = [fold for fold in between if fold not in joins and (fold,) not in words.grammar["determiners"]]
    return bool(joins) and not rest


def negations_read(reading: Reading, words: Words) -> None:
    """Turn what is not wanted into negations: "without breakfast", "no advanced slopes", "sugar-free", "do not go"."""
    reading.items.sort(key=lambda item: item.first)
    place = 0
    while place < len(reading.tokens):
        length, verbal = (0, False) if reading.used[place] else _negator(reading, words, place)
        if length:
            _negate(reading, words, place, place + length, verbal=verbal)
        place += length or 1
    _free_of(reading)
    reading.items.sort(key=lambda item: item.first)


def _negator(reading: Reading, words: Words, place: int) -> tuple[int, bool]:
    """How many tokens say no there, and whether they say it of a verb."""
    without = longest(words.grammar["without"], reading.tokens, place)[1] or _excepts(reading, place)
    verbal = longest(words.grammar["not"], reading.tokens, place)[1]
    if reading.language == "es" and verbal and reading.fold(place) == "no":
        return verbal, True
    return (without, False) if without >= verbal else (verbal, True)


def _excepts(reading: Reading, place: int) -> int:
    """1 where "but" takes something out of all: "all files but the logs"; else 0."""
    whole = {reading.fold(at) for at in range(max(0, place - _WHOLE_WITHIN), place)}
    return int(reading.fold(place) == "but" and bool(whole & word_set("facts_whole")))


def _negate(reading: Reading, words: Words, start: int, end: int, *, verbal: bool) -> None:
    scope: list[Item] = []
    at = end
    for item in [item for item in reading.items if item.first >= end]:
        gap = [reading.fold(place) for place in range(at, item.first)]
        if any(fold in _SCOPE_ENDS for fold in gap) or len(scope) >= SCOPE_AT_MOST:
            break
        if scope and any(_ends_scope(words, fold) for fold in gap) and not verbal:
            break
        if item.kind == NEGATION or (scope and (item.kind == VERB or (item.kind in _UNSCOPED and not verbal))):
            break
        scope.append(item)
        at = item.last
    if not scope:
        reading.items.append(Item(NEGATION, "not", start, end))
        reading.used[start:end] = [True] * (end - start)
        return
    value = " ".join(item.value for item in scope)
    role = "not" if verbal else "without"
    reading.items = [item for item in reading.items if item not in scope or (verbal and item.kind == VERB)]
    reading.items.append(Item(NEGATION, value, start, scope[-1].last, role=role, intro=start))
    reading.used[start : scope[-1].last] = [True] * (scope[-1].last - start)


def _ends_scope(words: Words, fold: str) -> bool:
    """A preposition ends what "without" is about; "and" and "or" do not."""
    return any((fold,) in words.grammar[name] for name in ("in", "from", "to", "for", "with", "via", "near")) and (
        (fold,) not in words.grammar["joins"]
    )


def _free_of(reading: Reading) -> None:
    """Gluten-free, sugar free; non-smoking."""
    for number, item in enumerate(reading.items):
        after = item.last
        if item.kind in {OBJECT, WORD} and reading.fold(after) == "free" and reading.tokens[after].hyphen:
            reading.items = [
                other for other in reading.items if not (other.first == after and other.kind in {QUALITY, WORD})
            ]
            place = next(place for place, other in enumerate(reading.items) if other.first == item.first)
            reading.items[place] = Item(NEGATION, item.value, item.first, after + 1, role="without")
            reading.used[after] = True
            return _free_of(reading)
        if item.kind == WORD and item.value == "non" and number + 1 < len(reading.items):
            other = reading.items[number + 1]
            if other.first == after:
                reading.items[number : number + 2] = [
                    Item(NEGATION, other.value, item.first, other.last, role="without")
                ]
                return _free_of(reading)
    return None
