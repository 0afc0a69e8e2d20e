"""The rule that decided, in a sentence. A verdict in doubt claims nothing of what is in the answer."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lesson_engine.contracts import Verdict
from lesson_engine.player.zones import is_unsure

from .judged import TRICKS, Judged, Line

_RULES = {
    "attempt.dont_know": gettext_lazy("You said that you do not know, so this counts as an attempt."),
    "attempt.plea": gettext_lazy("You asked for the answer instead of trying, so this counts as an attempt."),
    "attempt.greeting": gettext_lazy("A greeting alone counts as an attempt."),
    "attempt.order": gettext_lazy("You told the tutor what to do instead of trying."),
    "attempt.request": gettext_lazy("You asked for something that is not about this question."),
    "attempt.insult": gettext_lazy("There was no answer in your words."),
    "attempt.empty": gettext_lazy("Nothing was written."),
    "attempt.unreadable": gettext_lazy("What was written could not be read as words or numbers."),
    "exact": gettext_lazy("Your answer is one that the author wrote down, apart from spelling, accents and articles."),
    "contains": gettext_lazy("Your answer contains one that the author wrote down."),
    "keywords": gettext_lazy("Your answer was compared with the ideas that the author expects in it."),
    "semantic": gettext_lazy("The meaning of your answer was compared with the answers the author wrote down."),
    "example": gettext_lazy("A teacher has judged the same answer before."),
    "thinker": gettext_lazy("Your answer was hard to judge, and a second opinion on its meaning decided."),
    "contradiction": gettext_lazy(
        "Your answer has the right words, but some of it says the opposite of the right answer."
    ),
    "no_statement": gettext_lazy(
        "I see single words rather than a statement: say in a sentence how they belong together."
    ),
    "denied": gettext_lazy("Your answer says that something is not so: check that part once more."),
    "order": gettext_lazy("Your answer tells me what to do instead of answering."),
    "about_answer": gettext_lazy("Your answer talks about the answer instead of giving it."),
    "too_long": gettext_lazy("Your answer is far longer than needed: say it in a sentence or two of your own."),
    "echo": gettext_lazy("Your answer repeats the question: now say what you would answer."),
    "alternatives": gettext_lazy("Your answer offers more than one possibility: decide on one."),
    "misconception.exact": gettext_lazy("Your answer has a common misunderstanding in it that the author wrote about."),
    "misconception.semantic": gettext_lazy(
        "Your answer means the same as a common misunderstanding that the author wrote about."
    ),
    "numeric.value": gettext_lazy("Your number was compared with the right one, within the author's tolerance."),
    "numeric.rounded": gettext_lazy("Your number is the right one, rounded: give it more exactly."),
    "numeric.several": gettext_lazy("Your answer has several numbers: write only the one that you mean."),
    "numeric.negated": gettext_lazy("Your answer says which number it is not: write the number that it is."),
    "numeric.bound": gettext_lazy("Your answer gives a limit, as in “more than”: write the number itself."),
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
    "multi_choice.all_ticked": gettext_lazy(
        "You picked everything, so it is not clear what you think: pick only what fits."
    ),
    "self.yes": gettext_lazy("You compared your answer with the author's and said that you meant the same."),
    "self.partly": gettext_lazy("You compared your answer with the author's and said that you meant a part of it."),
    "self.no": gettext_lazy("You compared your answer with the author's and said that you meant something else."),
    "grader.failed": gettext_lazy("Something went wrong on our side while your answer was checked."),
}

_UNSURE = {
    "contradiction": gettext_lazy("Your answer may say two things that do not go together."),
    "alternatives": gettext_lazy("Your answer may leave more than one possibility open."),
    "thinker": gettext_lazy(
        "Your answer was hard to judge: a second opinion was asked, and it is still not clear whether it says what the"
        " author wrote down."
    ),
}
"""The same where the grader is not sure."""
_NOT_CLEAR = gettext_lazy(
    "The meaning of your answer was compared with the answers the author wrote down, and it is not clear whether it"
    " says the same."
)

_TELLING = frozenset({*TRICKS, "contradiction", "denied", "rounded", "several", "negated", "bound"})
"""Rules whose sentence helps with the next answer."""


def rule_in_words(verdict: Verdict) -> str:
    """One sentence for the rule of a verdict: that of its whole name, else that of its last part."""
    reason = verdict.rule.rsplit(".", 1)[-1]
    if is_unsure(verdict):
        return str(_UNSURE.get(reason, _NOT_CLEAR))
    sentence = _RULES.get(verdict.rule) or _RULES.get(reason)
    return str(sentence) if sentence else _("The rule %(rule)s decided.") % {"rule": verdict.rule}


def main_reason(judged: Judged) -> Iterator[Line]:
    """The rule, where it says what to change."""
    if judged.reason in _TELLING:
        yield judged.line(rule_in_words(judged.verdict))


def doubt(judged: Judged) -> Iterator[Line]:
    """An honest word where the grader was unsure; of what learners compare themselves the notice says it."""
    if judged.verdict.doubtful and not is_unsure(judged.verdict):
        yield judged.line(_("I am not sure about this one; a teacher may look at it again."), sort="doubt")
