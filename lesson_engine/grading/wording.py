"""Open questions and definitions: answers in the learner's own words. Method and figures: docs/grading.md.

What is known word for word first: accepted answers, misconceptions, answers that staff judged, and tricks. All else is
for the network of `meaning`: sure right, sure wrong, or not sure, which is never called wrong.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from lesson_engine.contracts import Ask, DefinitionAnswer, LabelledAnswer, OpenAnswer, Verdict

from .andamio_3.fold import clean
from .examples import example_verdict
from .findings import findings
from .lexicon import lexicon
from .matching import Matcher
from .meaning import Judgement, judge
from .meaning.inputs import known_of
from .meaning.spelling import BREAK, bare, spelt_words, written_out
from .misconceptions import exact, recognised
from .normalise import Phrase, read, read_authored
from .tricks import Trick, trick_of, without_asides
from .verdicts import accept, not_gradable, partial, reject

Wording = OpenAnswer | DefinitionAnswer
_SHORT = re.compile(r"(?<![\w.,/^-])[^\W\d_]{1,10}(?![\w^(])")
_SIGN = re.compile(r"!=|[<>≤≥≠*×·÷]|(?<!\d)/|/(?!\d)|(?<=\w)[+-](?!\w)")
_ENDS = re.compile(r"^[\W_]+|[\W_]+$")
_SAME_SIGN = {"!=": "≠", "×": "*", "·": "*", "÷": "/"}


def grade_wording(ask: Ask, answer: Wording, text: str, words: Matcher, examples: Sequence[LabelledAnswer]) -> Verdict:
    """Judge a reply that is an attempt and can be read."""
    accepted = [read_authored(phrase, words.language) for phrase in answer.accepted]
    typed = read(_in_full(ask, clean(text), words), words.language)
    reply = without_asides(typed, accepted, words)
    known = _known(ask, answer, text, reply, accepted, words, examples)
    if known is not None:
        return known
    trick = trick_of(ask, typed, accepted, words)
    if trick is not None and trick.worth == "nothing":
        return _worth_nothing(ask, answer, trick)
    judged = judge(ask, reply.text, language=words.language, vocabulary=words.vocabulary, examples=examples)
    return _decide(ask, answer, reply, judged, trick, words)


def _in_full(ask: Ask, text: str, words: Matcher) -> str:
    """The text with shorthand written out ("d" for "de"), but what the ASK has itself."""
    known = known_of(ask, words.vocabulary)

    def full(word: re.Match[str]) -> str:
        return written_out(word[0], words.language, known) or word[0]

    return text if "=" in text else _SHORT.sub(full, text)


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
    typed, spelt = _spelt(ask, reply.text, words), _spelt_answers(ask, words)
    for at, phrase in enumerate(accepted):
        if words.says_the_same(reply, phrase) or (typed and typed == spelt.accepted[at]):
            if _signs(phrase) != _signs(reply):
                return reject(f"{answer.kind}.contradiction", reference=at)
            return accept(f"{answer.kind}.exact", reference=at)
    if code := exact(ask, reply, words) or spelt.wrong.get(typed):
        return recognised(ask, code, "misconception.exact")
    return None


@dataclass(frozen=True, slots=True)
class _Spelt:
    """An ASK's accepted answers word by word, and the misconceptions' codes by their examples."""

    accepted: tuple[tuple[str, ...], ...]
    wrong: dict[tuple[str, ...], str]


@lru_cache(maxsize=512)
def _spelt_answers(ask: Ask, words: Matcher) -> _Spelt:
    accepted = tuple(_spelt(ask, text, words) for text in getattr(ask.answer, "accepted", ()))
    examples = [(text, wrong.code) for wrong in ask.misconceptions for text in wrong.examples]
    # Of two misconceptions with one example the first counts.
    wrong = {_spelt(ask, text, words): code for text, code in reversed(examples)}
    return _Spelt(accepted, {typed: code for typed, code in wrong.items() if typed})


def _spelt(ask: Ask, text: str, words: Matcher) -> tuple[str, ...]:
    """The words as a dictionary spells them, shorthand written out, without articles and signs at which clauses end."""
    articles = lexicon(words.language).articles
    spelt = spelt_words(text, words.language, known_of(ask, words.vocabulary))
    return tuple(word for word in spelt if word != BREAK and bare(word) not in articles)


def _worth_nothing(ask: Ask, answer: Wording, trick: Trick) -> Verdict:
    if trick.misconception is not None:
        return recognised(ask, trick.misconception, "misconception.exact")
    return (not_gradable if trick.rule == "too_long" else reject)(f"{answer.kind}.{trick.rule}")


def _decide(
    ask: Ask, answer: Wording, reply: Phrase, judged: Judgement, trick: Trick | None, words: Matcher
) -> Verdict:
    details = findings(ask, answer, reply, judged, words)
    rule = f"{answer.kind}.semantic"
    if trick is not None and (judged.is_right or trick.misconception):  # it looks right
        named = rule if trick.rule == "no_statement" else f"{answer.kind}.{trick.rule}"
        verdict = partial(named, min(judged.score, 0.5), **details)
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
    return [_SAME_SIGN.get(sign, sign) for sign in _SIGN.findall(_ENDS.sub("", phrase.text))]
