"""An open question: what of the answer counts, how much is missing, where to look, what to think over.

Nothing here names a word of the expected answer that is not the learner's own, the question's, or a hint's.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lesson_engine.contracts import VerdictResult

from .judged import Judged, Line
from .rules import doubt, main_reason


def while_open(judged: Judged) -> tuple[Line, ...]:
    """What can be said while the question waits for another answer.

    Of a misunderstanding that its author wrote about, the author said it better.
    """
    verdict = judged.verdict
    if verdict.no_attempt or verdict.result is VerdictResult.NOT_GRADABLE:
        return ()
    lines = _answer_lines(judged) if verdict.misconception is None else iter(())
    return (*lines, *doubt(judged))


def _answer_lines(judged: Judged) -> Iterator[Line]:
    match judged.ask.answer.kind:
        case "open" | "definition":
            yield from main_reason(judged)
            if judged.is_trick:  # nor how many ideas were in it: that would sort any heap of words
                return
            yield from _counting(judged)
            yield from _missing_ideas(judged)
            yield from _contradictions(judged)
        case "list":
            yield from _items(judged)
        case "procedure":
            yield from _steps(judged)
        case "multi_choice":
            yield from _picks(judged)
        case "numeric":
            yield from main_reason(judged)
            yield from _unit(judged)


def _counting(judged: Judged) -> Iterator[Line]:
    """The learner's words that count, where the grader lets them be told: they may be there to be sorted."""
    covered = judged.texts("covered_words")
    if covered and judged.verdict.result is VerdictResult.PARTIAL and judged.verdict.details.get("tells_covered"):
        yield judged.line(_("This counts: %(own)s."), sort="counts", own=covered)


def _missing_ideas(judged: Judged) -> Iterator[Line]:
    missing, all_ideas = len(judged.lacking), len(judged.ideas)
    if not missing:
        if judged.verdict.result is VerdictResult.PARTIAL and judged.texts("missing_parts"):
            yield judged.line(_("Something of the answer is still missing."), sort="missing")
            yield from _where(judged)
        return
    if missing < all_ideas:
        sentence = ngettext(
            "%(n)s of the %(all)s ideas is missing.", "%(n)s of the %(all)s ideas are missing.", missing
        )
    else:
        sentence = ngettext(
            "The idea that the answer needs is missing.", "The %(n)s ideas that the answer needs are missing.", missing
        )
    yield judged.line(sentence, sort="missing", n=missing, all=all_ideas)
    yield from _where(judged)


def _where(judged: Judged) -> Iterator[Line]:
    """Where to look for what is missing: in what was asked, once some of it is answered, else in what was read."""
    begun = len(judged.lacking) < max(1, len(judged.ideas))
    if begun and (parts := judged.texts("stressed")):
        sentence = _("The question stresses %(authored)s: does your answer deal with it?")
        yield judged.line(sentence, sort="look", authored=parts)
    elif title := judged.reading:
        sentence = _("Read %(authored)s again: it helps with what is missing.")
        yield judged.line(sentence, sort="look", authored=[title])


def _contradictions(judged: Judged) -> Iterator[Line]:
    if denied := judged.texts("denied"):
        yield judged.line(_("Look again at %(own)s: is it so, or is it not?"), sort="against", own=denied)
    if opposite := judged.texts("opposite"):
        yield judged.line(_("Look again at %(own)s: it may be the other way round."), sort="against", own=opposite)


def _items(judged: Judged) -> Iterator[Line]:
    if missing := judged.number("missing"):
        yield judged.line(ngettext("%(n)s item is missing.", "%(n)s items are missing.", missing), n=missing)
    extra, right = judged.texts("extra"), judged.texts("found")
    if right and len(extra) > max(2, len(right)):
        # Saying which of many are wrong would sort the right ones out of any pile of guesses.
        yield judged.line(_("Many of the things you named are not on the list: keep to a few."))
    elif extra:
        yield judged.line(_("These are not on the list: %(own)s."), own=extra)


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
    problem = judged.verdict.details.get("unit_problem")
    if problem == "missing":
        yield judged.line(_("Say which unit you mean."))
    elif problem == "unknown":
        yield judged.line(_("The unit could not be read."))
    elif problem:
        yield judged.line(_("Check the unit."))
