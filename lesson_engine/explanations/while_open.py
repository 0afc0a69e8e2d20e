"""An open question: what is missing, where to look, which part of the answer is a known misunderstanding.

Nothing here names a word of the expected answer that is not the learner's own, the question's, or a hint's.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lesson_engine.contracts import VerdictResult
from lesson_engine.player.zones import is_unsure

from .judged import Judged, Line
from .rules import main_reason


def while_open(judged: Judged) -> tuple[Line, ...]:
    """What can be said while the question waits for another answer.

    Of a misunderstanding that its author wrote about, the author said it better.
    """
    verdict = judged.verdict
    if verdict.no_attempt or verdict.result is VerdictResult.NOT_GRADABLE:
        return ()
    if is_unsure(verdict):
        return tuple(_unsure_lines(judged))
    return tuple(_answer_lines(judged) if verdict.misconception is None else _meant(judged))


def _unsure_lines(judged: Judged) -> Iterator[Line]:
    """Where to look: a verdict in doubt calls nothing right, missing or wrong, nor counts ideas by their words."""
    if judged.in_words and not judged.is_trick and judged.lacking:
        yield from _where(judged)


def _answer_lines(judged: Judged) -> Iterator[Line]:
    match judged.ask.answer.kind:
        case "open" | "definition":
            yield from main_reason(judged)
            if not judged.is_trick:  # where to look would sort any heap of words
                yield from _where(judged)
        case "list":
            yield from _items(judged)
        case "procedure":
            yield from _steps(judged)
        case "multi_choice":
            yield from _picks(judged)
        case "numeric":
            yield from main_reason(judged)
            yield from _unit(judged)


def _meant(judged: Judged) -> Iterator[Line]:
    """The part of a longer answer that says the misconception, of which the author speaks."""
    if said := judged.texts("said"):
        yield judged.line(_("That is about this part of your answer: %(own)s."), sort="against", own=said)


def _where(judged: Judged) -> Iterator[Line]:
    """Where to look again: a part that the question stresses, or a text that was read.

    Of that part it is not known whether the answer takes it up in other words ("why"), so nothing is said of that.
    """
    begun = len(judged.lacking) < max(1, len(judged.ideas))
    if begun and (parts := judged.texts("stressed")):
        sentence = _("Read the question once more: it also asks about %(authored)s.")
        yield judged.line(sentence, sort="look", authored=parts)
    elif title := judged.reading:
        yield judged.line(_("Read %(authored)s again: it will help you here."), sort="look", authored=[title])


def _items(judged: Judged) -> Iterator[Line]:
    if missing := judged.number("missing"):
        yield judged.line(ngettext("%(n)s item is missing.", "%(n)s items are missing.", missing), n=missing)
    extra, right = judged.texts("extra"), judged.texts("found")
    if right and len(extra) > max(2, len(right)):
        # Saying which of many are wrong would sort the right ones out of any pile of guesses.
        yield judged.line(_("Most of what you named is not on my list: name only what you are sure of."))
    elif extra:
        sentence = ngettext("This is not on my list: %(own)s.", "These are not on my list: %(own)s.", len(extra))
        yield judged.line(sentence, own=extra)


def _steps(judged: Judged) -> Iterator[Line]:
    if missing := judged.number("missing"):
        yield judged.line(ngettext("%(n)s step is missing.", "%(n)s steps are missing.", missing), n=missing)
    if misplaced := judged.number("out_of_place"):
        sentence = ngettext("%(n)s step is not in its place.", "%(n)s steps are not in their place.", misplaced)
        yield judged.line(sentence, n=misplaced)


def _picks(judged: Judged) -> Iterator[Line]:
    """One thing at a time about picks, as a teacher would.

    Nothing where a count would settle each single pick: all of them wrong, or everything picked.
    """
    extra, right = judged.number("extra"), judged.texts("found")
    if judged.reason == "all_ticked":
        return
    if extra and right:
        sentence = ngettext("%(n)s of your choices does not belong.", "%(n)s of your choices do not belong.", extra)
        yield judged.line(sentence, n=extra)
    elif judged.number("missing") and not extra:
        yield judged.line(_("There is more to pick."))


def _unit(judged: Judged) -> Iterator[Line]:
    problem = judged.unit_problem
    if problem == "missing":
        yield judged.line(_("Your number is right: now add its unit."))
    elif problem == "unknown":
        yield judged.line(_("Your number is right, but I could not read its unit: write it another way."))
    elif problem:
        yield judged.line(_("The number fits, but its unit does not: check the unit."))
