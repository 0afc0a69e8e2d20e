"""Known wrong ideas: a reply that says what an authored example says, and is no closer to a right answer."""

from collections.abc import Sequence

from lesson_engine.contracts import Ask, Misconception, Verdict

from .matching import Matcher
from .normalise import Phrase, read_authored
from .verdicts import reject


def exact(ask: Ask, reply: Phrase, words: Matcher) -> str | None:
    """The code of the misconception one of whose examples the reply is, word for word but for slips."""
    for wrong in ask.misconceptions:
        for example in wrong.examples:
            phrase = read_authored(example, words.language)
            if phrase.key == reply.key or _same_words(phrase.key.split(), reply.key.split(), words):
                return wrong.code
    return None


def recognised(ask: Ask, code: str, rule: str, score: float = 0.0) -> Verdict:
    """The rejection that a recognised misconception leads to, with its author's feedback."""
    found = by_code(ask, code)
    return reject(rule, score).model_copy(update={"misconception": code, "feedback": found.feedback})


def by_code(ask: Ask, code: str) -> Misconception:
    """The misconception of that code; it must be there."""
    return next(wrong for wrong in ask.misconceptions if wrong.code == code)


def _same_words(wanted: Sequence[str], typed: Sequence[str], words: Matcher) -> bool:
    return len(wanted) == len(typed) and all(words.same(a, b) for a, b in zip(typed, wanted, strict=True))
