"""Verdicts in a learner's words: the rule that decided, and what it found. Nothing here gives the answer away."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from lesson_engine.contracts import Verdict

_RULES = {
    "attempt.dont_know": gettext_lazy("You said that you do not know, so this counts as an attempt."),
    "attempt.plea": gettext_lazy("You asked for the answer instead of trying, so this counts as an attempt."),
    "attempt.greeting": gettext_lazy("A greeting alone counts as an attempt."),
    "attempt.empty": gettext_lazy("Nothing was written."),
    "attempt.unreadable": gettext_lazy("What was written could not be read as words or numbers."),
    "exact": gettext_lazy("Your answer is one that the author wrote down, apart from spelling, accents and articles."),
    "contains": gettext_lazy("Your answer contains one that the author wrote down."),
    "keywords": gettext_lazy("Your answer was compared with the ideas that the author expects in it."),
    "semantic": gettext_lazy("The meaning of your answer was compared with the answers the author wrote down."),
    "contradiction": gettext_lazy(
        "Your answer has the right words, but some of it says the opposite of the right answer."
    ),
    "no_statement": gettext_lazy("Your answer has words of the right answer, but does not say anything with them."),
    "alternatives": gettext_lazy("Your answer offers several possibilities instead of settling on one."),
    "misconception.exact": gettext_lazy("Your answer is a well-known misunderstanding that the author wrote about."),
    "misconception.semantic": gettext_lazy("Your answer means the same as a well-known misunderstanding."),
    "numeric.value": gettext_lazy("Your number was compared with the right one, within the author's tolerance."),
    "numeric.rounded": gettext_lazy("Your number is the right one, rounded."),
    "numeric.several": gettext_lazy("Your answer has several numbers, and it is not clear which one you mean."),
    "numeric.negated": gettext_lazy("Your answer says it is not the number it names."),
    "numeric.bound": gettext_lazy("Your answer gives a limit, not the number itself."),
    "numeric.unit_missing": gettext_lazy("The number is right, but the unit is missing or could not be read."),
    "numeric.unit_wrong": gettext_lazy("The number fits, but its unit does not."),
    "wrong_form": gettext_lazy("The answer does not have the form that this question asks for."),
    "list.items": gettext_lazy("The things you named were compared with the author's list, in any order."),
    "list.some": gettext_lazy("You named some of the things on the author's list."),
    "list.extra": gettext_lazy("You also named things that are not on the author's list."),
    "procedure.steps": gettext_lazy("Your steps were compared with the author's."),
    "procedure.order": gettext_lazy("Your steps and their order were compared with the author's."),
    "choice.exact": gettext_lazy("Your choice was compared with the right one."),
    "multi_choice.exact": gettext_lazy("Your choices were compared with the right ones."),
    "multi_choice.some": gettext_lazy("You picked right ones, but not exactly the right set."),
    "multi_choice.wrong": gettext_lazy("You picked at least as many wrong ones as right ones."),
    "multi_choice.all_ticked": gettext_lazy("You picked everything, so nothing was chosen."),
    "grader.failed": gettext_lazy("Something went wrong on our side while your answer was checked."),
}


def rule_in_words(verdict: Verdict) -> str:
    """One sentence for the rule of a verdict: that of its whole name, else that of its last part."""
    known = _RULES.get(verdict.rule) or _RULES.get(verdict.rule.rsplit(".", 1)[-1])
    return str(known) if known else _("The rule %(rule)s decided.") % {"rule": verdict.rule}


def detail_lines(verdict: Verdict, *, quoting: bool = True) -> Iterator[str]:
    """What the grader found, a sentence each; without `quoting` none that repeats the learner's words."""
    details = verdict.details
    yield from _picks(verdict) if verdict.rule.startswith("multi_choice.") else _missing(details)
    if quoting:
        yield from _quotes(verdict)
    if out_of_place := details.get("out_of_place"):
        yield ngettext("%(n)s step is not in its place.", "%(n)s steps are not in their place.", out_of_place) % {
            "n": out_of_place
        }
    if problem := details.get("unit_problem"):
        yield _unit(problem)


def _quotes(verdict: Verdict) -> Iterator[str]:
    details = verdict.details
    if (extra := details.get("extra")) and not verdict.rule.startswith("multi_choice."):
        yield _("These are not on the list: %(words)s.") % {"words": ", ".join(extra)}
    if denied := details.get("denied"):
        yield _("Look again at what you said is not so: “%(words)s”.") % {"words": ", ".join(denied)}
    if opposite := details.get("opposite"):
        yield _("Check this word, it may be the other way round: “%(words)s”.") % {"words": ", ".join(opposite)}


def _missing(details: dict[str, Any]) -> Iterator[str]:
    ideas = len(details.get("missing_ideas") or ())
    if ideas:
        yield ngettext("%(n)s idea is missing.", "%(n)s ideas are missing.", ideas) % {"n": ideas}
    if missing := details.get("missing"):
        yield ngettext("%(n)s item is missing.", "%(n)s items are missing.", missing) % {"n": missing}


def _picks(verdict: Verdict) -> Iterator[str]:
    """What is said of picks: one thing at a time, as a teacher would.

    Nothing where a count would settle each single pick: all of them wrong, or everything picked.
    """
    extra, right = verdict.details.get("extra", 0), len(verdict.details.get("found", ()))
    if verdict.rule == "multi_choice.all_ticked":
        return
    if extra and right:
        yield ngettext("%(n)s of your choices does not belong.", "%(n)s of your choices do not belong.", extra) % {
            "n": extra
        }
    elif verdict.details.get("missing") and not extra:
        yield _("There is more to pick.")


def _unit(problem: str) -> str:
    if problem == "missing":
        return _("Say which unit you mean.")
    if problem == "unknown":
        return _("The unit could not be read.")
    return _("Check the unit.")
