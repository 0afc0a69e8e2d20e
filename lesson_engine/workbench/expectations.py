"""What an author expects of an answer, with every way of saying it: more than learners are ever shown."""

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from core.pages.markup import markdown, markdown_line
from lesson_engine.contracts import Ask
from lesson_engine.contracts.asks import ChoiceAnswer, ListAnswer, MultiChoiceAnswer, NumericAnswer, ProcedureAnswer
from lesson_engine.outcomes.expected import expected_answer

KINDS: Final[dict[str, str | Promise]] = {
    "open": _("in one's own words"),
    "definition": _("a definition"),
    "list": _("a list"),
    "procedure": _("steps in order"),
    "numeric": _("a number"),
    "choice": _("one choice"),
    "multi_choice": _("several choices"),
}

SHOWN: Final = 4
"""Accepted answers that are shown unfolded; a question may have a hundred."""
WORDS_SHOWN: Final = 6


@dataclass(frozen=True)
class WayView:
    """One thing that counts, with its other wordings."""

    text: SafeString
    others: tuple[SafeString, ...] = ()


@dataclass(frozen=True)
class IdeaView:
    """The ways of saying one idea."""

    words: tuple[str, ...]

    @property
    def first(self) -> tuple[str, ...]:
        return self.words[:WORDS_SHOWN]

    @property
    def more(self) -> int:
        return len(self.words[WORDS_SHOWN:])


@dataclass(frozen=True)
class ExpectedView:
    """Answers that count, the first `SHOWN` in `ways` and others in `more`; or the parts of the one answer.

    `ideas` must each be found, in one of their wordings. `enough` is how many parts suffice, 0 where all are wanted;
    `within` is the tolerance of a number.
    """

    kind: str | Promise
    ways: tuple[WayView, ...]
    more: tuple[WayView, ...] = ()
    numbered: bool = False
    ideas: tuple[IdeaView, ...] = ()
    enough: int = 0
    within: str = ""


def expected_view(ask: Ask, language: str) -> ExpectedView:
    answer, kind = ask.answer, KINDS[ask.answer.kind]
    match answer:
        case ListAnswer():
            return ExpectedView(kind, tuple(_way(item) for item in answer.items), enough=answer.required or 0)
        case ProcedureAnswer():
            return ExpectedView(kind, tuple(_way(step) for step in answer.steps), numbered=True)
        case NumericAnswer():
            within = f"{answer.tolerance:f} {answer.unit or ''}".strip() if answer.tolerance else ""
            return ExpectedView(kind, (WayView(markdown(expected_answer(ask, language))),), within=within)
        case ChoiceAnswer() | MultiChoiceAnswer():
            right = (choice.text for choice in answer.choices if choice.correct)
            return ExpectedView(kind, tuple(_way((text,)) for text in right))
    # By number: that is how the grader's findings name them.
    ways = tuple(_way((text,)) for text in answer.accepted)
    return ExpectedView(
        kind, ways[:SHOWN], ways[SHOWN:], numbered=True, ideas=tuple(map(IdeaView, answer.keyword_groups))
    )


def _way(phrases: tuple[str, ...]) -> WayView:
    first, *others = map(markdown_line, phrases)
    return WayView(first, tuple(others))
