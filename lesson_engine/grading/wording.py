"""Open questions and definitions: answers in the learner's own words. Method and figures: docs/grading.md.

What is known word for word first: accepted answers, misconceptions, answers that staff judged, and tricks. All else is
for the network of `meaning`: sure right, sure wrong, or not sure, which is never called wrong.
"""

import re
from collections.abc import Sequence

from lesson_engine.contracts import Ask, DefinitionAnswer, LabelledAnswer, OpenAnswer, Verdict

from .examples import example_verdict
from .findings import findings
from .matching import Matcher
from .meaning import Judgement, judge
from .misconceptions import exact, recognised
from .normalise import Phrase, read, read_authored
from .tricks import Trick, trick_of, without_asides
from .verdicts import Embed, accept, not_gradable, partial, reject

Wording = OpenAnswer | DefinitionAnswer
_SIGN = re.compile(r"!=|[<>≤≥≠*×·÷]|(?<!\d)/|/(?!\d)|(?<=\w)[+-](?!\w)")
_SAME_SIGN = {"!=": "≠", "×": "*", "·": "*", "÷": "/"}


def grade_wording(
    ask: Ask, answer: Wording, text: str, words: Matcher, embed: Embed, examples: Sequence[LabelledAnswer]
) -> Verdict:
    """Judge a reply that is an attempt and can be read."""
    accepted = [read_authored(phrase, words.language) for phrase in answer.accepted]
    typed = read(text, words.language)
    reply = without_asides(typed, accepted, words)
    known = _known(ask, answer, text, reply, accepted, words, examples)
    if known is not None:
        return known
    trick = trick_of(ask, typed, accepted, words)
    if trick is not None and trick.worth == "nothing":
        return _worth_nothing(ask, answer, trick)
    judged = judge(
        ask, reply.text, language=words.language, embed=embed, vocabulary=words.vocabulary, examples=examples
    )
    return _decide(ask, answer, reply, judged, trick, words, embed)


def _known(
    ask: Ask,
    answer: Wording,
    text: str,
    reply: Phrase,
    accepted: Sequence[Phrase],
    words: Matcher,
    examples: Sequence[LabelledAnswer],
) -> Verdict | None:
    """The verdict on what somebody has judged already, word for word but for slips."""
    if labelled := example_verdict(answer.kind, text, examples, words.language):
        return labelled
    for at, phrase in enumerate(accepted):
        if words.says_the_same(reply, phrase):
            if _signs(phrase) != _signs(reply):
                return reject(f"{answer.kind}.contradiction", reference=at)
            return accept(f"{answer.kind}.exact", reference=at)
    if code := exact(ask, reply, words):
        return recognised(ask, code, "misconception.exact")
    return None


def _worth_nothing(ask: Ask, answer: Wording, trick: Trick) -> Verdict:
    if trick.misconception is not None:
        return recognised(ask, trick.misconception, "misconception.exact")
    return (not_gradable if trick.rule == "too_long" else reject)(f"{answer.kind}.{trick.rule}")


def _decide(
    ask: Ask, answer: Wording, reply: Phrase, judged: Judgement, trick: Trick | None, words: Matcher, embed: Embed
) -> Verdict:
    details = findings(ask, answer, reply, judged, words, embed)
    rule = f"{answer.kind}.semantic"
    if trick is not None:  # it may look right
        verdict = partial(f"{answer.kind}.{trick.rule}", min(judged.score, 0.5), **details)
        return verdict.model_copy(update={"doubtful": True, "misconception": trick.misconception})
    if judged.is_right:
        return accept(rule, judged.score, **details)
    if judged.is_wrong:
        if code := judged.misconception:
            verdict = recognised(ask, code, "misconception.semantic", judged.score)
            return verdict.model_copy(update={"details": details})
        return reject(rule, judged.score, **details)
    return partial(rule, judged.score, **details).model_copy(update={"doubtful": True})


def _signs(phrase: Phrase) -> list[str]:
    """The signs between words, which keys do not hold: "x > 5" is not "x < 5". Hyphens and bullets are none."""
    return [_SAME_SIGN.get(sign, sign) for sign in _SIGN.findall(phrase.text)]
