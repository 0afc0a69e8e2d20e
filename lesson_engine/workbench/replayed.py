"""What came of grading an answer once more, in a line for staff."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lesson_engine.models import Turn
from lesson_engine.services.replaying import Replay, verdict_replay
from lesson_engine.workbench.cards import graded_name


def replay_text(turn: Turn) -> str:
    """Whether the verdict on an answer is the same when it is given again, and how many examples it looked at.

    As many queries as `verdict_replay`.
    """
    examples = len((turn.verdict or {}).get("details", {}).get("examples", ()))
    looked_at = ngettext(
        "It was held against %(n)s answer that staff had judged.",
        "It was held against %(n)s answers that staff had judged.",
        examples,
    )
    text = _state_text(verdict_replay(turn))
    return f"{looked_at % {'n': examples}} {text}" if examples else text


def _state_text(replay: Replay) -> str:
    match replay.state:
        case "same":
            return _("Graded again from the same, it comes out the same.")
        case "incomplete":
            return _(
                "It cannot be graded again from the same: the answer, or one that it was held against, was erased."
            )
        case "former":
            return _("Another version of the grader gave this verdict; it is shown as it was stored.")
        case "failed":
            return _("Grading failed, when the verdict was given or now; it is shown as it was stored.")
    assert replay.result is not None  # as of every other state
    names = {"said": graded_name(replay.result, doubtful=replay.doubtful), "percent": round(100 * (replay.score or 0))}
    return _("Graded again from the same, it comes out as “%(said)s”, %(percent)s %%.") % names
