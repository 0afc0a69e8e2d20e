"""Single and multiple choice."""

from typing import Any

from lesson_engine.contracts import ChoiceAnswer, MultiChoiceAnswer, Reply, Verdict
from lesson_engine.contracts.asks import Choice

from .normalise import read, read_authored
from .verdicts import accept, not_gradable, partial, reject


def grade_choice(answer: ChoiceAnswer, reply: Reply, language: str) -> Verdict:
    """Exactly one choice, by its code, or by its text where text was sent."""
    picked = _picked(answer, reply, language)
    if picked is None or len(picked) != 1:
        return not_gradable("choice.wrong_form", problem="unknown" if picked is None else "count")
    choice = picked[0]
    verdict = accept("choice.exact") if choice.correct else reject("choice.exact")
    return verdict.model_copy(update={"feedback": choice.feedback, "details": {"choice": choice.code}})


def grade_multi_choice(answer: MultiChoiceAnswer, reply: Reply, language: str) -> Verdict:
    """All right choices and no other; some of them are partly right while they outnumber the wrong ones.

    Which picks are wrong stands in no detail. Where everything was picked, what their author says of them would tell.
    """
    picked = _picked(answer, reply, language)
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


def _picked(answer: ChoiceAnswer | MultiChoiceAnswer, reply: Reply, language: str) -> list[Choice] | None:
    """The choices meant, each once, in the order of the lesson; None when one is unknown."""
    by_code = {choice.code: choice for choice in answer.choices}
    codes = set(reply.choices) or _named(answer, reply.text, language)
    if codes is None or not codes <= by_code.keys():
        return None
    return [choice for choice in answer.choices if choice.code in codes]


def _named(answer: ChoiceAnswer | MultiChoiceAnswer, text: str, language: str) -> set[str] | None:
    """Codes named by typed text: a code or the words of a choice, one to a line or between commas."""
    whole = [text] if _code_of(answer, text, language) else text.replace("\n", ",").replace(";", ",").split(",")
    codes = {_code_of(answer, part, language) for part in whole[:50] if part.strip()}
    return None if None in codes else {code for code in codes if code}


def _code_of(answer: ChoiceAnswer | MultiChoiceAnswer, text: str, language: str) -> str | None:
    key = read(text, language).key
    for choice in answer.choices:
        if text.strip() == choice.code or (key and read_authored(choice.text, language).key == key):
            return choice.code
    folded = [choice.code for choice in answer.choices if choice.code.casefold() == text.strip(" .)(").casefold()]
    return folded[0] if len(folded) == 1 else None
