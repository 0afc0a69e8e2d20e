"""The outcome of the last turn in words for the learner."""

from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.pages.markup import markdown
from lesson_engine.contracts import Ask, TopicDeviation, Verdict, VerdictResult
from lesson_engine.explanations import Line, rule_in_words
from lesson_engine.explanations.session import explained
from lesson_engine.explanations.unsure import (
    free,
    own_word_headline,
    settled_text,
    stray_text,
    unsure_headline,
    unsure_text,
)
from lesson_engine.outcomes.expected import expected_answer
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import Notice, PlayerState
from lesson_engine.player.zones import is_stray, is_unsure, own_word
from lesson_engine.selectors import Tried


@dataclass(frozen=True)
class WhyView:
    """The rule behind a verdict: in words, and by its name for questions to staff."""

    words: str
    rule: str
    percent: int
    grader: str


@dataclass(frozen=True)
class NoticeView:
    """The outcome of the last turn. `tone` is good, partial, bad or calm; `expected` is empty until the answer is told.

    `text` is the Markdown of `body`, `by_author` whether the lesson's author wrote it; `lines` explain the verdict.
    """

    tone: str
    headline: str
    text: str
    body: SafeString | str
    by_author: bool
    lines: tuple[Line, ...]
    expected: SafeString | str
    why: WhyView | None
    move: str


def notice_view(outline: Outline, state: PlayerState, *, earlier: Tried | None = None) -> NoticeView | None:
    """The notice of the last turn, or of the one before where that was a hint; None where nothing happened.

    `earlier` is the answer that is explained where the last turn was no try: the question was skipped, for example.
    """
    notice = state.notice
    if notice is None:
        return None
    says_something = notice.verdict is not None or notice.closed_as != "open" or notice.reviewed
    if not says_something and state.phase != "comparing":
        return None
    ask, verdict = outline.ask(notice.ask_code), notice.verdict
    by_author = _author_text(ask, notice)
    text = by_author or _text_about_the_question(outline, state, notice) or _general_text(notice, state)
    return NoticeView(
        tone=_tone(notice),
        headline=_headline(outline, state, notice),
        text=text,
        body=markdown(text) if text else "",
        by_author=bool(by_author),
        lines=_lines(outline, state, notice, earlier),
        expected=_expected(outline, state, notice),
        why=_why(verdict) if verdict else None,
        move=_move(notice),
    )


def _expected(outline: Outline, state: PlayerState, notice: Notice) -> SafeString | str:
    """The author's answer, once the question is closed without it, and while it is compared."""
    if state.phase != "comparing" and notice.closed_as not in ("shown", "skipped", "reported", "missed"):
        return ""
    return markdown(expected_answer(outline.ask(notice.ask_code), outline.lesson.meta.language))


def _lines(outline: Outline, state: PlayerState, notice: Notice, earlier: Tried | None) -> tuple[Line, ...]:
    told = earlier or notice
    verdict = told.verdict
    if verdict is None or notice.reviewed:  # what the grader found is not the last word any more
        return ()
    if verdict.provenance == "self":
        return ()
    reread = notice.command is not None and notice.command.op == "repeat"
    return explained(outline, state, notice.ask_code, verdict, told.deviation, reread=reread)


def _tone(notice: Notice) -> str:
    if notice.reviewed:
        return "good" if notice.closed_as == "mastered" else "calm"
    if notice.closed_as == "mastered" and not notice.reported:
        return "good"
    verdict = notice.verdict
    if notice.closed_as != "open" or verdict is None or verdict.no_attempt:
        return "calm"
    if is_unsure(verdict) or is_stray(verdict, notice.deviation):
        return "calm"
    return {VerdictResult.PARTIAL: "partial", VerdictResult.NOT_GRADABLE: "calm"}.get(verdict.result, "bad")


def _headline(outline: Outline, state: PlayerState, notice: Notice) -> str:
    if notice.reviewed:
        return _reviewed_headline(outline, state, notice)
    if notice.reported:
        return _("Thank you. Your report has been sent.")
    if notice.closed_as == "voided":
        left = _was_left(outline, state, notice)
        return _("The question you left was withdrawn.") if left else _("This question was withdrawn.")
    if notice.verdict is not None and notice.verdict.provenance == "self":
        return own_word_headline(own_word(notice.verdict.result))
    closed = {
        "mastered": _("That's right."),
        "skipped": _("Skipped. Here is the answer."),
        "shown": _("Let's look at the answer together."),
    }
    return closed.get(notice.closed_as) or _open_headline(state, notice)


def _open_headline(state: PlayerState, notice: Notice) -> str:
    """What the answer came to, while its question is open."""
    verdict = notice.verdict
    if verdict is None and state.phase == "comparing":
        return unsure_headline(compared=True)
    if verdict is None or verdict.no_attempt:
        return _attempt_headline(verdict)
    if verdict.rule == "grader.failed":
        return _("Something went wrong on our side.")
    if is_unsure(verdict) and not notice.spared:
        return unsure_headline(compared=state.phase == "comparing")
    if is_stray(verdict, notice.deviation):
        return _("That seems to be about something else.")
    return {
        VerdictResult.PARTIAL: _("You're on the right track: part of it is right."),
        VerdictResult.NOT_GRADABLE: _("I couldn't find an answer in that."),
    }.get(verdict.result, _("Not quite."))


