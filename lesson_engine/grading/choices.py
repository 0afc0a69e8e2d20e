"""Single and multiple choice."""

import re
from collections.abc import Callable
from typing import Any

from lesson_engine.contracts import ChoiceAnswer, MultiChoiceAnswer, Reply, Verdict
from lesson_engine.contracts.asks import Choice
from lesson_engine.grading.quantities import same_quantity

from .andamio_3.fold import clean
from .matching import Matcher
from .normalise import read, read_authored
from .verdicts import accept, not_gradable, partial, reject

_COMMA = re.compile(r"[\n;]|,(?!\d)|(?<!\d),")
"""What parts typed choices; not the comma of "0,5"."""


def grade_choice(answer: ChoiceAnswer, reply: Reply, words: Matcher) -> Verdict:
    """Exactly one choice, by its code, or by its text where text was sent."""
    picked = _picked(answer, reply, words)
    if picked is None or len(picked) != 1:
        return not_gradable("choice.wrong_form", problem="unknown" if picked is None else "count")
    choice = picked[0]
    verdict = accept("choice.exact") if choice.correct else reject("choice.exact")
    return verdict.model_copy(update={"feedback": choice.feedback, "details": {"choice": choice.code}})


def grade_multi_choice(answer: MultiChoiceAnswer, reply: Reply, words: Matcher) -> Verdict:
    """All right choices and no other; some of them are partly right while they outnumber the wrong ones.

    No detail names the wrong picks. Where everything was picked, the author's feedback on them would.
    """
    picked = _picked(answer, reply, words)
    if not picked:
        return not_gradable("multi_choice.wrong_form", problem="unknown" if picked is None else "count")
    right = [choice.code for choice in picked if choice.correct]
    wrong = [choice for choice in picked if not choice.correct]
    wanted = sum(choice.correct for choice in answer.choices)
    details: dict[str, Any] = {"found": right, "extra": len(wrong), "missing": wanted - len(right)}
    if not wrong and len(right) == wanted:
        return accept("multi_choice.exact", **details)
    score = max(0.0, (len(right) - len(wrong)) / wanted)
    if len(picked) == len(answer.choices):
        return reject("multi_choice.all_ticked", 0.0, **details)
    feedback = "\n\n".join(choice.feedback for choice in wrong if choice.feedback) or None
    if len(right) > len(wrong):
        verdict = partial("multi_choice.some", min(score, 0.9), **details)
    else:
        verdict = reject("multi_choice.wrong", 0.0, **details)
    return verdict.model_copy(update={"feedback": feedback})


def _picked(answer: ChoiceAnswer | MultiChoiceAnswer, reply: Reply, words: Matcher) -> list[Choice] | None:
    """The choices meant, each once, in the order of the lesson; None when one is unknown."""
    by_code = {choice.code: choice for choice in answer.choices}
    codes = set(reply.choices) or _named(answer, reply.text, words)
    if codes is None or not codes <= by_code.keys():
        return None
    return [choice for choice in answer.choices if choice.code in codes]


def _named(answer: ChoiceAnswer | MultiChoiceAnswer, text: str, words: Matcher) -> set[str] | None:
    """Codes named by typed text: a code or the words of a choice, one to a line or between commas."""
    named = [text] if _code_of(answer, text, words) else _COMMA.split(text)
    codes = {_code_of(answer, part, words) for part in named[:50] if part.strip()}
    return None if None in codes else {code for code in codes if code}


def _code_of(answer: ChoiceAnswer | MultiChoiceAnswer, text: str, words: Matcher) -> str | None:
    """The choice that a text names in the nearest way in which it names one: "-3" is not "3" where both are offered."""
    typed = text.strip()
    key = read(typed, words.language).key
    ways: tuple[Callable[[Choice], bool], ...] = (
        lambda choice: typed == choice.code,
        lambda choice: clean(typed) == clean(choice.text),
        lambda choice: same_quantity(typed, choice.text, words),
        lambda choice: choice.code.casefold() == typed.strip(" .)(").casefold(),
        lambda choice: bool(key) and read_authored(choice.text, words.language).key == key,
        lambda choice: words.same_words(key.split(), read_authored(choice.text, words.language).key.split()),
    )
    for names in ways:
        codes = [choice.code for choice in answer.choices if names(choice)]
        if codes:
            return codes[0] if len(codes) == 1 else None
    return None
