"""What the tutor does after an answer, besides judging it."""

from django.utils.translation import gettext as _

from lesson_engine.player.state import Notice

from .no_answer import try_again


def move_text(notice: Notice, *, is_told: bool) -> str:
    """What the planner did. `is_told`: the notice says already what to do, and need not ask for another answer."""
    if notice.command is None:
        return ""
    return {
        "reask": "" if is_told else try_again(),
        "hint": _("A hint has been added below."),
        "goto": _("Let's do this other question first; we'll come back to the one before."),
        "repeat": _("The reading is open again below: look at it once more, then try."),
        "insert_micro": _("Here is a small detour that may help."),
    }[notice.command.op]
