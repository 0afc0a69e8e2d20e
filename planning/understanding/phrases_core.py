"""What a task wants done, as it words it: its verb, what the verb is about, and the whole without openings."""

import re
from functools import cache
from typing import Final, NamedTuple

from planning.understanding.facts_items import NAME, PLACE, Reading
from planning.understanding.facts_words import longest, words_in
from planning.understanding.phrases_items import Span, marks_of, span_text
from planning.understanding.phrases_words import PhraseWords
from planning.understanding.text import fold
from planning.understanding.types_words import verb_base, without_pronouns

LONGEST: Final = 120
"""Characters of a phrase: a longer one makes no sentence that anybody would read."""

_SENTENCE_END: Final = re.compile(
    r"(?<!\b[A-Z])(?<!\b[DMS]r)(?<!\bM[rs]s)(?<!\bMs)(?<!\bSra)(?<!\bSt)(?<!\bNo)[.!?;]+(?=\s|$)|\s[-–—]\s"
)
_INFINITIVE: Final = re.compile(r"[a-zñ]{3,}(?:ar|er|ir)(?:[mts]e|nos|l[aeo]s?)?|dar|ir|ver")
_SIGNS: Final = frozenset(',;:()[]{}|/\\"“”«»?!¿¡—–…')
_PLACING: Final = frozenset({"to", "with", "at", "in", "on"})
_VOWELS: Final = frozenset("aeiou")


class Core(NamedTuple):
    """Where the parts of a task begin, in tokens: `verb` None where it begins with what it is about."""

    start: int
    verb: int | None
    rest: int
    end: int


@cache
def _opening(language: str) -> re.Pattern[str]:
    from planning.understanding.phrases_words import phrase_words

    lines = "|".join(map(re.escape, phrase_words(language).lines("openings")))
    return re.compile(rf"[\s,.:;!¡¿?\-–—*•]*(?:(?:{lines})(?![\w'’-])[\s,.:;!-]*){{0,5}}")


def opening_end(text: str, language: str) -> int:
    """Where a text comes to the point: behind "please, could you"."""
    found = _opening(language).match(fold(text))
    return found.end() if found else 0


def core_of(reading: Reading, words: PhraseWords) -> Core:
    """The parts of the first sentence that says something."""
    at = opening_end(reading.text, words.language)
    start = next((place for place, token in enumerate(reading.tokens) if token.start >= at), 0)
    if not any(token.kind in {"word", "number", "code", "quote"} for token in reading.tokens[start:]):
        start = 0
    end = _end(reading, start)
    verb = _last_verb(reading, words, start, end) if _is_verb(reading, words, start) else None
    return Core(start, verb, _rest(reading, words, verb, end) if verb is not None else start, end)


def _last_verb(reading: Reading, words: PhraseWords, verb: int, end: int) -> int:
    """The last of verbs that have the same object: "find and book a hotel", "search for and compare laptops"."""
    for _ in range(3):
        place = verb + 1
        if place + 1 < end and words.has("particles", reading.fold(place)):
            place += 1
        joined = place
        while joined < end and (words.has("joins", reading.fold(joined)) or reading.fold(joined) in {",", "then"}):
            joined += 1
        if joined == place or joined + 1 >= end or joined - place > 3 or not _is_deed(reading, words, joined):
            return verb
        verb = joined
    return verb


def _is_deed(reading: Reading, words: PhraseWords, place: int) -> bool:
    """Whether a verb that is known stands there, not in a form that a thing has too: "compare and contrasts"."""
    said = reading.fold(place)
    if said.endswith("s") or not (verb_base(said, words.language) or _verb_at(reading, words, place)):
        return False
    return not words.has("joins", reading.fold(place + 1))


def _verb_at(reading: Reading, words: PhraseWords, place: int) -> bool:
    return bool(longest(words_in(words.language).verbs, reading.tokens, place)[1])


def _end(reading: Reading, start: int) -> int:
    begins = reading.tokens[start].start if start < len(reading.tokens) else 0
    found = _SENTENCE_END.search(reading.text, min(begins + 12, len(reading.text)))
    stop = found.start() if found else len(reading.text)
    return next(
        (place for place in range(start, len(reading.tokens)) if reading.tokens[place].start >= stop),
        len(reading.tokens),
    )


def _is_verb(reading: Reading, words: PhraseWords, place: int) -> bool:
    if place >= len(reading.tokens) or reading.tokens[place].kind != "word":
        return False
    fold_ = reading.fold(place)
    following = reading.fold(place + 1)
    if words.language == "en":
        known = verb_base(fold_, "en") or longest(words_in("en").verbs, reading.tokens, place)[1]
        return bool(known) or words.has("determiners", following) or following in {"to", "up", "out", "off", "down"}
    if _INFINITIVE.fullmatch(fold_):
        return True
    if verb_base(fold_, "es") is None or fold_.endswith("o"):  # "vuelo", "presupuesto": nouns before they are verbs
        return False
    return without_pronouns(fold_) != fold_ or not (following in {"", "de", "del"} or words.has("ends", following))


def _rest(reading: Reading, words: PhraseWords, verb: int, end: int) -> int:
    """Where what the verb is about begins: behind "look for", "set up", "learn how to"."""
    place = verb + 1
    phrase = longest(words_in(words.language).verbs, reading.tokens, verb)[1]
    place = max(place, verb + phrase) if phrase > 1 else place
    if place >= end or not words.has("particles", reading.fold(place)) or _begins_adjunct(reading, words, place):
        return min(place, end)
    if words.language == "en" and reading.fold(place) in _PLACING and _is_name(reading, place + 1):
        return place
    place += 1
    if words.language == "en" and reading.fold(place) == "for":
        place += 1
    return min(place, end)


