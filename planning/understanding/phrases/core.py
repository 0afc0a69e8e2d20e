"""What a task wants done, as it words it: its verb, what the verb is about, and the whole without openings."""

import re
from functools import cache
from typing import Final, NamedTuple

from language.fold import fold_in_place
from planning.understanding.facts.items import NAME, PLACE, Reading
from planning.understanding.facts.words import longest, words_in
from planning.understanding.phrases.items import Span, marks_of, span_text
from planning.understanding.phrases.words import PhraseWords, phrase_words
from planning.understanding.vocabulary import doubles, verb_base, without_pronouns

LONGEST: Final = 120
"""Characters of a phrase in a sentence."""

_SENTENCE_END: Final = re.compile(
    r"(?<!\b[A-Z])(?<!\b[DMS]r)(?<!\bM[rs]s)(?<!\bMs)(?<!\bSra)(?<!\bSt)(?<!\bNo)[.!?;]+(?=\s|$)|\s[-–—]\s"
)
_INFINITIVE: Final = re.compile(r"[a-zñ]{3,}(?:ar|er|ir)(?:[mts]e|nos|l[aeo]s?)?|dar|ir|ver")
_SIGNS: Final = frozenset(',;:()[]{}|/\\"“”«»?!¿¡—–…')
_PLACING: Final = frozenset({"to", "with", "at", "in", "on"})


class Core(NamedTuple):
    """Where the parts of a task begin, in tokens: `verb` None where it begins with what it is about."""

    start: int
    verb: int | None
    rest: int
    end: int


@cache
def _opening(language: str) -> re.Pattern[str]:
    lines = "|".join(map(re.escape, phrase_words(language).lines("openings")))
    return re.compile(rf"[\s,.:;!¡¿?\-–—*•]*(?:(?:{lines})(?![\w'’-])[\s,.:;!-]*){{0,5}}")


def opening_end(text: str, language: str) -> int:
    """Where a text comes to the point: behind "please, could you"."""
    opening = _opening(language).match(fold_in_place(text))
    return opening.end() if opening else 0


def core_of(reading: Reading, words: PhraseWords) -> Core:
    """The parts of the first sentence with a word in it."""
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
    """Whether a known verb is there, in a form that no thing has: not "compare and contrasts"."""
    verb = reading.fold(place)
    known = verb_base(verb, words.language) or longest(words_in(words.language).verbs, reading.tokens, place)[1]
    return bool(known) and not verb.endswith("s") and not words.has("joins", reading.fold(place + 1))


def _end(reading: Reading, start: int) -> int:
    begins = reading.tokens[start].start if start < len(reading.tokens) else 0
    sentence_end = _SENTENCE_END.search(reading.text, min(begins + 12, len(reading.text)))
    stop = sentence_end.start() if sentence_end else len(reading.text)
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
    begins_adjunct = place in marks_of(reading.text, words.language).begins
    if place >= end or not words.has("particles", reading.fold(place)) or begins_adjunct:
        return min(place, end)
    if words.language == "en" and reading.fold(place) in _PLACING and _is_name(reading, place + 1):
        return place
    place += 1
    if words.language == "en" and reading.fold(place) == "for":
        place += 1
    return min(place, end)


def _is_name(reading: Reading, place: int) -> bool:
    return any(item.first == place and item.kind in {NAME, PLACE} for item in reading.items)


def noun_phrase(reading: Reading, words: PhraseWords, start: int, end: int) -> Span:
    """A noun with the words before it, from `start` to where it ends: at a preposition, a sign, a date, an amount.

    Those before the noun are left out: "the 9am bus", "a 5-day trip".
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
        translated = words.has("languages", reading.fold(place + 1)) and reading.fold(place + 2) in {"a", "al"}
        # "Un vuelo de Madrid a Roma"
        return translated or any(item.kind == PLACE and item.first in {place + 1, place + 2} for item in reading.items)
    return place > first and words.has("ends", word)


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
    """The task as an action, with its verb in the base form: "book a hotel", "preparar la mudanza"."""
    if core.verb is None:
        return None
    verb = reading.tokens[core.verb].fold
    base = _base(verb, words)
    if base is None:
        return None
    tail = span_text(reading, core.verb + 1, core.end)
    return shortened(f"{base} {tail}".strip())


def _base(verb: str, words: PhraseWords) -> str | None:
    if words.language == "en":
        return verb_base(verb, "en") or verb
    if _INFINITIVE.fullmatch(verb):
        return verb
    return verb_base(verb, "es")


def gerund(verb: str) -> str:
    """Juggle, juggling; run, running."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    return verb + (verb[-1] if doubles(verb) and len(verb) <= 4 else "") + "ing"


def topic(reading: Reading, words: PhraseWords, core: Core) -> str:
    """The task without its verb; where that is a verb again, as a noun: "juggling" of "learn to juggle"."""
    text = span_text(reading, core.rest, core.end).strip(" ,;:-–—") or span_text(reading, core.start, core.end)
    head, _, tail = text.partition(" ")
    infinitive = (  # "learn to juggle", not "listen to the radio"
        words.language == "en"
        and core.verb is not None
        and core.verb + 1 < core.rest < core.end
        and reading.fold(core.rest - 1) == "to"
        and not words.has("determiners", reading.fold(core.rest))
    )
    if infinitive and head.isalpha() and head.islower():
        text = f"{gerund(head)} {tail}".strip()
    if core.verb is None and core.start < len(reading.tokens) and not _is_name(reading, core.start):
        text = lower_first(text)
    return shortened(text)


def lower_first(text: str) -> str:
    """The text with its first letter small, but for names, abbreviations and the like."""
    head = text.split(" ", 1)[0]
    return text if len(head) < 2 or not head[1:].islower() else text[:1].lower() + text[1:]


def shortened(text: str) -> str:
    """At most `LONGEST` characters, cut between words."""
    if len(text) <= LONGEST:
        return text
    return text[:LONGEST].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
