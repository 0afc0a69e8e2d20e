"""An open question: what of the answer counts, how much is missing, where to look, what to think over.

Nothing here names a word of the expected answer that is not the learner's own, the question's, or a hint's.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lesson_engine.contracts import VerdictResult
from lesson_engine.grading.matching import matcher
from lesson_engine.grading.normalise import read
from lesson_engine.grading.statements import is_soup

from .directions import stressed, told_in
from .judged import Judged
from .lines import Line, line
from .rules import doubt, main_reason

LEAST_COUNTING = 1 / 4
"""Share of the new words of an answer that must count before it is told which do: no fishing with strings of words."""


def while_open(judged: Judged) -> tuple[Line, ...]:
    """What can be said while the question waits for another answer.

    Of a misunderstanding that its author wrote about, the author said it better.
    """
    verdict = judged.verdict
    if verdict.no_attempt or verdict.result is VerdictResult.NOT_GRADABLE:
        return ()
    found = _found(judged) if verdict.misconception is None else iter(())
    return (*found, *doubt(judged))


def _found(judged: Judged) -> Iterator[Line]:
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
    """The learner's words that count; not of a string of words, which may be there to be sorted for its author."""
    covered = judged.own("covered_words")
    if not covered or not judged.said or judged.verdict.result is not VerdictResult.PARTIAL:
        return
    words = matcher(judged.ask, judged.code)
    reply = read(judged.said, judged.code)
    new = [word for word in reply.content if not words.asked(word)]
    if is_soup(reply, max(2, len(judged.ideas)), words) or len(covered) < LEAST_COUNTING * len(new):
        return
    yield line(_("This counts: %(own)s."), judged.language, sort="counts", own=covered)


def _missing_ideas(judged: Judged) -> Iterator[Line]:
    missing, all_ideas = len(judged.missing_ideas), len(judged.ideas)
    if not missing:
        if judged.verdict.result is VerdictResult.PARTIAL and judged.authored("missing_parts"):
            yield line(_("Something of the answer is still missing."), judged.language, sort="missing")
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
    yield line(sentence, judged.language, sort="missing", n=missing, all=all_ideas)
    yield from _where(judged)


def _where(judged: Judged) -> Iterator[Line]:
    """Where to look for what is missing: in what was asked, once some of it is answered, else in what was read."""
    begun = len(judged.missing_ideas) < max(1, len(judged.ideas))
    if begun and (parts := stressed(judged)):
        sentence = _("The question stresses %(authored)s: does your answer deal with it?")
        yield line(sentence, judged.language, sort="look", authored=parts)
    elif title := told_in(judged):
        sentence = _("Read %(authored)s again: it helps with what is missing.")
        yield line(sentence, judged.language, sort="look", authored=[title])


def _contradictions(judged: Judged) -> Iterator[Line]:
    if denied := judged.own("denied"):
        yield line(_("Look again at %(own)s: is it so, or is it not?"), judged.language, sort="against", own=denied)
    if opposite := judged.own("opposite"):
        yield line(
            _("Look again at %(own)s: it may be the other way round."), judged.language, sort="against", own=opposite
        )


def _items(judged: Judged) -> Iterator[Line]:
    if missing := judged.number("missing"):
        yield line(ngettext("%(n)s item is missing.", "%(n)s items are missing.", missing), judged.language, n=missing)
    extra, found = judged.own("extra"), judged.authored("found")
    if found and len(extra) > max(2, len(found)):
        # Saying which of many are wrong would sort the right ones out of any pile of guesses.
        yield line(_("Many of the things you named are not on the list: keep to a few."), judged.language)
    elif extra:
        yield line(_("These are not on the list: %(own)s."), judged.language, own=extra)


def _steps(judged: Judged) -> Iterator[Line]:
    if missing := judged.number("missing"):
        yield line(ngettext("%(n)s step is missing.", "%(n)s steps are missing.", missing), judged.language, n=missing)
    if misplaced := judged.number("out_of_place"):
        sentence = ngettext("%(n)s step is not in its place.", "%(n)s steps are not in their place.", misplaced)
        yield line(sentence, judged.language, n=misplaced)


def _picks(judged: Judged) -> Iterator[Line]:
    """What is said of picks: one thing at a time, as a teacher would.

    Nothing where a count would settle each single pick: all of them wrong, or everything picked.
    """
    extra, right = judged.number("extra"), judged.authored("found")
    if judged.reason == "all_ticked":
        return
    if extra and right:
        sentence = ngettext("%(n)s of your choices does not belong.", "%(n)s of your choices do not belong.", extra)
        yield line(sentence, judged.language, n=extra)
    elif judged.number("missing") and not extra:
        yield line(_("There is more to pick."), judged.language)


def _unit(judged: Judged) -> Iterator[Line]:
    problem = judged.verdict.details.get("unit_problem")
    if problem == "missing":
        yield line(_("Say which unit you mean."), judged.language)
    elif problem == "unknown":
        yield line(_("The unit could not be read."), judged.language)
    elif problem:
        yield line(_("Check the unit."), judged.language)
