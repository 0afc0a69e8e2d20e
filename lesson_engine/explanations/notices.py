"""The outcome of the last turn in words for the learner."""

from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.pages.markup import markdown
from lesson_engine.contracts import Ask, Verdict, VerdictResult
from lesson_engine.explanations import Line, rule_in_words
from lesson_engine.explanations.moves import move_text
from lesson_engine.explanations.no_answer import no_answer_headline, no_answer_text
from lesson_engine.explanations.second_look import second_look_headline, second_look_text
from lesson_engine.explanations.session import explained
from lesson_engine.explanations.unsure import own_word_headline, unsure_headline, unsure_text
from lesson_engine.outcomes.expected import expected_answer
from lesson_engine.player import machine
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
    text = by_author or _text(outline, state, notice)
    lines = _lines(outline, state, notice, earlier)
    return NoticeView(
        tone=_tone(notice),
        headline=_headline(outline, state, notice),
        text=text,
        body=markdown(text) if text else "",
        by_author=bool(by_author),
        lines=lines,
        expected=_expected(outline, state, notice),
        why=_why(verdict) if verdict else None,
        move=move_text(notice, is_told=bool(text or lines)),
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
    if second_look := second_look_headline(notice, left=_was_left(outline, state, notice)):
        return second_look
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
    verdict, compared = notice.verdict, state.phase == "comparing"
    if (verdict is None and compared) or (verdict is not None and is_unsure(verdict) and not notice.spared):
        return unsure_headline(compared=compared)
    if no_answer := no_answer_headline(verdict, notice.deviation):
        return no_answer
    is_partial = verdict is not None and verdict.result is VerdictResult.PARTIAL
    return _("You're on the right track: part of it is right.") if is_partial else _("Not quite.")


def _text(outline: Outline, state: PlayerState, notice: Notice) -> str:
    """What becomes of the question, or what to do next, where the author says nothing."""
    record, verdict = state.record(notice.ask_code), notice.verdict
    if second_look := second_look_text(notice, record, left=_was_left(outline, state, notice)):
        return second_look
    if verdict is None or notice.closed_as != "open":
        return ""
    if is_unsure(verdict) and not notice.spared:
        return unsure_text(compared=state.phase == "comparing")
    can_hint = machine.can_hint(outline, state)
    return no_answer_text(outline.ask(notice.ask_code), notice, blanks=record.blanks, can_hint=can_hint)


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


def _why(verdict: Verdict) -> WhyView:
    return WhyView(rule_in_words(verdict), verdict.rule, round(100 * verdict.score), verdict.grader)