def _is_name(reading: Reading, place: int) -> bool:
    return any(item.first == place and item.kind in {NAME, PLACE} for item in reading.items)


def _begins_adjunct(reading: Reading, words: PhraseWords, place: int) -> bool:
    return place in marks_of(reading.text, words.language).begins


def noun_phrase(reading: Reading, words: PhraseWords, start: int, end: int) -> Span:
    """A noun with what stands before it, from `start` to where it ends: at a preposition, a sign, a date, an amount.

    What of those stands before the noun is left out: "the 9am bus", "a 5-day trip".
    """
    cuts = marks_of(reading.text, words.language).cuts
    first = start
    while first < end and (first in cuts or (first + 1 in cuts and words.has("determiners", reading.fold(first)))):
        first += 1
    if words.has("ends", reading.fold(first)):
        return first, first
    last = first
    while last < end and last not in cuts and not _ends(reading, words, last, first):
        last += 1
    return first, last


def _ends(reading: Reading, words: PhraseWords, place: int, first: int) -> bool:
    word = reading.fold(place)
    if word in _SIGNS or words.has("without", word):
        return True
    if words.language == "es" and word in {"de", "del"} and place > first:
        return _is_travel_place(reading, place + 1) or (
            words.has("languages", reading.fold(place + 1)) and reading.fold(place + 2) in {"a", "al"}
        )
    return place > first and words.has("ends", word)


def _is_travel_place(reading: Reading, place: int) -> bool:
    """Whether a place follows, so that "de" does not go on with the noun: "un vuelo de Madrid a Roma"."""
    return any(item.kind == PLACE and item.first in {place, place + 1} for item in reading.items)


def head_of(reading: Reading, words: PhraseWords, span: Span) -> Span:
    """What an action is about, where a task names it by a noun: "trip planning", "planificación de un viaje"."""
    first, last = span
    if words.language == "en" and last - first > 1 and words.has("actions", reading.fold(last - 1)):
        return first, last - 1
    if words.language == "es" and words.has("actions", reading.fold(first)):
        inner = next((place + 1 for place in range(first + 1, last - 1) if reading.fold(place) in {"de", "del"}), first)
        return inner, last
    return span


def without_determiners(reading: Reading, words: PhraseWords, span: Span) -> Span:
    """The span from its first word that is no article, pronoun or number."""
    first, last = span
    numbers = words_in(words.language).numbers
    while first < last and words.has("determiners", reading.fold(first)):
        first += 1
    counted = first < last - 1 and (reading.tokens[first].kind == "number" or reading.fold(first) in numbers)
    if counted and (words.language == "es" or reading.fold(last - 1).endswith("s")):  # not "two bedroom apartment"
        first += 1
    return first, last


def deed(reading: Reading, words: PhraseWords, core: Core) -> str | None:
    """The task as something that one does, with its verb in the base form: "book a hotel", "preparar la mudanza"."""
    if core.verb is None:
        return None
    said = reading.tokens[core.verb].fold
    base = _base(said, words)
    if base is None:
        return None
    tail = span_text(reading, core.verb + 1, core.end)
    return shortened(f"{base} {tail}".strip())


def _base(said: str, words: PhraseWords) -> str | None:
    if words.language == "en":
        return verb_base(said, "en") or said
    if _INFINITIVE.fullmatch(said):
        return said
    return verb_base(said, "es")


def gerund(verb: str) -> str:
    """Juggle, juggling; run, running."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    short = len(verb) > 2 and verb[-1] not in "aeiouwxy" and verb[-2] in _VOWELS and verb[-3] not in _VOWELS
    return verb + (verb[-1] if short and len(verb) <= 4 else "") + "ing"


def topic(reading: Reading, words: PhraseWords, core: Core) -> str:
    """The task without its verb; where that is a verb again, as a noun: "juggling" of "learn to juggle"."""
    said = span_text(reading, core.rest, core.end).strip(" ,;:-–—") or span_text(reading, core.start, core.end)
    head, _, tail = said.partition(" ")
    if _is_infinitive(reading, words, core) and head.isalpha() and head.islower():
        said = f"{gerund(head)} {tail}".strip()
    if core.verb is None and core.start < len(reading.tokens) and not _is_name(reading, core.start):
        said = lower_first(said)
    return shortened(said)


def _is_infinitive(reading: Reading, words: PhraseWords, core: Core) -> bool:
    """Whether the verb is followed by another: "learn to juggle", not "listen to the radio"."""
    return (
        words.language == "en"
        and core.verb is not None
        and core.verb + 1 < core.rest < core.end
        and reading.fold(core.rest - 1) == "to"
        and not words.has("determiners", reading.fold(core.rest))
    )


def lower_first(text: str) -> str:
    """The text with its first letter small, but for names, abbreviations and the like."""
    head = text.split(" ", 1)[0]
    return text if len(head) < 2 or not head[1:].islower() else text[:1].lower() + text[1:]


def shortened(text: str) -> str:
    """At most `LONGEST` characters, cut between words."""
    if len(text) <= LONGEST:
        return text
    return text[:LONGEST].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
