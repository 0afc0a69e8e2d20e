"""Replies that do not answer the question: no attempt, about something else, not readable, or lost by our fault."""

from typing import Final

from django.utils.translation import gettext as _

from lesson_engine.contracts import Ask, TopicDeviation, Verdict, VerdictResult
from lesson_engine.player.state import Notice
from lesson_engine.player.zones import is_stray

OUR_FAULT: Final = "grader.failed"


def no_answer_headline(verdict: Verdict | None, deviation: TopicDeviation | None) -> str:
    """Empty for a reply that is an answer."""
    if verdict is None or verdict.no_attempt:
        return _attempt_headline(verdict)
    if verdict.rule == OUR_FAULT:
        return _("Something went wrong on our side.")
    if is_stray(verdict, deviation):
        return _("That seems to be about something else.")
    return _("I couldn't find an answer in that.") if verdict.result is VerdictResult.NOT_GRADABLE else ""


def no_answer_text(ask: Ask, notice: Notice, *, blanks: int, can_hint: bool) -> str:
    """What to do next; empty after an answer. `can_hint`: the question that is shown has a hint left."""
    verdict = notice.verdict
    if verdict is None:
        return ""
    if verdict.no_attempt:
        advice = (
            _("Take a hint, or answer with whatever comes to mind: a guess is a good start.")
            if can_hint
            else _("Answer with whatever comes to mind: a guess is a good start.")
        )
        return f"{advice} {_free()}" if notice.spared else advice
    if is_stray(verdict, notice.deviation):
        return _stray_text(notice)
    if verdict.result is not VerdictResult.NOT_GRADABLE:
        return ""
    return f"{_what_to_do(ask, verdict)} {_what_it_cost(blanks)}"


def try_again() -> str:
    """The plainest advice, which fits every kind of question."""
    return _("Look at what the question asks for and try once more.")


def _attempt_headline(verdict: Verdict | None) -> str:
    kind = verdict.rule if verdict else ""
    return {
        "attempt.dont_know": _("That's fine: not knowing yet is where learning starts."),
        "attempt.plea": _("I won't give it away yet, but I can help you find it."),
        "attempt.greeting": _("Hello! Let's try this question."),
        "attempt.insult": _("Questions can be annoying. This one will wait until you are ready."),
        "attempt.request": _("I can only help with this lesson. Let's get back to it."),
        "attempt.order": _("This question needs an answer of your own. Have a try!"),
    }.get(kind, _("Let's get back to the question."))


def _stray_text(notice: Notice) -> str:
    """After a jump it is another question that is shown."""
    if notice.command is not None and notice.command.op == "goto":
        return _free() if notice.spared else ""
    again = _("Here is the question again.")
    return f"{again} {_free()}" if notice.spared else again


def _free() -> str:
    """The first such reply costs no attempt."""
    return _("This time it costs no attempt.")


def _what_to_do(ask: Ask, verdict: Verdict) -> str:
    reason = verdict.rule.rsplit(".", 1)[-1]
    if verdict.rule == OUR_FAULT:
        return _("Your answer could not be checked. Please send it once more.")
    if reason == "empty":
        return _("Nothing was written: answer with whatever comes to mind.")
    if ask.answer.kind == "numeric" and reason == "wrong_form":
        return _("The question asks for a number: write just that, with its unit if it has one.")
    return _("Say it in a sentence or two of your own.") if reason == "too_long" else try_again()


def _what_it_cost(blanks: int) -> str:
    """No blanks in a row any more: this one was the third. It counts even where the fault is ours, or there were no way
    on.
    """
    if blanks:
        return _("This one did not count as an attempt.")
    return _("As the third in a row, it counts as an attempt, so that you do not get stuck.")
