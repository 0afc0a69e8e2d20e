"""The expected answer of an ASK in words. Shown only once the ASK is closed (design.md, "A turn")."""

import re
from decimal import Decimal

from django.utils import translation
from django.utils.formats import number_format

from lesson_engine.contracts import Ask

_ACTS_IN_MARKDOWN = re.compile(r"[\\`*_\[\]<>~$&]")


def expected_answer(ask: Ask, language: str) -> str:
    """The model answer as Markdown, its numbers as the lesson's language writes them."""
    answer = ask.answer
    match answer.kind:
        case "open" | "definition":
            return answer.accepted[0]
        case "list":
            return "\n".join(f"- {item[0]}" for item in answer.items)
        case "procedure":
            return "\n".join(f"{number}. {step[0]}" for number, step in enumerate(answer.steps, start=1))
        case "numeric":
            return f"{_number(answer.value, language)} {_escaped(answer.unit or '')}".strip()
        case "choice":
            return next(choice.text for choice in answer.choices if choice.correct)
        case "multi_choice":
            return "\n".join(f"- {choice.text}" for choice in answer.choices if choice.correct)


def reference_answers(ask: Ask, language: str) -> tuple[str, ...]:
    """Every answer that the author accepts, the one that learners see first; several things are one answer together."""
    answer = ask.answer
    match answer.kind:
        case "open" | "definition":
            return answer.accepted
        case "list":
            return ("; ".join(item[0] for item in answer.items),)
        case "procedure":
            return ("; ".join(step[0] for step in answer.steps),)
        case "numeric":
            return (f"{_number(answer.value, language)} {answer.unit or ''}".strip(),)
        case "choice" | "multi_choice":
            return ("; ".join(choice.text for choice in answer.choices if choice.correct),)


def _number(value: Decimal | str, language: str) -> str:
    if isinstance(value, str):  # a fraction, the same everywhere
        return value
    with translation.override(language):
        return number_format(format(value, "f"), use_l10n=True)


def _escaped(text: str) -> str:
    """Markdown that shows the text as it is: the two stars of "kg*m**2" are no emphasis."""
    return _ACTS_IN_MARKDOWN.sub(r"\\\g<0>", " ".join(text.split()))
