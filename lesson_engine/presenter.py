"""What the player's page shows, as plain values: no rule is decided here, only put into words."""

import uuid
from dataclasses import dataclass
from typing import Literal

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from core.markup import markdown, markdown_line
from gateway.contracts import Budget
from gateway.selectors import models_configured
from lesson_engine.budget_view import BudgetView, budget_view
from lesson_engine.contracts import Ask, Item, ItemStep, Meta, Step, TextStep, Verdict
from lesson_engine.models import LessonVersion, QuestionReport, Session
from lesson_engine.notices import NoticeView, notice_view
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from lesson_engine.rail import RailMoment, percent_done, rail
from lesson_engine.step_names import step_name

Control = Literal["text", "textarea", "radio", "checkbox"]
_CONTROLS: dict[str, Control] = {"numeric": "text", "choice": "radio", "multi_choice": "checkbox"}


@dataclass(frozen=True)
class StepView:
    """A step that is read."""

    kind: str
    name: str
    title: str
    body: SafeString | str
    items: tuple[tuple[str, SafeString], ...] = ()


@dataclass(frozen=True)
class ChoiceView:
    """One offered answer."""

    code: str
    text: SafeString


@dataclass(frozen=True)
class AskView:
    """A question with its help so far. `control` is the field that suits its answer."""

    code: str
    question: SafeString
    control: Control
    instruction: str
    unit: str
    choices: tuple[ChoiceView, ...]
    hints: tuple[SafeString, ...]
    hints_left: int
    attempt: int
    attempts: int


@dataclass(frozen=True)
class ReportDraft:
    """A report of a wrong question that was sent, but not filed."""

    kind: str
    comment: str


@dataclass(frozen=True)
class Typed:
    """Values of a form's fields, and the question they were typed for; empty where the form did not say."""

    ask_code: str
    values: tuple[str, ...]
    report: ReportDraft | None = None


@dataclass(frozen=True)
class PreviewBar:
    """What is above the player when an author tries a version out.

    `sealed` is where they stand, for the forms; `steps` are where they may jump to, by moment, each with its index.
    """

    version: LessonVersion
    sealed: str
    steps: tuple[tuple[str, tuple[tuple[int, str], ...]], ...]
    here: int


@dataclass(frozen=True)
class PlayerPage:
    """Everything in the player between header and footer. What acts on the session lies below its `address`."""

    session: Session
    address: str
    outline: Outline
    state: PlayerState
    budget: BudgetView
    key: str
    rail: tuple[RailMoment, ...]
    percent: int
    position: str
    step: StepView | None = None
    ask: AskView | None = None
    notice: NoticeView | None = None
    material: tuple[StepView, ...] = ()
    material_open: bool = False
    can_continue: bool = False
    can_hint: bool = False
    can_skip: bool = False
    can_report: bool = False
    report: ReportDraft | None = None
    typed: tuple[str, ...] = ()
    unsent: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    problem: str = ""
    preview: PreviewBar | None = None

    @property
    def lesson(self) -> Meta:
        """The lesson's own metadata."""
        return self.outline.lesson.meta

    @property
    def kind(self) -> str:
        """The type of what is shown: a step type, or MICRO for a micro-step."""
        return self.step.kind if self.step else "ASK"

    @property
    def name(self) -> str:
        """What the shown step is called."""
        return self.step.name if self.step else step_name("ASK")

    @property
    def typed_text(self) -> str:
        """What stands in the field already."""
        return "\n".join(self.typed)

    @property
    def fresh_hint(self) -> bool:
        """Whether the last turn was a hint the learner asked for."""
        return self.state.notice is not None and self.state.notice.hint_shown

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
    typed: Typed | None = None,
    answered: tuple[str, ...] = (),
    earlier: Verdict | None = None,
    problem: str = "",
) -> PlayerPage:
    """The page of a session.

    `typed` was sent, but not judged: it stays in the field if it was typed for this question, and is quoted otherwise.
    `answered` is what the last answer was: it stays in the field while the same question is still open, and stands
    beside the verdict otherwise. `earlier` is the verdict on it where the last turn was no try.
    """
    place = outline.places[state.cursor]
    ask = machine.current_ask(outline, state)
    finished = state.phase == "finished"
    awaited = ask.code if ask and state.phase == "asking" else None
    again = awaited is not None and state.notice is not None and state.notice.ask_code == awaited
    fits = typed is not None and awaited is not None and typed.ask_code in ("", awaited)
    can_report = machine.can_report(outline, state)
    report = typed.report if typed and can_report and ask and typed.ask_code == ask.code else None
    return PlayerPage(
        session=session,
        address=reverse("lesson_engine:session", args=[session.pk]),
        outline=outline,
        state=state,
        budget=budget_view(budget, session, models=models_configured()),
        key=uuid.uuid4().hex,
        rail=rail(outline, state),
        percent=percent_done(outline, state),
        position=place.path,
        step=None if finished else _shown_step(outline, state, ask),
        ask=ask_view(outline, state, ask) if ask and state.phase in ("asking", "closed") else None,
        notice=notice_view(outline, state, said="\n".join(answered), earlier=earlier),
        material=tuple(step_view(p.step) for p in outline.material(place.index)) if ask else (),
        material_open=state.reread,
        can_continue=machine.can_continue(state),
        can_hint=machine.can_hint(outline, state),
        can_skip=machine.can_skip(outline, state),
        can_report=can_report,
        report=report,
        typed=typed.values if typed and fits else (answered if again else ()),
        unsent=_unsent(outline, typed, answer_kept=fits, report_kept=report is not None) if typed and problem else (),
        given=_in_words(outline, state.notice.ask_code, answered) if state.notice and not again else (),
        problem=problem,
    )


