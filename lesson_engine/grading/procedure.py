"""Steps in order."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from lesson_engine.contracts import Ask, ProcedureAnswer, Verdict
from lesson_engine.grading.quantities import only_quantity, place_of_quantity

from .matching import Matcher
from .misconceptions import code_where, exact, recognised
from .normalise import Phrase, read, read_authored
from .segments import at_sequence_words, has_words, parts
from .verdicts import Embed, accept, partial, reject

MEANING_CUT = 0.62
"""Cosine above which a part is a step in other words."""
MEANING_LEAD = 0.05
"""By how much that step must be nearer than any other."""
SAID_TWICE = 4
"""Steps from which a reply that names all of them again tries another order."""
LEAST_SHARE = 1 / 3
"""Share of the steps that must be in order for an answer to be partly right."""


def grade_procedure(ask: Ask, answer: ProcedureAnswer, text: str, words: Matcher, embed: Embed) -> Verdict:
    """All steps in their order are right; the longest run in order counts, the first mention of each step."""
    if code := exact(ask, read(text, words.language), words):
        return recognised(ask, code, "misconception.exact")
    named = _mentions(answer, text, words, embed)
    order, count = _first_mentions(named), len(answer.steps)
    if _tries_orders(named, count):
        return reject("procedure.alternatives", order=order, misplaced=misplaced(order))
    in_order = longest_run(order)
    details: dict[str, Any] = {
        "order": order,
        "missing": count - len(order),
        "out_of_place": len(order) - in_order,
        "misplaced": misplaced(order),
    }
    score = in_order / count
    if score == 1:
        return accept("procedure.order", **details)
    if len(order) > 1 and (code := _misconception(ask, answer, order, words)):
        return recognised(ask, code, "misconception.exact", score * 0.5).model_copy(update={"details": details})
    if score < LEAST_SHARE or len(order) < 2:
        return reject("procedure.steps", score * 0.5, **details)
    return partial("procedure.order" if len(order) == count else "procedure.steps", score * 0.9, **details)


def _tries_orders(named: list[int], count: int) -> bool:
    """Whether all steps come again in another order; of few steps a reply may well speak twice."""
    full = next((at for at in range(count, len(named) + 1) if len(set(named[:at])) == count), len(named))
    again = named[full:]
    if len(set(again)) < count or (count < SAID_TWICE and len(again) < 2 * count):
        return False
    return longest_run(_first_mentions(again)) < count


def _mentions(answer: ProcedureAnswer, text: str, words: Matcher, embed: Embed | None) -> list[int]:
    """Places of the steps in the lesson's order, in the order in which the text names them."""
    pieces = [piece for part in parts(text) for piece in at_sequence_words(part, words.language)][:80]
    named = [_steps_of(answer, piece, words) for piece in pieces]
    steps_named = {step for steps in named for step in steps}
    if embed is not None and len(steps_named) < len(answer.steps):
        _add_by_meaning(answer, pieces, named, steps_named, words.language, embed)
    return [step for steps in named for step in steps]


def longest_run(order: Sequence[int]) -> int:
    """Length of the longest increasing subsequence."""
    ends: list[int] = []
    for step in order:
        at = next((at for at, end in enumerate(ends) if end >= step), len(ends))
        ends[at : at + 1] = [step]
    return len(ends)


def misplaced(order: Sequence[int]) -> list[int]:
    """The fewest steps that, put elsewhere, leave the others in order."""
    left, moved = list(order), []
    while (run := longest_run(left)) < len(left):
        # One whose leaving does not shorten the longest run is none of it.
        at = next(at for at in range(len(left)) if longest_run(left[:at] + left[at + 1 :]) == run)
        moved.append(left.pop(at))
    return moved


def _steps_of(answer: ProcedureAnswer, piece: str, words: Matcher) -> list[int]:
    place = place_of_quantity(answer.steps, piece, words)
    return [place] if place is not None else _steps_within(answer, read(piece, words.language), words)


def _steps_within(answer: ProcedureAnswer, piece: Phrase, words: Matcher) -> list[int]:
    wordings = sorted(
        ((read_authored(s, words.language).content, at) for at, group in enumerate(answer.steps) for s in group),
        key=lambda pair: -len(pair[0]),
    )
    taken: set[int] = set()
    places: list[tuple[int, int]] = []
    for wording, at in wordings:
        start = words.find(wording, piece.content, taken)
        # A shorter wording beside a longer one is part of it: "water" in "break the water". Numbers are not.
        if start is None or (places and len(wording) == 1 and not wording[0][-1].isdigit()):
            continue
        taken.update(range(start, start + len(wording)))
        places.append((start, at))
    return [at for _, at in sorted(places)]


def _first_mentions(steps: list[int]) -> list[int]:
    return list(dict.fromkeys(steps))


def _add_by_meaning(
    answer: ProcedureAnswer,
    pieces: list[str],
    named: list[list[int]],
    steps_named: set[int],
    language: str,
    embed: Embed,
) -> None:
    unnamed = [at for at, steps in enumerate(named) if not steps and has_words(pieces[at])]
    open_pieces = [at for at in unnamed if not only_quantity(pieces[at], language)][:20]
    wordings = [(synonym, at) for at, group in enumerate(answer.steps) for synonym in group]
    if not open_pieces:
        return
    vectors = embed([*(pieces[at] for at in open_pieces), *(wording for wording, _ in wordings)])
    cosines = vectors[: len(open_pieces)] @ vectors[len(open_pieces) :].T
    steps = np.array([at for _, at in wordings])
    for row, at in zip(cosines, open_pieces, strict=True):
        nearness = [float(row[steps == step].max()) for step in range(len(answer.steps))]
        best, second = sorted(nearness, reverse=True)[:2]
        step = nearness.index(best)
        if best >= MEANING_CUT and best - second >= MEANING_LEAD and step not in steps_named:
            named[at].append(step)
            steps_named.add(step)


def _misconception(ask: Ask, answer: ProcedureAnswer, order: list[int], words: Matcher) -> str | None:
    """The misconception whose example puts the steps in the same wrong order."""
    return code_where(ask, lambda example: _steps_of_example(answer, example, words) == order)


@lru_cache(maxsize=2048)
def _steps_of_example(answer: ProcedureAnswer, example: str, words: Matcher) -> list[int]:
    return _first_mentions(_mentions(answer, example, words, None))
