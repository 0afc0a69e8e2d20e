"""What the player's page shows, as plain values: no rule is decided here, only put into words."""

import uuid
from dataclasses import dataclass

from django.urls import reverse

from core.pages.markup import markdown_line
from gateway.contracts import Budget
from gateway.selectors import models_configured
from lesson_engine.contracts import Meta
from lesson_engine.explanations.notices import NoticeView, notice_view
from lesson_engine.learn.budget import BudgetView, budget_view
from lesson_engine.learn.results import MomentProgress, moments_progress, percent_done
from lesson_engine.learn.steps import AskView, StepView, shown_question, shown_step
from lesson_engine.learn.submissions import Submission
from lesson_engine.models import LessonVersion, QuestionReport, Session
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from lesson_engine.player.step_names import step_name
from lesson_engine.selectors import Tried


@dataclass(frozen=True)
class PreviewBar:
    """The bar above the player when an author tries a version out.

    `sealed` is the signed state, for the forms; `steps` are where they may jump to, by moment, each with its index;
    `trial` is the address that shows how the current question would fare, empty where none does.
    """

    version: LessonVersion
    sealed: str
    steps: tuple[tuple[str, tuple[tuple[int, str], ...]], ...]
    current: int
    trial: str = ""


@dataclass(frozen=True)
class PlayerPage:
    """Everything in the player between header and footer. What acts on the session lies below its `address`.

    `can_compare`: the grader is not sure of an answer, and the learner may compare it at once.
    """

    session: Session
    address: str
    outline: Outline
    state: PlayerState
    budget: BudgetView
    key: str
    rail: tuple[MomentProgress, ...]
    percent: int
    position: str
    step: StepView | None = None
    ask: AskView | None = None
    notice: NoticeView | None = None
    can_continue: bool = False
    can_hint: bool = False
    can_skip: bool = False
    can_compare: bool = False
    can_report: bool = False
    report: Submission | None = None
    typed: tuple[str, ...] = ()
    unsent: tuple[str, ...] = ()
    answered: tuple[str, ...] = ()
    problem: str = ""
    preview: PreviewBar | None = None

    @property
    def lesson(self) -> Meta:
        """The lesson's own metadata."""
        return self.outline.lesson.meta

    @property
    def kind(self) -> str:
        """The type of what is shown: a step type, or MICRO for a micro-step."""
        return self.step.type if self.step else "ASK"

    @property
    def name(self) -> str:
        """What the shown step is called."""
        return self.step.name if self.step else step_name("ASK")

    @property
    def typed_text(self) -> str:
        """The text that is in the field already."""
        return "\n".join(self.typed)

    @property
    def fresh_hint(self) -> bool:
        """Whether the last turn was a hint the learner asked for."""
        return self.state.notice is not None and self.state.notice.hint_shown

    @property
    def is_comparing(self) -> bool:
        """Whether the learner has the author's answer beside theirs, and is asked what they meant."""
        return self.state.phase == "comparing"

    @property
    def report_kinds(self) -> list[tuple[str, str]]:
        """What may be wrong with a question, each with its words."""
        return [(kind.value, str(kind.label)) for kind in QuestionReport.Kind]

    @property
    def form(self) -> str:
        """How the answers of the form are to be read: as choices or as text."""
        return "choices" if self.ask and self.ask.control in ("radio", "checkbox") else "text"


def player_page(
    session: Session,
    outline: Outline,
    state: PlayerState,
    budget: Budget,
    *,
    typed: Submission | None = None,
    answered: tuple[str, ...] = (),
    earlier: Tried | None = None,
    problem: str = "",
) -> PlayerPage:
    """The page of a session.

    `typed` was sent, but not judged: it stays in the field if it was typed for this question, and is quoted otherwise.
    `answered` is what the last answer was: it stays in the field while the same question is still open, and is shown
    with the verdict otherwise. `earlier` is how it was judged where the last turn was no try.
    """
    ask = machine.current_ask(outline, state)
    awaited = ask.code if ask and state.phase == "asking" else None
    again = awaited is not None and state.notice is not None and state.notice.ask_code == awaited
    fits = typed is not None and awaited is not None and typed.ask_code in ("", awaited)
    can_report = machine.can_report(outline, state)
    report = typed if typed and typed.kind and can_report and ask and typed.ask_code == ask.code else None
    return PlayerPage(
        session=session,
        address=reverse("lesson_engine:session", args=[session.pk]),
        outline=outline,
        state=state,
        budget=budget_view(budget, session, models=models_configured()),
        key=uuid.uuid4().hex,
        rail=moments_progress(outline, state),
        percent=percent_done(outline, state),
        position=outline.places[state.cursor].path,
        step=shown_step(outline, state, ask),
        ask=shown_question(outline, state, ask),
        notice=notice_view(outline, state, earlier=earlier),
        can_continue=machine.can_continue(state),
        can_hint=machine.can_hint(outline, state),
        can_skip=machine.can_skip(outline, state),
        can_compare=machine.can_compare(outline, state),
        can_report=can_report,
        report=report,
        typed=typed.values if typed and fits else (answered if again else ()),
        unsent=_unsent(outline, typed, answer_kept=fits, report_kept=report is not None) if typed and problem else (),
        answered=_in_words(outline, state.notice.ask_code, answered) if state.notice and not again else (),
        problem=problem,
    )


def _unsent(outline: Outline, typed: Submission, *, answer_kept: bool, report_kept: bool) -> tuple[str, ...]:
    """What was written and is in no field any more."""
    answer = () if answer_kept else _in_words(outline, typed.ask_code, typed.values)
    comment = typed.comment if typed.kind and not report_kept else ""
    return (*answer, comment) if comment else answer


def _in_words(outline: Outline, ask_code: str, values: tuple[str, ...]) -> tuple[str, ...]:
    """What was written, with the text of a choice for its code."""
    answer = outline.ask(ask_code).answer if ask_code in outline.asks else None
    choices = answer.choices if answer and answer.kind in ("choice", "multi_choice") else ()
    texts: dict[str, str] = {choice.code: markdown_line(choice.text) for choice in choices}
    return tuple(texts.get(value, value) for value in values if value.strip())