def _reviewed_headline(outline: Outline, state: PlayerState, notice: Notice) -> str:
    if notice.closed_as != "mastered":
        return _("Your teacher looked at your answer again.")
    if _was_left(outline, state, notice):
        return _("Your teacher looked at your answer to the question you left, and accepted it.")
    return _("Your teacher looked at your answer again and accepted it.")


def _attempt_headline(verdict: Verdict | None) -> str:
    kind = verdict.rule if verdict else ""
    return {
        "attempt.dont_know": _("That's fine: not knowing yet is where learning starts."),
        "attempt.plea": _("I won't give it away yet, but I can help you find it."),
        "attempt.greeting": _("Hello! Let's try this question."),
        "attempt.insult": _("Questions can be annoying. This one will wait until you are ready."),
        "attempt.request": _("I can only help with this lesson. Let's get back to it."),
        "attempt.order": _("Only an answer moves this question on. Have a try!"),
    }.get(kind, _("Let's get back to the question."))


def _author_text(ask: Ask, notice: Notice) -> str:
    """The author's words for this case, where there are some."""
    verdict = notice.verdict
    if notice.reported or notice.reviewed:
        return ""
    if notice.closed_as in ("shown", "skipped"):
        return ask.feedback.reveal or ""
    if verdict is None or verdict.no_attempt or is_unsure(verdict) or is_stray(verdict, notice.deviation):
        return ""
    return verdict.feedback or ""


def _was_left(outline: Outline, state: PlayerState, notice: Notice) -> bool:
    """Whether the notice is about a question that is not the one shown."""
    return outline.asks[notice.ask_code].index != state.cursor


def _text_about_the_question(outline: Outline, state: PlayerState, notice: Notice) -> str:
    """What happens next with a question that is wrong, or may be, or that was scored anew."""
    if notice.reviewed:
        return _reviewed_text(outline, state, notice)
    if notice.closed_as == "voided":
        if _was_left(outline, state, notice):
            return _("It was not right as it stood. It does not count in your result, and it will not come back.")
        return _("It was not right as it stood. It does not count in your result, and you need not answer it.")
    if not notice.reported:
        return ""
    if notice.closed_as == "reported":
        return _(
            "Somebody will look at this question. It cost you no attempt, and you can go on. Until that is decided it "
            "counts as not answered; if the question is wrong, it is taken out of your result."
        )
    return _(
        "Somebody will look at this question. Until that is decided your result stays as it is; if the question is "
        "wrong, it is taken out of your result."
    )


def _reviewed_text(outline: Outline, state: PlayerState, notice: Notice) -> str:
    if notice.closed_as == "mastered" and _was_left(outline, state, notice):
        return _("It counts as answered, and the question will not come back.")
    if notice.spared:
        return settled_text(is_open=notice.closed_as == "open")
    return {
        "mastered": _("It counts as answered, and you can go on."),
        "missed": _(
            "Something in it is not right yet. That was overlooked at first, which was our slip and not yours. It does"
            " not count as answered; here is the answer to compare."
        ),
        "open": _("Your attempts were counted anew. The question is still yours to answer."),
    }.get(notice.closed_as, _("The question counts as it ended before."))


def _general_text(notice: Notice, state: PlayerState) -> str:
    """What to do next, where the author says nothing."""
    verdict = notice.verdict
    if verdict is None or notice.closed_as != "open":
        return ""
    if is_unsure(verdict) and not notice.spared:
        return unsure_text(compared=state.phase == "comparing")
    if verdict.no_attempt:
        advice = _("Take a hint, or write down whatever comes to mind: a guess is a good start.")
        return f"{advice} {free()}" if notice.spared else advice
    if is_stray(verdict, notice.deviation):
        return stray_text(notice)
    if verdict.result == VerdictResult.NOT_GRADABLE:
        blanks = state.record(notice.ask_code).blanks
        return _ours(blanks) if verdict.rule == "grader.failed" else _unreadable(blanks)
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
    """What the planner did, if it did something that was not said already."""
    command, verdict = notice.command, notice.verdict
    if command is None or (command.op == "reask" and verdict and _says_what_to_do(verdict, notice.deviation)):
        return ""
    return {
        "reask": _("Try to say it in other words, closer to the question."),
        "hint": _("A hint has been added below."),
        "goto": _("Let's do this other question first; we'll come back to the one before."),
        "repeat": _("The reading is open again below: look at it once more, then try."),
        "insert_micro": _("Here is a small detour that may help."),
    }[command.op]


def _says_what_to_do(verdict: Verdict, deviation: TopicDeviation | None) -> bool:
    """Whether the notice itself asks for another answer."""
    return verdict.no_attempt or is_unsure(verdict) or is_stray(verdict, deviation)
