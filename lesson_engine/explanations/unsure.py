"""Words for what is not called wrong: answers of which the grader is not sure, and replies about something else."""

from django.utils.translation import gettext as _

from lesson_engine.player.state import Notice, OwnWord


def unsure_headline(*, compared: bool) -> str:
    """The grader is not sure. `compared`: the author's answer is shown beside the learner's."""
    return _("Compare your answer with this one.") if compared else _("I'm not sure I understood you.")


def unsure_text(*, compared: bool) -> str:
    """What to do next; while answers are compared the page asks."""
    return "" if compared else _("Can you say it another way? It costs no attempt.")


def own_word_headline(word: OwnWord) -> str:
    """An answer to the learner's own word on theirs."""
    return {
        "yes": _("Good. I count it as right."),
        "partly": _("Thanks for being honest. Part of it was there."),
        "no": _("Thanks for being honest. Now you know it."),
    }[word]


def settled_text(*, is_open: bool) -> str:
    """Staff looked at an answer of which the grader was not sure, and it was not right."""
    if is_open:
        return _("Something in it is not right yet. It cost you no attempt, and the question is still yours to answer.")
    return _("Something in it is not right yet. It cost you no attempt; here is the answer to compare.")


def stray_text(notice: Notice) -> str:
    """What to say of a reply that is about something else. After a jump it is another question that is shown."""
    if notice.command is not None and notice.command.op == "goto":
        return free() if notice.spared else ""
    again = _("Here is the question again.")
    return f"{again} {free()}" if notice.spared else again


def free() -> str:
    """The first such reply costs no attempt."""
    return _("This time it costs nothing.")