def _unsent(outline: Outline, typed: Typed, *, answer_kept: bool, report_kept: bool) -> tuple[str, ...]:
    """What was written and stands in no field any more."""
    answer = () if answer_kept else _in_words(outline, typed.ask_code, typed.values)
    comment = typed.report.comment if typed.report and not report_kept else ""
    return (*answer, comment) if comment else answer


def _in_words(outline: Outline, ask_code: str, values: tuple[str, ...]) -> tuple[str, ...]:
    """What was written, with the text of a choice for its code."""
    answer = outline.ask(ask_code).answer if ask_code in outline.asks else None
    choices = answer.choices if answer and answer.kind in ("choice", "multi_choice") else ()
    texts: dict[str, str] = {choice.code: markdown_line(choice.text) for choice in choices}
    return tuple(texts.get(value, value) for value in values if value.strip())


def _shown_step(outline: Outline, state: PlayerState, ask: Ask | None) -> StepView | None:
    if ask is None:
        return step_view(outline.places[state.cursor].step)
    micro = next((m for m in ask.micro_steps if m.code == state.micro_step), None)
    if state.phase == "micro" and micro is not None:
        return StepView("MICRO", _("A small detour"), micro.title or "", markdown(micro.body))
    return None


def step_view(step: Step) -> StepView:
    """A reading step in HTML."""
    name = step_name(step.type)
    if isinstance(step, TextStep):
        return StepView(step.type, name, step.title or "", markdown(step.body))
    if isinstance(step, ItemStep):
        body = markdown(step.body) if step.body else ""
        return StepView(step.type, name, step.title or "", body, tuple(_item(item) for item in step.items))
    raise TypeError(f"{step.type} is not a reading step")


def _item(item: Item) -> tuple[str, SafeString]:
    return (item.title or "", markdown(item.body))


def ask_view(outline: Outline, state: PlayerState, ask: Ask) -> AskView:
    """A question as the learner sees it; nothing of the expected answer is in it."""
    record, answer = state.record(ask.code), ask.answer
    choices = answer.choices if answer.kind in ("choice", "multi_choice") else ()
    return AskView(
        code=ask.code,
        question=markdown(ask.question),
        control=_CONTROLS.get(answer.kind, "textarea"),
        instruction=_instruction(answer.kind),
        unit=(answer.unit or "") if answer.kind == "numeric" else "",
        choices=tuple(ChoiceView(choice.code, markdown_line(choice.text)) for choice in choices),
        hints=tuple(markdown(hint) for hint in ask.hints[: record.hints]),
        hints_left=len(ask.hints) - record.hints,
        attempt=min(record.attempts + 1, outline.lesson.policy.attempts),
        attempts=outline.lesson.policy.attempts,
    )


def _instruction(kind: str) -> str:
    return {
        "open": _("In your own words; a sentence or two is enough."),
        "definition": _("Say what it means in your own words."),
        "list": _("One per line, or with commas between them; any order."),
        "procedure": _("One step per line, in order."),
        "numeric": _("A number, with its unit if it has one. Decimals and fractions are fine."),
        "choice": _("Pick one."),
        "multi_choice": _("Pick all that apply."),
    }[kind]
