"""What the last turn tells the learner, in words."""

from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.markup import markdown
from lesson_engine.contracts import Ask, Verdict, VerdictResult
from lesson_engine.expected import expected_answer
from lesson_engine.explanations import detail_lines, rule_in_words
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import Notice, PlayerState


@dataclass(frozen=True)
class WhyView:
    """The rule behind a verdict: in words, and by its name for whoever asks back."""

    words: str
    rule: str
    percent: int
    grader: str


@dataclass(frozen=True)
class NoticeView:
    """The outcome of the last turn. `tone` is good, partial, bad or calm; `expected` is empty while the ASK is open."""

    tone: str
    headline: str
    body: SafeString | str
    by_author: bool
    lines: tuple[str, ...]
    expected: SafeString | str
    why: WhyView | None
    move: str


def notice_view(outline: Outline, state: PlayerState) -> NoticeView | None:
    """The notice of the last turn; None where there is nothing to tell."""
    notice = state.notice
    if notice is None or (notice.verdict is None and notice.closed_as == "open"):
        return None
    ask = outline.ask(notice.ask_code)
    return NoticeView(
        tone=_tone(notice),
        headline=_headline(notice),
        body=_author_body(ask, notice) or _general_body(notice, state),
        by_author=bool(_author_body(ask, notice)),
        lines=_lines(notice),
        expected=_expected(ask, notice, outline.lesson.meta.language),
        why=_why(notice.verdict) if notice.verdict else None,
        move=_move(notice),
    )


def _expected(ask: Ask, notice: Notice, language: str) -> SafeString | str:
    return markdown(expected_answer(ask, language)) if notice.closed_as in ("shown", "skipped") else ""


def _lines(notice: Notice) -> tuple[str, ...]:
    """What the grader found, while it can still help; a misconception's author said it better."""
    verdict = notice.verdict
    if verdict is None or notice.closed_as != "open" or verdict.misconception is not None:
        return ()
    return tuple(detail_lines(verdict))


def _tone(notice: Notice) -> str:
    if notice.closed_as == "mastered":
        return "good"
    if notice.closed_as != "open" or notice.verdict is None or notice.verdict.no_attempt:
        return "calm"
    return {VerdictResult.PARTIAL: "partial", VerdictResult.NOT_GRADABLE: "calm"}.get(notice.verdict.result, "bad")


def _headline(notice: Notice) -> str:
    verdict = notice.verdict
    if notice.closed_as == "mastered":
        return _("That's right.")
    if notice.closed_as == "skipped":
        return _("Skipped. Here is the answer.")
    if notice.closed_as == "shown":
        return _("Let's look at the answer together.")
    if verdict is None or verdict.no_attempt:
        return _attempt_headline(verdict)
    if verdict.rule == "grader.failed":
        return _("Something went wrong on our side.")
    return {
        VerdictResult.PARTIAL: _("You're on the right track: part of it is right."),
        VerdictResult.NOT_GRADABLE: _("I couldn't find an answer in that."),
    }.get(verdict.result, _("Not quite."))


def _attempt_headline(verdict: Verdict | None) -> str:
    kind = verdict.rule if verdict else ""
    return {
        "attempt.dont_know": _("That's fine: not knowing yet is where learning starts."),
        "attempt.plea": _("I won't give it away yet, but I can help you find it."),
        "attempt.greeting": _("Hello! Let's try this question."),
    }.get(kind, _("Let's get back to the question."))


def _author_body(ask: Ask, notice: Notice) -> SafeString | str:
    """The author's words for this case, where there are some."""
    verdict = notice.verdict
    if notice.closed_as in ("shown", "skipped"):
        return markdown(ask.feedback.reveal) if ask.feedback.reveal else ""
    if verdict is None or verdict.no_attempt or not verdict.feedback:
        return ""
    return markdown(verdict.feedback)


def _general_body(notice: Notice, state: PlayerState) -> SafeString | str:
    """What to do next, where the author says nothing."""
    verdict = notice.verdict
    if verdict is None or notice.closed_as != "open":
        return ""
    if verdict.no_attempt:
        return markdown(_("Take a hint, or write down whatever comes to mind: a guess is a good start."))
    if verdict.result == VerdictResult.NOT_GRADABLE:
        blanks = state.record(notice.ask_code).blanks
        return markdown(_ours(blanks) if verdict.rule == "grader.failed" else _unreadable(blanks))
    return ""


def _unreadable(blanks: int) -> str:
    """What to do after a reply that could not be graded. No blanks in a row any more: this one cost an attempt."""
    if blanks:
        return _("Look at what the question asks for and try once more. This one was not counted.")
    return _("Look at what the question asks for and try once more. As the third in a row, this one was counted.")


def _ours(blanks: int) -> str:
    """The same, where the fault is ours. The third in a row counts all the same: otherwise there were no way on."""
    if blanks:
        return _("Your answer could not be checked. Please try once more. This one was not counted.")
    return _("Your answer could not be checked. As the third in a row, it was counted, so that you can go on.")


def _why(verdict: Verdict) -> WhyView:
    return WhyView(rule_in_words(verdict), verdict.rule, round(100 * verdict.score), verdict.grader)


def _move(notice: Notice) -> str:
    """What the planner did, if it did something."""
    if notice.command is None or (notice.command.op == "reask" and notice.verdict and notice.verdict.no_attempt):
        return ""
    return {
        "reask": _("Try to say it in other words, closer to the question."),
        "hint": _("A hint has been added below."),
        "goto": _("Let's do this other question first; we'll come back to the one before."),
        "repeat": _("The reading is open again below: look at it once more, then try."),
        "insert_micro": _("Here is a small detour that may help."),
    }[notice.command.op]
