"""What one memory says, each thing in a form that can be held against what others say."""

import re
from dataclasses import dataclass, field
from typing import Final, Literal

from language.tokens import any_of
from planning.criteria import CriterionParse
from planning.experience.conditions import absence_said, bound_of, condition_key, said
from planning.experience.fields import better_side, field_key, field_meant, field_named, fields, generic, quality_in
from planning.experience.words import normalised, stems, words_named

Kind = Literal["over", "first", "like", "avoid", "hard", "weak"]
WORDS_AT_MOST, LETTERS_AT_MOST = 8, 60
_LEADING: Final = re.compile(rf"^(?:(?:{any_of(words_named('leads a phrase'))})\s+)+", re.IGNORECASE)
_TRAILING: Final = re.compile(rf"(?:\s+(?:{any_of(words_named('trails a phrase'))}))+$", re.IGNORECASE)
_WHERE: Final = re.compile(rf"\s(?:{any_of(words_named('leads a place'))})\s", re.IGNORECASE)
_LINKS: Final = re.compile(rf"\s+(?:{any_of(words_named('links'))})\s*$")
_CLEAN: Final = re.compile(r"[\w\s'/&.,%€$£+-]+")
_LISTED: Final = re.compile(r"\s*(?:,|&|\band\b|\by\b)\s*", re.IGNORECASE)
_DIGIT: Final = re.compile(r"\d")
_FEWER: Final = {"many": "fewer", "much": "less", "few": "more", "little": "more"}


@dataclass(frozen=True)
class Saying:
    """One thing that a memory says.

    `text` is its distilled form and `key` what makes two the same: for "over" and "first" the keys of fields.
    `implied`: it follows and was not said. A "weak" condition held where something was welcome, a "hard" one has to
    hold; a weak one is `spoken` only where it holds on the good side of its field, and elsewhere merely speaks against
    a hard one.
    """

    kind: Kind
    text: str
    key: tuple[str, ...]
    implied: bool = False
    spoken: bool = True
    parse: CriterionParse | None = field(default=None, compare=False)

    @property
    def fits(self) -> str | None:
        """The field that it puts first."""
        return self.key[0] if self.kind in ("over", "first") else None


def phrase_of(text: str) -> str:
    """A phrase without the words around it; empty where it is too long, has strange characters or says nothing."""
    plain = text.strip(" '\".,;:-!?").split("\n")[0]
    plain = _TRAILING.sub("", _LEADING.sub("", plain)).strip(" '\".,;:-!?")
    if not plain or len(plain) > LETTERS_AT_MOST or len(plain.split()) > WORDS_AT_MOST or not _CLEAN.fullmatch(plain):
        return ""
    words = re.findall(r"\w+", normalised(plain))
    return plain if any(len(word) > 1 and word not in generic() and not word.isdigit() for word in words) else ""


def over(first: str, second: str) -> list[Saying]:
    """`first` counts for more than `second`. Several that do ("quality and comfort") count one by one."""
    parts = [part for part in _LISTED.split(first) if part]
    if len(parts) > 1 and all(field_meant(part) for part in parts[1:]) and _name_at_end(parts[0])[2]:
        return [saying for part in parts for saying in over(part, second)]
    if _DIGIT.search(first) or _DIGIT.search(second):
        return []
    (key, name, _), (other_key, other, _) = _name_at_end(first), _name_at_start(second)
    if not name or not other or key == other_key:
        return []
    return [Saying("over", f"{name} > {other}", (key, other_key))]


def _name_at_end(text: str) -> tuple[str, str, bool]:
    """Key and name of what the phrase ends with, and whether it is a field. Empty where it is nothing."""
    words = text.split()
    for place in range(min(len(words), WORDS_AT_MOST)):
        field = _field(" ".join(words[place:]))
        if field:
            return *field, True
    return _thing(text)


def _name_at_start(text: str) -> tuple[str, str, bool]:
    words = text.split()
    for place in range(min(len(words), WORDS_AT_MOST), 0, -1):
        field = _field(" ".join(words[:place]))
        if field:
            return *field, True
    return _thing(text)


def _field(phrase: str) -> tuple[str, str] | None:
    meant = field_meant(phrase)
    plain = _LEADING.sub("", phrase.strip(" '\"")).lower()
    if meant is not None and plain.isalpha() and not plain.endswith("s") and field_key(plain) == meant[0]:
        return meant[0], plain
    return meant


def _thing(text: str) -> tuple[str, str, bool]:
    name = phrase_of(text)
    return ("_".join(stems(name)), name, False) if name and len(name.split()) <= 5 else ("", "", False)


def are_fields(first: str, second: str) -> bool:
    """Whether both phrases name what options are compared by."""
    return field_meant(first) is not None and field_meant(second) is not None


