"""A trial's warnings in words, each with what its author may add. Codes and words of the lesson stand as they are."""

from collections.abc import Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from .results import TrialWarning
from .results import WarningKind as Kind

_MOST_OF_A_GROUP: Final = 5
_MOST_CHARS: Final = 160

_Texts = dict[Kind, str | Promise]
_FOUND: Final[_Texts] = {
    Kind.EXAMPLE_ACCEPTED: _(
        "An example of the misconception “%(code)s”, left out, would be accepted as right: “%(quote)s”."
    ),
    Kind.DENIAL_ACCEPTED: _("An accepted answer that is denied would be accepted as right: “%(quote)s”."),
    Kind.ACCEPTED_WRONG: _(
        "An accepted answer, left out, would be judged wrong: “%(quote)s”. (That is %(count)s of %(total)s.)"
    ),
    Kind.GROUP_NOT_MET: _(
        "An accepted answer has no word of the group “%(group)s”: “%(quote)s”. (That is %(count)s of %(total)s.)"
    ),
    Kind.GROUP_IN_QUESTION: _(
        "An answer that only repeats the question meets the group “%(group)s”: the question has %(words)s too."
    ),
    Kind.GROUP_IN_EXAMPLES: _(
        "Any answer meets the group “%(group)s”: all %(count)s examples of misconceptions have a word of it."
    ),
    Kind.EXAMPLE_NOT_RECOGNISED: _(
        "The misconception “%(code)s” is not recognised by its other examples in “%(quote)s”."
        " (That is %(count)s of %(total)s.)"
    ),
    Kind.FEW_ACCEPTED: ngettext_lazy(
        "There is only %(count)s accepted answer.", "There are only %(count)s accepted answers.", "count"
    ),
    Kind.FEW_EXAMPLES: _("The misconception “%(code)s” has one example only."),
    Kind.NO_MISCONCEPTION: _("There is no misconception."),
}
_FOUND_BESIDES: Final[_Texts] = {
    Kind.ACCEPTED_WRONG: _("It would be taken for the misconception “%(code)s”."),
    Kind.GROUP_NOT_MET: _("Instead it has %(words)s."),
}
"""What is added where the misconception, or a word for the same idea, is known."""
_TO_DO: Final[_Texts] = {
    Kind.EXAMPLE_ACCEPTED: _("Add to “%(code)s” examples that say the same in other words."),
    Kind.DENIAL_ACCEPTED: _("Add a misconception that says the opposite of what is right."),
    Kind.ACCEPTED_WRONG: _("Add an accepted answer that says “%(quote)s” in other words."),
    Kind.GROUP_NOT_MET: _(
        "Add the answer's own words for that idea to the group “%(group)s”,"
        " or take the group out if the answer is right without it."
    ),
    Kind.GROUP_IN_QUESTION: _("Take %(words)s out of the group “%(group)s”, or take the group out if little is left."),
    Kind.GROUP_IN_EXAMPLES: _(
        "Keep in the group “%(group)s” only words that wrong answers do not have, or take it out."
    ),
    Kind.EXAMPLE_NOT_RECOGNISED: _("Add to “%(code)s” an example that says “%(quote)s” in other words."),
    Kind.FEW_ACCEPTED: _(
        "Add some until there are four to eight: a short one, a whole sentence, one in everyday words."
    ),
    Kind.FEW_EXAMPLES: _("Add to “%(code)s” two more examples, as different learners would put it."),
    Kind.NO_MISCONCEPTION: _("Add a wrong idea that learners really have, in three wordings."),
}
_ADD_WORDS: Final = _(
    "Add %(words)s to the group “%(group)s”, or take the group out if the answer is right without it."
)


def warning_text(warning: TrialWarning) -> str:
    """What was found, in a sentence or more."""
    knows_more = (warning.kind is Kind.ACCEPTED_WRONG and warning.code) or warning.words
    besides = _FOUND_BESIDES.get(warning.kind) if knows_more else None
    return " ".join(str(text % _names(warning)) for text in (_FOUND[warning.kind], besides) if text)


def suggestion_text(warning: TrialWarning) -> str:
    """What to add, or to take out."""
    is_named = warning.kind is Kind.GROUP_NOT_MET and warning.words
    text = _ADD_WORDS if is_named else _TO_DO[warning.kind]
    return str(text % _names(warning))


def _names(warning: TrialWarning) -> dict[str, object]:
    return {
        "code": warning.code,
        "quote": _short(warning.quote.rstrip(".")),
        "group": _short(", ".join(warning.group[:_MOST_OF_A_GROUP])),
        "words": _quoted(warning.words),
        "count": warning.count,
        "total": warning.total,
    }


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words[:_MOST_OF_A_GROUP])


def _short(text: str) -> str:
    return text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS].rstrip()}…"
