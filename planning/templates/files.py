"""The templates of plans: a file a task type in `data/`, in English and Spanish side by side. Source: docs/plans.md.

A sentence has slots, `{place}`, filled with what the task says (`understanding.phrases`); what is in `[...]` goes
where a slot in it is not filled. Where a sentence has several wordings the first one that can be filled is taken.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from pydantic import Field, ValidationError, model_validator

from core.contracts import Contract

DATA: Final = Path(__file__).parent / "data"
FALLBACK: Final = "general"
_SLOTS: Final = (
    "place origin near venue details date time duration amount money measure people person object objects thing topic"
    " deed about with without language_from language_to"
)
_FACTS: Final = "amount pay save night day week month minute date end time people place city origin"
SLOTS: Final = frozenset(_SLOTS.split())
FACTS: Final = frozenset(_FACTS.split())
"""What of a task can become a criterion; the value is the name of the field in results."""

ALWAYS: Final = frozenset({"topic"})
_SLOT: Final = re.compile(r"\{(\w+)\}")
_CONTRACTIONS: Final = re.compile(r"(?<=\s)(a el|de el) ")  # "El Salvador" keeps its article
_CONTRACTED: Final = {"a el": "al", "de el": "del"}
_OPTIONAL: Final = re.compile(r"\[[^\[\]]*\]")


class Wording(Contract):
    """A sentence in both languages, each with one wording or several."""

    en: str | list[str]
    es: str | list[str]

    def of(self, language: str) -> list[str]:
        """The wordings in a language, the preferred one first."""
        said = self.es if language == "es" else self.en
        return [said] if isinstance(said, str) else said


class Names(Contract):
    """A name in both languages; of subjects, in the singular as a sentence begins with it, and in the plural."""

    en: list[str] = Field(min_length=2, max_length=2)
    es: list[str] = Field(min_length=2, max_length=2)

    def of(self, language: str) -> list[str]:
        """The names in a language."""
        return self.es if language == "es" else self.en


class StepWords(Contract):
    """A step in one language: what to do, and what it gives."""

    do: str | list[str]
    gives: str


class StepTemplate(Contract):
    """A step. `after`: the orders of steps that must be done before."""

    after: list[int]
    en: StepWords
    es: StepWords

    def of(self, language: str) -> StepWords:
        """The step in a language."""
        return self.es if language == "es" else self.en


class Template(Contract):
    """How tasks of a type are done.

    `priority` is what the strategy sorts options by; `fields` say which preferences matter here (`preferences.json`);
    `facts` names what the task's own figures are called in results; `features`: whether "with a pool" is asked of the
    subject.
    """

    priority: str
    subject: Names
    fields: list[str]
    facts: dict[str, Wording]
    features: bool
    steps: list[StepTemplate] = Field(min_length=3)
    user_has: list[Wording] = Field(min_length=1)
    system_shows: list[Wording] = Field(min_length=1)
    criteria: list[Wording] = Field(min_length=2)

    @model_validator(mode="after")
    def _sound(self) -> "Template":
        if unknown := set(self.facts) - FACTS:
            raise ValueError(f"unknown facts: {', '.join(sorted(unknown))}")
        for order, step in enumerate(self.steps, 1):
            if not all(0 < one < order for one in step.after):
                raise ValueError(f"step {order} depends on one that is not before it")
        for wordings in self._sentences():
            for text in wordings:
                if unknown := set(_SLOT.findall(text)) - SLOTS:
                    raise ValueError(f"unknown slots {', '.join(sorted(unknown))} in “{text}”")
            if needed := slots_needed(wordings[-1]) - ALWAYS:
                raise ValueError(f"“{wordings[-1]}” cannot do without {', '.join(sorted(needed))}")
        return self

    def _sentences(self) -> Iterator[list[str]]:
        for language in ("en", "es"):
            for step in self.steps:
                said = step.of(language)
                yield [said.do] if isinstance(said.do, str) else said.do
                yield [said.gives]
            for wording in (*self.user_has, *self.system_shows, *self.criteria):
                yield wording.of(language)


def slots_needed(text: str) -> set[str]:
    """The slots without which the sentence cannot be said."""
    return set(_SLOT.findall(_OPTIONAL.sub("", text)))


@cache
def templates() -> dict[str, Template]:
    """All templates by their type. Raises `ValueError` naming the file that cannot be read and why."""
    found: dict[str, Template] = {}
    for path in sorted(DATA.glob("*.json")):
        try:
            found[path.stem] = Template.model_validate(json.loads(path.read_text(encoding="utf-8")))
        except (ValidationError, ValueError) as error:
            raise ValueError(f"{path.name}: {error}") from error
    return found


def template_of(task_type: str) -> Template:
    """The template of a type; of a type that has none, the general one."""
    return templates().get(task_type) or templates()[FALLBACK]


def _if_filled(part: str, phrases: dict[str, str]) -> str:
    return part[1:-1] if set(_SLOT.findall(part)) <= phrases.keys() else ""


def sentence(wordings: list[str], phrases: dict[str, str]) -> str:
    """The first wording that the phrases can fill, filled, beginning with a capital."""
    text = next((one for one in wordings if slots_needed(one) <= phrases.keys()), wordings[-1])
    text = _OPTIONAL.sub(lambda found: _if_filled(found.group(), phrases), text)
    text = _SLOT.sub(lambda found: phrases.get(found[1], ""), text)
    text = _CONTRACTIONS.sub(lambda found: _CONTRACTED[found[1]] + " ", text)
    return text[:1].upper() + text[1:]