def first_of_all(text: str) -> list[Saying]:
    """What the phrase ends with counts for most; nothing where that is no field."""
    key, name, is_field = _name_at_end(text)
    if not is_field:
        key, name, is_field = _name_at_start(text)
    return [Saying("first", name, (key,))] if is_field else []


def liked(text: str) -> list[Saying]:
    """A liked phrase: a field comes first, anything else is a wish."""
    field = _field(text.strip())
    if field:
        return [Saying("first", field[1], (field[0],))]
    name = phrase_of(text)
    return [Saying("like", name, ("thing", *stems(name)))] if name else []


def disliked(text: str) -> list[Saying]:
    """A phrase that was refused once: to be avoided, but not ruled out."""
    name = phrase_of(text)
    return [Saying("avoid", name, ("thing", *stems(name)))] if name else []


def hard(parse: CriterionParse) -> Saying:
    return Saying("hard", said(parse), condition_key(parse), parse=parse)


def ruled_out(name: str, language: str) -> Saying:
    """Not to have a thing, where the grammar does not read that. It has to hold all the same: it may be an allergy."""
    return Saying("hard", absence_said(name, language), ("thing", *stems(name)))


def weak(parse: CriterionParse) -> Saying:
    bound = bound_of(parse)
    better = better_side(bound.field) if bound else None
    good = bound is None or better is None or (better == "high") == (bound.side == "low")
    return Saying("weak", said(parse), condition_key(parse), spoken=good, parse=parse)


def refused_thing(text: str, bounded: frozenset[str]) -> list[Saying]:
    """What follows from the thing that was refused: "cheap hotel" says that quality counts for more than price.

    `bounded`: fields that a condition speaks of already.
    """
    match = quality_in(text)
    if match is None:
        return []
    quality, language, start, end = match
    rest = phrase_of(text[:start] + " " + _WHERE.split(text[end:])[0])
    if quality.field in bounded:
        return []
    if rest:
        return disliked(text) if not bounded else []
    return _follows(text, start, language)


def too_much(text: str, bounded: frozenset[str]) -> list[Saying]:
    """What follows from "too far from the centre": "close to the centre"."""
    match = quality_in(text)
    if match is not None and not re.search(r"\w", text[: match[2]]):
        return [] if match[0].field in bounded else _follows(text, match[2], match[1])
    words = text.split()
    if words and words[0].lower() in _FEWER:
        return liked(f"{_FEWER[words[0].lower()]} {' '.join(words[1:])}") if len(words) > 1 else []
    name = phrase_of(text)
    return [Saying("like", f"not too {name}", ("too", *stems(name)))] if name and len(name.split()) <= 4 else []


def too_high(word: str, before: str) -> list[Saying]:
    """What follows from "the risk was too high": "lower risk". `before`: what was said before "too"."""
    more = normalised(word) in words_named("too little")
    if not more and normalised(word) not in words_named("too much"):
        return []
    words = _LINKS.sub("", before).split()
    for place in range(max(len(words) - 3, 0), len(words)):
        named = field_named(" ".join(words[place:]))
        if named is not None:
            key, language = named
            wish = {"en": "higher" if more else "lower", "es": "más" if more else "menos"}[language]
            return [Saying("like", f"{wish} {fields()[key].name(language)}", ("side", key, "low" if more else "high"))]
    return []


def too_much_es(text: str, plural_or_feminine: bool) -> list[Saying]:
    """The same for Spanish words that are in no list: "demasiadas escalas" asks for "menos escalas"."""
    name = phrase_of(text)
    if not name or len(name.split()) > 4:
        return []
    wish = f"menos {name}" if plural_or_feminine or field_meant(name) else f"no demasiado {name}"
    return [Saying("like", wish, ("too", *stems(name)))]


def _follows(text: str, start: int, language: str) -> list[Saying]:
    quality, _, _, end = quality_in(text[start:]) or (None, "", 0, 0)
    if quality is None:
        return []
    if quality.over:
        first, second = (_named(key, language) for key in quality.over)
        return [Saying("over", f"{first} > {second}", quality.over, implied=True)]
    if quality.first:
        return [Saying("first", _named(quality.first, language), (quality.first,), implied=True)]
    if quality.instead is None:
        return []
    wish = quality.instead[language]
    if wish.endswith((" to", " de")):
        wish += "l" if wish.endswith(" de") and normalised(text[start : start + end]).endswith(" del") else ""
        wish = f"{wish} {' '.join(text[start + end :].split()[:4])}".strip()
    field = _field(wish)
    if field:
        return [Saying("first", field[1], (field[0],), implied=True)]
    return [Saying("like", wish, ("thing", *stems(wish)), implied=True)] if _CLEAN.fullmatch(wish) else []


def _named(key: str, language: str) -> str:
    return fields()[key].name(language)
