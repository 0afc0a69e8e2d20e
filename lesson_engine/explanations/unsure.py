"""Answers of which the grader is not sure: none of this calls them wrong."""

from django.utils.translation import gettext as _

from lesson_engine.player.state import OwnWord


def unsure_headline(*, compared: bool) -> str:
    """The grader is not sure. `compared`: the author's answer is shown beside the learner's."""
    return _("Compare your answer with this one.") if compared else _("I'm not sure I understood you.")


def unsure_text(*, compared: bool) -> str:
    """What to do next; while answers are compared the page asks."""
    return "" if compared else _("Can you say it another way? This answer cost you no attempt.")


def own_word_headline(word: OwnWord) -> str:
    """An answer to the learner's own word on theirs."""
    return {
        "yes": _("Good. I count it as right."),
        "partly": _("Thanks for being honest. Part of it was there."),
        "no": _("Thanks for being honest. Take a moment with this answer."),
    }[word]
