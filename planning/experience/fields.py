"""What options are compared by, in both languages, and what adjectives say of it."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from language.tokens import any_of
from language.word_lists import lines_of, rows_of
from planning.experience.words import DATA, normalised, stems, words_named

LANGUAGES: Final = ("en", "es")
_LEADING: Final = re.compile(rf"^(?:(?:{any_of(words_named('leads a field'))})\s+)+")
_MOST, _LEAST = r"max(?:imum|imo|ima)?", r"min(?:imum|imo|ima)?"
_THE: Final = r"^(?:the |el |la |los |las )?"
_BOUND: Final = re.compile(
    rf"{_THE}(?P<side>{_MOST}|{_LEAST}|at most|at least|upper limit of|lower limit of)"
    r"[ _.:-]+(?:of |de |number of |numero de )?(?P<name>.+)$"
    rf"|{_THE}(?P<after>[a-z][\w ]{{0,40}}?)[ _-](?P<late>{_MOST}|{_LEAST})$"
)


@dataclass(frozen=True)
class Field:
    """Something that options are compared by. `better`: "high" or "low", None where it depends."""

    key: str
    better: str | None
    names: dict[str, tuple[str, ...]]

    def name(self, language: str) -> str:
        """How people of this language call it."""
        return self.names[language][0]


@dataclass(frozen=True)
class Quality:
    """An adjective, and what it says when it is given as a reason: too little (`side` "low") or too much of a field.

    `over`: the field that counts for more, and the one that counts for less; `first`: the field that counts;
    `liked`: the field that counts where the adjective is praise; `instead`: what is wanted, by language.
    """

    field: str | None
    side: str | None
    over: tuple[str, str] | None
    first: str | None
    liked: str | None
    instead: dict[str, str] | None


@cache
def fields() -> dict[str, Field]:
    rows = rows_of(
        DATA / "fields.jsonl",
        lambda row: Field(row["key"], row.get("better"), {language: tuple(row[language]) for language in LANGUAGES}),
    )
    return {row.key: row for row in rows}


@cache
def _names() -> dict[str, tuple[str, str]]:
    """Key and language by normalised name."""
    return {
        normalised(name): (field.key, language)
        for field in reversed(fields().values())
        for language in reversed(LANGUAGES)
        for name in (field.key, *field.names[language])
    }


@cache
def qualities() -> dict[str, tuple[Quality, str]]:
    """Adjectives with their language, by normalised words."""
    by_word: dict[str, tuple[Quality, str]] = {}
    for quality, words in rows_of(DATA / "qualities.jsonl", _quality):
        for language in LANGUAGES:
            for word in words[language]:
                by_word.setdefault(normalised(word), (quality, language))
    return by_word


def _quality(row: dict[str, Any]) -> tuple[Quality, dict[str, list[str]]]:
    values: dict[str, Any] = {name: row.get(name) for name in Quality.__annotations__}
    quality = Quality(**values | {"over": tuple(row["over"]) if "over" in row else None})
    for key in (quality.field, quality.first, quality.liked, *(quality.over or ())):
        if key is not None and key not in fields():
            raise ValueError(f"there is no field {key!r}")
    return quality, {language: row[language] for language in LANGUAGES}


@cache
def _quality_pattern() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{any_of(qualities())})(?![\w-])")


@cache
def generic() -> frozenset[str]:
    return frozenset(word for _, line in lines_of(DATA / "generic.txt") for word in normalised(line).split())


def quality_in(phrase: str) -> tuple[Quality, str, int, int] | None:
    """The first adjective of the list in a phrase, with its language, start and end."""
    match = _quality_pattern().search(normalised(phrase))
    if match is None:
        return None
    quality, language = qualities()[match[0]]
    return quality, language, match.start(), match.end()


def field_named(phrase: str) -> tuple[str, str] | None:
    """Key and language of the field that a phrase names, None where it names none: "the price", "calidad"."""
    plain = _LEADING.sub("", normalised(phrase).replace("_", " ").strip(" '\""))
    return _names().get(plain) or _names().get(" ".join(stems(plain)))


def field_meant(phrase: str) -> tuple[str, str] | None:
    """Key and name as people say it of the field that a phrase of a preference stands for, None where it is something
    else: "quality hotels" and "high quality" are quality, "cheap ones" are price.
    """
    bare = " ".join(word for word in re.findall(r"[\w-]+", normalised(phrase)) if word not in generic())
    named = field_named(phrase) or (field_named(bare) if bare else None)
    if named is not None:
        return named[0], fields()[named[0]].name(named[1])
    if bare in qualities():
        quality, language = qualities()[bare]
        key = quality.liked or (quality.field if quality.side == "low" and quality.field == "price" else None)
        if key:
            return key, fields()[key].name(language)
    return None


def field_key(name: str) -> str:
    """What two names of one field have in common: its key, or its words where it is in no list."""
    named = field_named(name)
    return named[0] if named else "_".join(stems(name.replace("_", " ")))


def field_in(name: str, language: str) -> str:
    """The name as people of this language say it; as it is where it is in no list."""
    named = field_named(name)
    if named is None or named[1] == language:
        return name
    return fields()[named[0]].name(language)


def better_side(name: str) -> str | None:
    """Which side of a field is the good one, "high" or "low"; None where it depends."""
    named = field_named(name)
    return fields()[named[0]].better if named else None


def bound_named(phrase: str) -> tuple[str, str] | None:
    """Field and operator of a bound that a phrase names, None where it names none: "max price" is ("price", "<=")."""
    plain = phrase.replace("_", " ").strip(" '\"")
    match = _BOUND.match(normalised(plain))
    if match is None:
        return None
    side, name = ("side", "name") if match["side"] else ("late", "after")
    operator = "<=" if match[side].startswith(("max", "at most", "upper")) else ">="
    return _LEADING.sub("", plain[slice(*match.span(name))]).strip(), operator
