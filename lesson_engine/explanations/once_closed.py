"""A closed question: what was missing, in the author's words, and what the author says against what was said."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lesson_engine.contracts import ListAnswer, MultiChoiceAnswer, ProcedureAnswer, VerdictResult
from lesson_engine.player.zones import is_unsure

from .judged import Judged, Line
from .rules import doubt, main_reason

_EXACT = frozenset({"exact", "contains"})


def once_closed(judged: Judged) -> tuple[Line, ...]:
    """What an answer lacked and got wrong. Nothing of a right one that lacks nothing."""
    if judged.verdict.no_attempt or judged.verdict.result is VerdictResult.NOT_GRADABLE:
        return ()
    if is_unsure(judged.verdict):
        return tuple(_not_found(judged))
    return (*findings(judged), *_authors_way(judged), *doubt(judged))


def _not_found(judged: Judged) -> Iterator[Line]:
    """The ideas that the grader did not find; it is not sure, so they may be there in other words."""
    if names := judged.lacking:
        sentence = ngettext(
            "I could not find this idea in your words: %(authored)s.",
            "I could not find these ideas in your words: %(authored)s.",
            len(names),
        )
        yield judged.line(sentence, sort="look", authored=names)


def findings(judged: Judged) -> Iterator[Line]:
    """What the grader found, by the kind of the question."""
    match judged.ask.answer:
        case ListAnswer() as answer:
            yield from _items(judged, answer)
        case ProcedureAnswer() as answer:
            yield from _steps(judged, answer)
        case MultiChoiceAnswer() as answer:
            yield from _picks(judged, answer)
        case _ if judged.in_words:
            yield from main_reason(judged)
            yield from _missing_ideas(judged)
        case _:
            yield from main_reason(judged)
            yield from _unit(judged)


def _missing_ideas(judged: Judged) -> Iterator[Line]:
    """Of a right answer the author's own way of saying it tells more than words that were not found in it."""
    names = judged.lacking
    if names and judged.verdict.result is not VerdictResult.ACCEPT:
        sentence = ngettext(
            "This idea belongs in the answer: %(authored)s.",
            "These ideas belong in the answer: %(authored)s.",
            len(names),
        )
        yield judged.line(sentence, sort="missing", authored=names)


def _authors_way(judged: Judged) -> Iterator[Line]:
    """The accepted answer that is nearest, where it is not the one that is shown anyway."""
    if not judged.in_words or judged.reason in _EXACT or judged.reference < 0:
        return
    nearest = getattr(judged.ask.answer, "accepted", ())[judged.reference]
    if judged.verdict.result is VerdictResult.ACCEPT:
        if judged.lacking or judged.verdict.doubtful:
            yield judged.line(_("The author puts it like this: %(authored)s"), authored=[nearest])
    elif judged.reference and judged.verdict.result is VerdictResult.PARTIAL:
        yield judged.line(_("Of the author's answers this one is nearest to yours: %(authored)s"), authored=[nearest])


def _items(judged: Judged, answer: ListAnswer) -> Iterator[Line]:
    has = judged.texts("found")
    left = [item[0] for item in answer.items if item[0] not in has]
    wanted = judged.number("missing")
    if not has:  # the whole list is shown anyway
        pass
    elif wanted and wanted == len(left):
        sentence = ngettext("Missing: %(authored)s.", "%(n)s were missing: %(authored)s.", wanted)
        yield judged.line(sentence, authored=left, n=wanted)
    elif wanted:
        sentence = ngettext(
            "One more of these was needed: %(authored)s.", "%(n)s more of these were needed: %(authored)s.", wanted
        )
        yield judged.line(sentence, authored=left, n=wanted)
    if extra := judged.texts("extra"):
        sentence = ngettext("This is not on the list: %(own)s.", "These are not on the list: %(own)s.", len(extra))
        yield judged.line(sentence, own=extra)


def _steps(judged: Judged, answer: ProcedureAnswer) -> Iterator[Line]:
    order = judged.places("order", len(answer.steps))
    left = [step[0] for at, step in enumerate(answer.steps) if at not in order]
    if left and order:
        sentence = ngettext("A step was missing: %(authored)s.", "%(n)s steps were missing: %(authored)s.", len(left))
        yield judged.line(sentence, authored=left, n=len(left))
    if moved := [answer.steps[at][0] for at in judged.places("misplaced", len(answer.steps))]:
        sentence = ngettext(
            "This step was not in its place: %(authored)s.",
            "These steps were not in their place: %(authored)s.",
            len(moved),
        )
        yield judged.line(sentence, authored=moved)


def _picks(judged: Judged, answer: MultiChoiceAnswer) -> Iterator[Line]:
    if judged.reason == "all_ticked":
        yield from main_reason(judged)
        return
    right = judged.texts("found")
    left = [choice.text for choice in answer.choices if choice.correct and choice.code not in right]
    if left and right:
        sentence = ngettext("This one belongs too: %(authored)s.", "These belong too: %(authored)s.", len(left))
        yield judged.line(sentence, authored=left)
    if extra := judged.number("extra"):
        sentence = ngettext("%(n)s of your choices did not belong.", "%(n)s of your choices did not belong.", extra)
        yield judged.line(sentence, n=extra)


def _unit(judged: Judged) -> Iterator[Line]:
    problem = judged.unit_problem
    if problem == "missing":
        yield judged.line(_("The number was right, but its unit was missing."))
    elif problem == "unknown":
        yield judged.line(_("The number was right, but its unit could not be read."))
    elif problem:
        yield judged.line(_("The number fits, but its unit does not."))
