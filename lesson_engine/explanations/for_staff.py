"""Everything the grader found, for staff: nothing is kept from them, open or closed."""

from collections.abc import Iterator

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from .judged import Judged
from .lines import Line, line
from .once_closed import found
from .rules import rule_in_words


def for_staff(judged: Judged) -> tuple[Line, ...]:
    """What counted, was missing and contradicts, the accepted answer it was compared with, and the figures.

    Without the sentence for the rule, which stands above them.
    """
    rule = rule_in_words(judged.verdict)
    lines = (*_counted(judged), *found(judged), *_reference(judged), *_figures(judged))
    return tuple(one for one in lines if one.text != rule)


def _counted(judged: Judged) -> Iterator[Line]:
    if covered := judged.own("covered_words"):
        yield line(_("This counted: %(own)s."), judged.language, sort="counts", own=covered)


def _reference(judged: Judged) -> Iterator[Line]:
    if judged.in_words and judged.reference >= 0:
        nearest = getattr(judged.ask.answer, "accepted", ())[judged.reference]
        sentence = _("Compared with accepted answer %(n)s: %(authored)s")
        yield line(sentence, judged.language, authored=[nearest], n=judged.reference + 1)


def _figures(judged: Judged) -> Iterator[Line]:
    likeness, probability = judged.figure("likeness"), judged.figure("probability")
    if likeness is not None and probability is not None:
        sentence = _("Likeness %(likeness)s, probability of being right %(probability)s.")
    elif likeness is not None:
        sentence = _("Likeness %(likeness)s.")
    elif probability is not None:
        sentence = _("Probability of being right %(probability)s.")
    else:
        return
    yield line(sentence, judged.language, likeness=_two(likeness), probability=_two(probability))


def _two(value: float | None) -> str:
    return "" if value is None else str(number_format(value, decimal_pos=2))
