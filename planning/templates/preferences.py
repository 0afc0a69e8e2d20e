"""Criteria from what a user wants, needs or cannot have: "avoid advanced slopes (injury)", "alérgica a las nueces".

The words are in `preferences.json`: cues that say whether something is avoided, needed or liked; fields of words, by
which a preference has to do with a type of task or not; features that need words of their own; and scales, of which
avoiding one level asks for those below it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from language.detect import language_of
from language.fold import fold
from language.stems import plural, singular
from planning.contracts import LINE_LENGTH
from planning.criteria import CriterionKind, CriterionParse, ValueType, criterion_parse
from planning.templates.files import Template
from planning.templates.preference_words import PreferenceWords, Scale, preference_words
from planning.templates.task_criteria import HAS, NO, money_text
from planning.understanding.contracts import TaskReading

READ_AT_MOST: Final = 50  # preferences; memory gives fewer
READ_LENGTH: Final = 300  # characters of one
CRITERIA_AT_MOST: Final = 20

_REASON: Final = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_CLAUSE: Final = re.compile(r"[;.\n]+(?=\s|$)|,|\s(?:and|but|or|nor|y|e|o|u|ni|pero)\s", re.IGNORECASE)
_NEVER: Final = re.compile(r"\s*(?:never|nunca)\b", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_MEASURED: Final = frozenset({CriterionKind.COMPARISON, CriterionKind.RANGE, CriterionKind.MEMBERSHIP})
_IS: Final = {"en": "is", "es": "es"}
_LONGEST: Final = 6  # words of what is wanted: more is a story, and no criterion


class Wish(NamedTuple):
    """A part of a preference: avoid, allergic, need, like; and what."""

    kind: str
    thing: str


def preference_criteria(reading: TaskReading, template: Template, preferences: Sequence[str]) -> list[str]:
    """The criteria that the preferences make for this task; those that have nothing to do with it make none."""
    criteria: dict[str, None] = {}
    for preference in list(preferences)[:READ_AT_MOST]:
        for text in _criteria(preference[:READ_LENGTH], reading, template):
            if len(text) <= LINE_LENGTH:
                criteria.setdefault(text)
    return list(criteria)[:CRITERIA_AT_MOST]


def _criteria(preference: str, reading: TaskReading, template: Template) -> Iterator[str]:
    language = language_of(preference, otherwise="es" if reading.language == "es" else "en")
    words = preference_words(language)
    plain = _REASON.sub(" ", preference)
    measured = criterion_parse(plain.strip(" .")) if plain.strip(" .") and not _NEVER.match(plain) else None
    if measured is not None and measured.kind in _MEASURED:
        yield from _of_measured(plain.strip(" ."), measured, words, template, reading)
        return
    special = list(_special(fold(plain), words, template, reading))
    yield from (text for _words, text in special)
    covered = [phrase for phrases, _text in special for phrase in phrases]
    for wish in wishes(plain, words):
        if not any(phrase in fold(wish.thing) or fold(wish.thing) in phrase for phrase in covered):
            yield from _of_wish(wish, words, template, reading)


def _of_measured(
    preference: str, parse: CriterionParse, words: PreferenceWords, template: Template, reading: TaskReading
) -> Iterator[str]:
    """A preference that is a criterion already, "hotel quality >= 7"; a sum is one of what the type calls its price."""
    if parse.value_type is ValueType.MONEY and isinstance(parse.value, int | float):
        if "amount" in template.facts:
            field = template.facts["amount"].of(reading.language)[0]
            yield f"{field} {parse.operator.value} {money_text(parse.value, parse.currency, reading.language)}"
    elif _fits(preference, words, template, reading):
        yield preference


def wishes(preference: str, words: PreferenceWords) -> list[Wish]:
    """What the preference says, clause by clause; a clause without a cue goes on with the one before it."""
    wishes_read: list[Wish] = []
    for clause in _CLAUSE.split(preference):
        folded = fold(clause).replace("’", "'").strip()
        cue = words.cue(folded)
        if cue is not None:
            kind, start, end = cue
            wishes_read.append(Wish(kind, words.trimmed(clause.strip()[start:end])))
        elif wishes_read and folded and len(folded.split()) <= 3:
            wishes_read.append(Wish(wishes_read[-1].kind, words.trimmed(clause.strip())))
    return [wish for wish in wishes_read if wish.thing and len(wish.thing.split()) <= _LONGEST]


def _special(
    folded: str, words: PreferenceWords, template: Template, reading: TaskReading
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Needs that have a name of their own: wheelchair access, vegetarian options."""
    for feature in words.features:
        spoken = tuple(phrase for phrase in feature.words if re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", folded))
        if not spoken or feature.field not in template.fields:
            continue
        if feature.excludes and reading.task_type in words.dishes:
            for thing in feature.excludes[reading.language]:
                yield spoken, f"{NO[reading.language]} {thing}"
        else:
            subject = template.subject.of(reading.language)[0]
            yield spoken, f"{subject} {HAS[reading.language]} {feature.gives[reading.language]}"


def _of_wish(wish: Wish, words: PreferenceWords, template: Template, reading: TaskReading) -> Iterator[str]:
    on_scale = _on_scale(wish, words, template, reading)
    if on_scale:
        yield from on_scale
        return
    if words.is_priority(wish.thing) or not _fits(wish.thing, words, template, reading):
        return
    if wish.kind == "level" or any(character.isdigit() for character in wish.thing):
        return  # with a figure it is a condition that is not understood: "on Fridays after 3pm"
    if wish.kind in {"avoid", "allergic"}:
        yield f"{NO[words.language]} {wish.thing}"
    elif wish.kind == "be":
        yield f"{template.subject.of(words.language)[0]} {_IS[words.language]} {wish.thing}"
    elif (adjective := _of_subject(wish.thing, words, template)) is not None:
        yield f"{template.subject.of(words.language)[0]} {_IS[words.language]} {adjective}"
    else:
        yield f"{template.subject.of(words.language)[0]} {HAS[words.language]} {wish.thing}"


def _of_subject(thing: str, words: PreferenceWords, template: Template) -> str | None:
    """The "direct" of "direct flights", where the subject is a flight: then it is the subject that is direct."""
    many = fold(template.subject.of(words.language)[1])
    parts = thing.split()
    if len(parts) < 2:
        return None
    if words.language == "es" and plural(fold(parts[0]), "es") == many:
        return " ".join(singular(part) for part in parts[1:])
    if words.language == "en" and plural(fold(parts[-1]), "en") == many:
        return " ".join(parts[:-1])
    return None


def _on_scale(wish: Wish, words: PreferenceWords, template: Template, reading: TaskReading) -> list[str]:
    words_meant = {fold(word) for word in _WORD.findall(wish.thing)}
    for scale in words.scales:
        if scale.field not in template.fields or not (wish.kind == "level" or words_meant & scale.about):
            continue
        level = next(
            (place for place, names in enumerate(scale.levels) if words_meant & {fold(name) for name in names}), None
        )
        if level is None:
            continue
        return _level_criteria(wish, scale, level, template, words, words_meant)
    return []


def _level_criteria(
    wish: Wish, scale: Scale, level: int, template: Template, words: PreferenceWords, words_meant: set[str]
) -> list[str]:
    one, many = template.subject.of(words.language)
    last = len(scale.levels) - 1
    if wish.kind not in {"avoid", "allergic"}:
        asked = level < last and scale.has
        return [scale.has.format(subject=one, levels=scale.levels[level][0], subjects=many)] if asked else []
    left = scale.levels[:level] if level else scale.levels[1:]
    names = scale.levels[level]
    spoken = next((name for name in names[:2] if fold(name) in words_meant), names[0])
    texts = (
        scale.has.format(subject=one, levels="/".join(other[0] for other in left), subjects=many),
        scale.none.format(subject=one, level=spoken, subjects=many),
    )
    return [text for text in texts if text]


def _fits(thing: str, words: PreferenceWords, template: Template, reading: TaskReading) -> bool:
    """Whether it has to do with tasks of this type: by the field of its words, or by naming what the task is about."""
    forms = {form for word in _WORD.findall(fold(thing)) for form in (word, word.removesuffix("s"))}
    if any(forms & words.fields[field] for field in template.fields if field in words.fields):
        return True
    subjects = {fold(name).split(" ")[-1].removesuffix("s") for name in template.subject.of(words.language)}
    spoken = {fold(word).removesuffix("s") for word in _WORD.findall(reading.phrases.get("object", ""))}
    return bool(forms & (subjects | spoken - {""}))
