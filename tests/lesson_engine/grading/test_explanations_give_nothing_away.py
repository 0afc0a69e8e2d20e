"""What is said while a question is open tells no word of its answer: every bundled lesson, every labelled answer.

Sentences are ours and the same for every question, but for numbers and for what they quote between quotation marks. So
no quote may hold a content word of an accepted answer that is not also in the question, the objective or the reply.
"""

import ast
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest

from language import language_base
from lesson_engine import explanations
from lesson_engine.contracts import Ask, TopicDeviation, Verdict, VerdictResult
from lesson_engine.explanations import rule_in_words
from lesson_engine.explanations.notices import notice_view
from lesson_engine.grading.findings import explanation_details
from lesson_engine.grading.lexicon import lexicon
from lesson_engine.grading.matching import matcher
from lesson_engine.grading.normalise import read
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from tests.each import each
from tests.lesson_engine.grading.conftest import LabelsGraded
from tests.lesson_engine.grading.labelled import LESSONS, Labelled, labelled, lesson_of, usual_or_hard

_QUOTES = re.compile(r"“[^”]*”(?:, “[^”]*”)*")
_MARKED = {"own": "“…”", "authored": "“…”"}


class _Marks(dict[str, str]):
    """What stands in a sentence for quotes, and for the numbers that are anything else."""

    def __missing__(self, name: str) -> str:
        return "#"


@lru_cache
def sentences() -> frozenset[str]:
    """Every sentence of ours, with marks where numbers and quotes go."""
    found: set[str] = set()
    for path in Path(explanations.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("_", "gettext_lazy", "ngettext"):
                found |= {
                    one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)
                }
    return frozenset(_QUOTES.sub("“…”", sentence % _Marks(_MARKED)) for sentence in found)


def stems(language: str, *texts: str) -> set[str]:
    return set().union(*(_stems(language_base(language), text) for text in texts))


@cache
def _stems(code: str, text: str) -> frozenset[str]:
    phrase = read(text, code)
    words = zip(phrase.content, phrase.stems, strict=True)
    return frozenset(stem for word, stem in words if word not in lexicon(code).stopwords)


def secrets(ask: Ask, language: str, said: str) -> set[str]:
    return set(_secrets(ask, language) - stems(language, said))


@cache
def _secrets(ask: Ask, language: str) -> set[str]:
    answer: Any = ask.answer
    groups = [*getattr(answer, "items", ()), *getattr(answer, "steps", ()), *getattr(answer, "keyword_groups", ())]
    accepted = [*getattr(answer, "accepted", ()), *(word for group in groups for word in group)]
    accepted += [choice.text for choice in getattr(answer, "choices", ()) if choice.correct]
    return stems(language, *accepted) - stems(language, ask.question, ask.objective)


def told(outline: Outline, one: Labelled, verdict: Verdict) -> tuple[str, ...]:
    """What the page says of a first answer to the question, which stays open."""
    here = machine.arrive_at(outline, PlayerState(), outline.asks[one.ask.code].index)
    state = machine.record_verdict(outline, here, verdict, TopicDeviation.ON_TOPIC)
    assert state.phase == "asking"
    notice = notice_view(outline, state)
    assert notice is not None
    assert not notice.expected
    return tuple(line.text for line in notice.lines)


def check(outline: Outline, one: Labelled, verdict: Verdict) -> int:
    language = outline.lesson.meta.language
    secret = secrets(one.ask, language, one.reply.text)
    lines = told(outline, one, verdict)
    for line in lines:
        assert re.sub(r"\d+", "#", _QUOTES.sub("“…”", line)) in sentences(), line
        quoted = " ".join(_QUOTES.findall(line))
        assert secret.isdisjoint(stems(language, quoted)), (one.ask.code, one.reply.text, line)
    return len(lines)


def everything_found(outline: Outline, one: Labelled, result: VerdictResult, rule: str) -> Verdict:
    """The verdict of a grader that finds all there is to find, with all that may be told of it."""
    answer: Any = one.ask.answer
    code = language_base(outline.lesson.meta.language)
    details = {
        "reference": len(answer.accepted) - 1,
        "missing_ideas": [group[0] for group in answer.keyword_groups],
        "said": [" ".join(one.reply.text.split()[:8])],
        "right": 0.5,
        "partly": 0.2,
        "wrong": 0.3,
        "says": {wrong.code: 0.9 for wrong in one.ask.misconceptions},
    }
    readings = [place.step for place in outline.material(outline.asks[one.ask.code].index)]
    details = explanation_details(one.ask, details, one.reply.text, matcher(one.ask, code), readings)
    is_partial = result is VerdictResult.PARTIAL
    return Verdict(
        result=result, rule=rule, score=0.5, grader="any", doubtful=is_partial, provenance="rules", details=details
    )


@pytest.mark.parametrize("slug", [*map(usual_or_hard, LESSONS)])
def test_what_the_grader_found_is_told_without_the_answer(slug: str, labels_graded: LabelsGraded) -> None:
    outline = Outline(lesson_of(slug))
    rows = [(one, verdict) for one, verdict in labels_graded(slug) if verdict.result is not VerdictResult.ACCEPT]
    lines = sum(check(outline, one, verdict) for one, verdict in rows)
    assert lines > len(rows) / 8, "too little is said to prove anything"


@pytest.mark.parametrize("slug", [*map(usual_or_hard, LESSONS)])
@each("rule", ["semantic", "contradiction", "alternatives", "keywords"])
def test_whatever_a_grader_finds_is_told_without_the_answer(slug: str, rule: str) -> None:
    outline = Outline(lesson_of(slug))
    worded = [one for one in labelled(slug) if one.ask.answer.kind in ("open", "definition")]
    lines = 0
    for one in worded:
        for result in (VerdictResult.PARTIAL, VerdictResult.REJECT):
            lines += check(outline, one, everything_found(outline, one, result, f"open.{rule}"))
            # A learner's own words are quoted where they say a misconception.
            for wrong in one.ask.misconceptions[:1]:
                found = everything_found(outline, one, VerdictResult.REJECT, "misconception.semantic")
                lines += check(outline, one, found.model_copy(update={"misconception": wrong.code}))
    assert lines > len(worded) / 2, "too little is said to prove anything"


@pytest.mark.parametrize("slug", [*map(usual_or_hard, LESSONS)])
def test_every_rule_that_decides_has_a_sentence(slug: str, labels_graded: LabelsGraded) -> None:
    rules = {verdict.rule: verdict for _, verdict in labels_graded(slug)}
    assert [name for name, verdict in rules.items() if rule_in_words(verdict).startswith("The rule ")] == []
