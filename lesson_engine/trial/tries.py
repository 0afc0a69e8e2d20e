"""Which texts a question is tried with: what its author wrote, left out of it, and variants of the accepted answers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from language.fold import without_accents
from lesson_engine.contracts import Ask, DefinitionAnswer, Misconception, OpenAnswer

from .results import Expected, MadeOf
from .variants import denied, in_capitals, with_slip, without_stop

Wording = OpenAnswer | DefinitionAnswer
MOST_LEFT_OUT: Final = 30
"""Accepted answers and examples that are left out one by one; with the variants there are 40 tries at most."""
_LEAST_EXAMPLES: Final = MOST_LEFT_OUT // 2
"""Room for examples where there are more texts than room."""
_MOST_SLIPS, _MOST_DENIED = 3, 4


@dataclass(frozen=True)
class Candidate:
    """A text to try, with the question without it. `example_of` and `alone` are as in `Try`."""

    ask: Ask
    text: str
    made_of: MadeOf
    expected: Expected
    example_of: str | None = None
    alone: bool = False


def candidates(ask: Ask, answer: Wording, language: str) -> tuple[list[Candidate], int]:
    """The texts to try, and how many of the author's there was no room for."""
    accepted, examples = list(_accepted(ask, answer)), list(_examples(ask))
    examples_tried = examples[: max(_LEAST_EXAMPLES, MOST_LEFT_OUT - len(accepted))]
    accepted_tried = accepted[: MOST_LEFT_OUT - len(examples_tried)]
    untried = len(accepted) + len(examples) - len(accepted_tried) - len(examples_tried)
    return [*accepted_tried, *examples_tried, *_variants(ask, answer, language)], untried


def _accepted(ask: Ask, answer: Wording) -> Iterator[Candidate]:
    """None where there is one accepted answer: nothing would be left to compare it with."""
    for at, text in enumerate(answer.accepted if len(answer.accepted) > 1 else ()):
        others = (*answer.accepted[:at], *answer.accepted[at + 1 :])
        without = ask.model_copy(update={"answer": answer.model_copy(update={"accepted": others})})
        yield Candidate(without, text, "accepted", "right")


def _examples(ask: Ask) -> Iterator[Candidate]:
    """The first examples of all misconceptions, then the second ones."""
    of_each = ([*_examples_of(ask, at, wrong)] for at, wrong in enumerate(ask.misconceptions))
    for row in zip_longest(*of_each):
        yield from (candidate for candidate in row if candidate is not None)


def _examples_of(ask: Ask, place: int, wrong: Misconception) -> Iterator[Candidate]:
    before, after = ask.misconceptions[:place], ask.misconceptions[place + 1 :]
    for at, text in enumerate(wrong.examples):
        others = (*wrong.examples[:at], *wrong.examples[at + 1 :])
        left = (wrong.model_copy(update={"examples": others}),) if others else ()
        without = ask.model_copy(update={"misconceptions": (*before, *left, *after)})
        yield Candidate(without, text, "example", "wrong", example_of=wrong.code, alone=not others)


def _variants(ask: Ask, answer: Wording, language: str) -> Iterator[Candidate]:
    changes: tuple[tuple[MadeOf, int, Callable[[str], str]], ...] = (
        ("capitals", 1, in_capitals),
        ("no_accents", 1, without_accents),
        ("no_stop", 1, without_stop),
        ("slip", _MOST_SLIPS, lambda text: with_slip(text, language)),
    )
    for made_of, most, change in changes:
        changed = [typed for text in answer.accepted if (typed := change(text)) != text]
        yield from (Candidate(ask, text, made_of, "right") for text in changed[:most])
    for text in answer.accepted[:_MOST_DENIED]:
        turned = denied(text, language, is_definition=isinstance(answer, DefinitionAnswer))
        if turned is not None:
            yield Candidate(ask, turned, "denied", "wrong")
