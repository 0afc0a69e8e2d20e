"""Trying a question: each text is graded by a question that does not know it, as a learner's answer would be."""

from collections.abc import Iterator, Sequence
from typing import TypeGuard

from language import language_base
from lesson_engine.contracts import Ask, DefinitionAnswer, OpenAnswer, Reply
from lesson_engine.grading import Embed, grade
from lesson_engine.grading.matching import matcher

from .groups import group_warnings
from .results import MadeOf, QuestionTrial, TrialWarning, Try, WarningKind
from .tries import Candidate, Wording, candidates

ENOUGH_ACCEPTED, ENOUGH_FOR_ONE_IDEA = 3, 2
"""Accepted answers below which there are too few; the second where there is one keyword group."""
ENOUGH_EXAMPLES = 2
"""Examples of a misconception: with one, it is found only in almost the same words."""


def is_tried(ask: Ask) -> bool:
    """Whether answers to it are judged by meaning, so that a trial tells something."""
    return _is_wording(ask.answer)


def _is_wording(answer: object) -> TypeGuard[Wording]:
    return isinstance(answer, OpenAnswer | DefinitionAnswer)


def question_trial(ask: Ask, *, language: str, embed: Embed, vocabulary: frozenset[str] = frozenset()) -> QuestionTrial:
    """Try an open question or definition, in at most 40 grades; arguments as for `grade`. `ValueError` for other kinds.

    Left out one by one are accepted answers, where there are several, and misconceptions' examples; a misconception
    with one example is left out whole.
    """
    answer = ask.answer
    if not _is_wording(answer):
        raise ValueError(f"{ask.code} is not answered in words of one's own")
    chosen, untried = candidates(ask, answer, language)
    tries = tuple(_tried(candidate, language, embed, vocabulary) for candidate in chosen)
    words = matcher(ask, language_base(language), vocabulary)
    warnings = [*verdict_warnings(tries), *group_warnings(ask, answer, words, embed), *_too_little(ask, answer)]
    return QuestionTrial(tries, tuple(sorted(warnings, key=lambda warning: warning.kind.rank)), untried)


def _tried(candidate: Candidate, language: str, embed: Embed, vocabulary: frozenset[str]) -> Try:
    reply = Reply(text=candidate.text)
    verdict = grade(candidate.ask, reply, language=language, embed=embed, vocabulary=vocabulary)
    return Try(
        text=candidate.text,
        made_of=candidate.made_of,
        expected=candidate.expected,
        result=verdict.result,
        zone=verdict.zone,
        misconception=verdict.misconception,
        example_of=candidate.example_of,
        alone=candidate.alone,
    )


_OPPOSITES: tuple[tuple[MadeOf, WarningKind], ...] = (
    ("example", WarningKind.EXAMPLE_ACCEPTED),
    ("denied", WarningKind.DENIAL_ACCEPTED),
    ("accepted", WarningKind.ACCEPTED_WRONG),
)


def verdict_warnings(tries: Sequence[Try]) -> Iterator[TrialWarning]:
    """A warning for each kind of text that would be judged the opposite of what it is, and each kind of wrong idea."""
    for made_of, kind in _OPPOSITES:
        tried = [attempt for attempt in tries if attempt.made_of == made_of]
        if failed := [attempt for attempt in tried if attempt.outcome == "opposite"]:
            code = failed[0].example_of or failed[0].misconception or ""
            yield TrialWarning(kind, quote=failed[0].text, code=code, count=len(failed), total=len(tried))
    for code in dict.fromkeys(attempt.example_of for attempt in tries if attempt.example_of):
        tried = [attempt for attempt in tries if attempt.example_of == code]
        missed = [attempt for attempt in tried if not attempt.is_recognised and attempt.outcome != "opposite"]
        if missed:
            kind = WarningKind.EXAMPLE_NOT_RECOGNISED
            yield TrialWarning(kind, quote=missed[0].text, code=code, count=len(missed), total=len(tried))


def _too_little(ask: Ask, answer: Wording) -> Iterator[TrialWarning]:
    enough = ENOUGH_FOR_ONE_IDEA if len(answer.keyword_groups) == 1 else ENOUGH_ACCEPTED
    if len(answer.accepted) < enough:
        yield TrialWarning(WarningKind.FEW_ACCEPTED, count=len(answer.accepted), total=enough)
    for wrong in ask.misconceptions:
        if len(wrong.examples) < ENOUGH_EXAMPLES:
            yield TrialWarning(WarningKind.FEW_EXAMPLES, quote=wrong.examples[0], code=wrong.code)
    if not ask.misconceptions:
        yield TrialWarning(WarningKind.NO_MISCONCEPTION)
