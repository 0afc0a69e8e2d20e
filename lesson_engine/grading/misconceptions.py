"""Known wrong ideas: a reply that says what an authored example says, and is no closer to a right answer."""

from collections.abc import Callable

from lesson_engine.contracts import Ask, Misconception, Verdict

from .matching import Matcher
from .normalise import Phrase, read_authored
from .verdicts import reject


def code_where(ask: Ask, matches: Callable[[str], bool]) -> str | None:
    """The code of the first misconception that has an example for which `matches` holds."""
    return next((wrong.code for wrong in ask.misconceptions if any(map(matches, wrong.examples))), None)


def exact(ask: Ask, reply: Phrase, words: Matcher) -> str | None:
    """The code of the misconception one of whose examples the reply is, word for word but for slips."""
    return code_where(ask, lambda example: words.says_the_same(reply, read_authored(example, words.language)))


def recognised(ask: Ask, code: str, rule: str, score: float = 0.0) -> Verdict:
    """The rejection that a recognised misconception leads to, with its author's feedback."""
    return reject(rule, score).model_copy(update={"misconception": code, "feedback": by_code(ask, code).feedback})


def by_code(ask: Ask, code: str) -> Misconception:
    """The misconception of that code; it must be there."""
    return next(wrong for wrong in ask.misconceptions if wrong.code == code)
