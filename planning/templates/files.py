"""The templates of plans: a file a task type in `data/`, in English and Spanish side by side. Source: docs/plans.md.

A sentence has slots, `{place}`, filled with what the task says (`understanding.phrases`); what is in `[...]` goes
where a slot in it is not filled. Where a sentence has several wordings the first one that can be filled is taken.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Final

from pydantic import BeforeValidator, Field, ValidationError, model_validator

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


Wordings = Annotated[list[str], BeforeValidator(lambda text: [text] if isinstance(text, str) else text)]
"""One wording or several, the preferred one first."""


class Wording(Contract):
    """A sentence in both languages; for subjects their names, in the singular and in the plural."""

    en: Wordings
    es: Wordings

    def of(self, language: str) -> list[str]:
        return self.es if language == "es" else self.en


class StepWords(Contract):
    """A step in one language: what to do, and what it gives."""

    do: Wordings
    gives: Wordings


class StepTemplate(Contract):
    """A step. `after`: the orders of steps that must be done before."""

    after: list[int]
    en: StepWords
    es: StepWords

    def of(self, language: str) -> StepWords:
        return self.es if language == "es" else self.en


class Template(Contract):
    """How tasks of a type are done.

    `priority` is what the strategy sorts options by; `fields` say which preferences matter here (`preferences.json`);
    `facts` names what the task's own figures are called in results; `features`: whether "with a pool" is asked of the
    subject.
    """

    priority: str
    subject: Wording
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
            if not all(0 < earlier < order for earlier in step.after):
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
                yield step.of(language).do
                yield step.of(language).gives
            for wording in (*self.user_has, *self.system_shows, *self.criteria):
                yield wording.of(language)


def slots_needed(text: str) -> set[str]:
    """The slots without which the sentence cannot be said."""
    return set(_SLOT.findall(_OPTIONAL.sub("", text)))


@cache
def templates() -> dict[str, Template]:
    """All templates by their type. Raises `ValueError` naming the file that cannot be read and why."""
    by_type: dict[str, Template] = {}
    for path in sorted(DATA.glob("*.json")):
        try:
            by_type[path.stem] = Template.model_validate(json.loads(path.read_text(encoding="utf-8")))
        except (ValidationError, ValueError) as error:
            raise ValueError(f"{path.name}: {error}") from error
    return by_type


def template_of(task_type: str) -> Template:
    """The template of a type; of a type that has none, the general one."""
    return templates().get(task_type) or templates()[FALLBACK]


def sentence(wordings: list[str], phrases: dict[str, str]) -> str:
    """The first wording that the phrases can fill, filled, beginning with a capital."""
    text = next((wording for wording in wordings if slots_needed(wording) <= phrases.keys()), wordings[-1])
    text = _OPTIONAL.sub(lambda part: part[0][1:-1] if set(_SLOT.findall(part[0])) <= phrases.keys() else "", text)
    text = _SLOT.sub(lambda match: phrases.get(match[1], ""), text)
    text = _CONTRACTIONS.sub(lambda match: _CONTRACTED[match[1]] + " ", text)
    return text[:1].upper() + text[1:]
