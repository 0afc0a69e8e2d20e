"""Everything the grader found, for staff: nothing is kept from them, open or closed."""

from collections.abc import Iterator

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from .judged import Judged, Line
from .once_closed import findings
from .rules import main_reason, rule_in_words

NOT_SURE = pgettext_lazy("verdict", "Not sure")
"""What a verdict in doubt is called, whatever result stands in it: the grader claims none."""
_RESULTS = {
    "ACCEPT": gettext_lazy("Right"),
    "PARTIAL": gettext_lazy("Partly right"),
    "REJECT": gettext_lazy("Not right"),
}
_BEFORE = {**_RESULTS, "PARTIAL": NOT_SURE}
"""A second opinion is asked about answers in doubt alone."""
_CONFIDENCE = {
    "low": gettext_lazy("unsure"),
    "medium": gettext_lazy("fairly sure"),
    "high": gettext_lazy("sure"),
}


def for_staff(judged: Judged) -> tuple[Line, ...]:
    """What was found and what was not, the accepted answer it was compared with, and the figures.

    Without the sentence for the rule, which the page shows above them.
    """
    rule = rule_in_words(judged.verdict)
    found = _in_words(judged) if judged.in_words else findings(judged)
    lines = (*found, *_figures(judged), *_second_opinion(judged))
    return tuple(entry for entry in lines if entry.text != rule)


def _in_words(judged: Judged) -> Iterator[Line]:
    """That there is no word for an idea says nothing of whether the answer has it: that is the network's to judge."""
    yield from main_reason(judged)
    if names := judged.lacking:
        sentence = ngettext(
            "No word was found for this idea: %(authored)s.",
            "No word was found for these ideas: %(authored)s.",
            len(names),
        )
        yield judged.line(sentence, authored=names)
    if judged.reference >= 0:
        nearest = getattr(judged.ask.answer, "accepted", ())[judged.reference]
        sentence = _("Compared with accepted answer %(n)s: %(authored)s")
        yield judged.line(sentence, authored=[nearest], n=judged.reference + 1)


def _second_opinion(judged: Judged) -> Iterator[Line]:
    """What the thinker said, and what the rules had said before."""
    thinker = judged.verdict.details.get("thinker")
    if not isinstance(thinker, dict):
        return
    rules = thinker["deterministic"]
    sentence = _("A second opinion said: %(said)s (%(sure)s). The rules had said: %(before)s, by %(rule)s.")
    yield judged.line(
        sentence,
        said=_RESULTS.get(thinker["said"], ""),
        sure=_CONFIDENCE.get(thinker["confidence"], ""),
        before=_BEFORE.get(rules["result"], ""),
        rule=rules["rule"],
    )


def _figures(judged: Judged) -> Iterator[Line]:
    """The network's word; graders before it had one probability."""
    right, partly, wrong = (judged.figure(name) for name in ("right", "partly", "wrong"))
    if right is not None:
        sentence = _("Probabilities: right %(right)s, partly right %(partly)s, wrong %(wrong)s.")
        yield judged.line(sentence, right=_two(right), partly=_two(partly), wrong=_two(wrong))
    elif (probability := judged.figure("probability")) is not None:
        yield judged.line(_("Probability of being right %(probability)s."), probability=_two(probability))


def _two(value: float | None) -> str:
    return "" if value is None else str(number_format(value, decimal_pos=2))
