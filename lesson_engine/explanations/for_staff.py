"""Everything the grader found, for staff: nothing is kept from them, open or closed."""

from collections.abc import Iterator

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from .judged import Judged
from .lines import Line, line
from .once_closed import found
from .rules import rule_in_words

_RESULTS = {
    "ACCEPT": gettext_lazy("Right"),
    "PARTIAL": gettext_lazy("Partly right"),
    "REJECT": gettext_lazy("Not right"),
}
_CONFIDENCE = {
    "low": gettext_lazy("unsure"),
    "medium": gettext_lazy("fairly sure"),
    "high": gettext_lazy("sure"),
}


def for_staff(judged: Judged) -> tuple[Line, ...]:
    """What counted, was missing and contradicts, the accepted answer it was compared with, and the figures.

    Without the sentence for the rule, which stands above them.
    """
    rule = rule_in_words(judged.verdict)
    lines = (*_counted(judged), *found(judged), *_reference(judged), *_figures(judged), *_second_opinion(judged))
    return tuple(one for one in lines if one.text != rule)


def _counted(judged: Judged) -> Iterator[Line]:
    if covered := judged.own("covered_words"):
        yield line(_("This counted: %(own)s."), judged.language, sort="counts", own=covered)


def _reference(judged: Judged) -> Iterator[Line]:
    if judged.in_words and judged.reference >= 0:
        nearest = getattr(judged.ask.answer, "accepted", ())[judged.reference]
        sentence = _("Compared with accepted answer %(n)s: %(authored)s")
        yield line(sentence, judged.language, authored=[nearest], n=judged.reference + 1)


def _second_opinion(judged: Judged) -> Iterator[Line]:
    """What the thinker said, and what the rules had said before."""
    told = judged.verdict.details.get("thinker")
    if not isinstance(told, dict):
        return
    rules = told["deterministic"]
    sentence = _("A second opinion said: %(said)s (%(sure)s). The rules had said: %(before)s, by %(rule)s.")
    yield line(
        sentence,
        judged.language,
        said=_RESULTS.get(told["said"], ""),
        sure=_CONFIDENCE.get(told["confidence"], ""),
        before=_RESULTS.get(rules["result"], ""),
        rule=rules["rule"],
    )


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
