"""A closed question: what was missing, in the author's words, and what the author says against what was said."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lesson_engine.contracts import ListAnswer, MultiChoiceAnswer, ProcedureAnswer, VerdictResult
from lesson_engine.grading.matching import matcher
from lesson_engine.grading.normalise import fold, read_authored
from lesson_engine.grading.procedure import longest_run

from .judged import Judged, as_written
from .lines import Line, line
from .rules import doubt, main_reason

_EXACT = frozenset({"exact", "contains"})


def once_closed(judged: Judged) -> tuple[Line, ...]:
    """What an answer lacked and got wrong. Nothing of a right one that lacks nothing."""
    if judged.verdict.no_attempt or judged.verdict.result is VerdictResult.NOT_GRADABLE:
        return ()
    return (*found(judged), *_authors_way(judged), *doubt(judged))


def found(judged: Judged) -> Iterator[Line]:
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
            yield from _against(judged)
        case _:
            yield from main_reason(judged)
            yield from _unit(judged)


def _missing_ideas(judged: Judged) -> Iterator[Line]:
    accepted = judged.verdict.result is VerdictResult.ACCEPT
    names = [named(judged, idea) for idea in judged.missing_ideas]
    if names and accepted:
        yield line(_("The author also says: %(authored)s."), judged.language, sort="missing", authored=names)
    elif names:
        sentence = ngettext("An idea was missing: %(authored)s.", "%(n)s ideas were missing: %(authored)s.", len(names))
        yield line(sentence, judged.language, sort="missing", authored=names, n=len(names))
    elif (parts := judged.authored("missing_parts")) and not accepted:
        yield line(_("The author also says: %(authored)s."), judged.language, sort="missing", authored=parts)


def named(judged: Judged, idea: Sequence[str]) -> str:
    """The words for an idea as they stand in the answer beside which they are read; else the first of them."""
    accepted: Sequence[str] = getattr(judged.ask.answer, "accepted", ())
    words = matcher(judged.ask, judged.code)
    beside = (accepted[0], accepted[judged.reference])
    for text in beside[::-1] if judged.verdict.result is VerdictResult.ACCEPT else beside:
        said = read_authored(text, judged.code).words
        # Those that stand there letter by letter come first, then the longest.
        for word in sorted(idea, key=lambda word: (f" {fold(word)} " not in f" {' '.join(said)} ", -len(word))):
            wanted = read_authored(word, judged.code).words
            at = words.find(wanted, said)
            if at is not None:
                return as_written(" ".join(said[at : at + len(wanted)]), text)
    return idea[0]


def _against(judged: Judged) -> Iterator[Line]:
    """Each part that contradicts, beside what the author says."""
    own, authored = (*judged.own("denied"), *judged.own("opposite")), judged.authored("against")
    # "They do not breathe" against "they breathe": the same word on both sides explains nothing.
    if own and authored and {fold(word) for word in own} != {fold(word) for word in authored}:
        sentence = ngettext(
            "Your %(own)s goes against the author's %(authored)s.",
            "Your %(own)s go against the author's %(authored)s.",
            len(own),
        )
        yield line(sentence, judged.language, sort="against", own=own, authored=authored)
        return
    if denied := judged.own("denied"):
        yield line(
            _("About %(own)s your answer says the opposite of the author's."),
            judged.language,
            sort="against",
            own=denied,
        )
    if opposite := judged.own("opposite"):
        yield line(_("You wrote %(own)s; it is the other way round."), judged.language, sort="against", own=opposite)


def _authors_way(judged: Judged) -> Iterator[Line]:
    """The accepted answer that is nearest, where it is not the one that is shown anyway."""
    if not judged.in_words or judged.reason in _EXACT or judged.reference < 0:
        return
    nearest = getattr(judged.ask.answer, "accepted", ())[judged.reference]
    if judged.verdict.result is VerdictResult.ACCEPT:
        if judged.missing_ideas or judged.verdict.doubtful:
            yield line(_("The author puts it like this: %(authored)s"), judged.language, authored=[nearest])
    elif judged.reference and judged.verdict.result is VerdictResult.PARTIAL:
        yield line(_("Nearest to your answer the author wrote: %(authored)s"), judged.language, authored=[nearest])


def _items(judged: Judged, answer: ListAnswer) -> Iterator[Line]:
    has = judged.authored("found")
    left = [item[0] for item in answer.items if item[0] not in has]
    wanted = judged.number("missing")
    if not has:  # the whole list is shown anyway
        pass
    elif wanted and wanted == len(left):
        sentence = ngettext("Missing: %(authored)s.", "%(n)s were missing: %(authored)s.", wanted)
        yield line(sentence, judged.language, authored=left, n=wanted)
    elif wanted:
        sentence = ngettext("One more was wanted of: %(authored)s.", "%(n)s more were wanted of: %(authored)s.", wanted)
        yield line(sentence, judged.language, authored=left, n=wanted)
    if extra := judged.own("extra"):
        yield line(_("These are not on the list: %(own)s."), judged.language, own=extra)


def _steps(judged: Judged, answer: ProcedureAnswer) -> Iterator[Line]:
    order = [at for at in judged.verdict.details.get("order", ()) if at in range(len(answer.steps))]
    left = [step[0] for at, step in enumerate(answer.steps) if at not in order]
    if left and order:
        sentence = ngettext("A step was missing: %(authored)s.", "%(n)s steps were missing: %(authored)s.", len(left))
        yield line(sentence, judged.language, authored=left, n=len(left))
    if moved := [answer.steps[at][0] for at in misplaced(order)]:
        sentence = ngettext("Not in its place: %(authored)s.", "Not in their place: %(authored)s.", len(moved))
        yield line(sentence, judged.language, authored=moved)


def misplaced(order: Sequence[int]) -> list[int]:
    """The fewest steps that, put elsewhere, leave the others in order."""
    left, moved = list(order), []
    while longest_run(left) < len(left):
        run = longest_run(left)
        # One whose leaving does not shorten the longest run is none of it.
        at = next(at for at in range(len(left)) if longest_run(left[:at] + left[at + 1 :]) == run)
        moved.append(left.pop(at))
    return moved


def _picks(judged: Judged, answer: MultiChoiceAnswer) -> Iterator[Line]:
    if judged.reason == "all_ticked":
        yield from main_reason(judged)
        return
    right = judged.authored("found")
    left = [choice.text for choice in answer.choices if choice.correct and choice.code not in right]
    if left and right:
        sentence = ngettext("Not picked: %(authored)s.", "%(n)s were not picked: %(authored)s.", len(left))
        yield line(sentence, judged.language, authored=left, n=len(left))
    if extra := judged.number("extra"):
        sentence = ngettext("%(n)s of your choices did not belong.", "%(n)s of your choices did not belong.", extra)
        yield line(sentence, judged.language, n=extra)


def _unit(judged: Judged) -> Iterator[Line]:
    problem = judged.verdict.details.get("unit_problem")
    if problem == "missing":
        yield line(_("The number was right, but its unit was missing."), judged.language)
    elif problem == "unknown" and judged.verdict.result is VerdictResult.PARTIAL:
        yield line(_("The number was right, but its unit could not be read."), judged.language)
    elif problem and problem != "unknown":
        yield line(_("The number fits, but its unit does not."), judged.language)
