"""What an execution refuses, and how it ends early."""

from collections.abc import Sequence
from difflib import get_close_matches

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.errors import AndamioError
from language.fold import fold


class StepFailed(AndamioError):
    """A step that cannot run on this data. The message says what it wanted, what it got, and what would mend it."""

    code = "analysis-step-failed"
    status = 422
    title = gettext_lazy("A step of the analysis cannot run")
    description = gettext_lazy("The message names the step, what it needs, what it was given, and what would mend it.")

    def __init__(self, fault: "ToolRefused", *, step: int, tool: str) -> None:
        text = _("Step %(step)d (%(tool)s): wanted %(wanted)s, got %(got)s.") % {
            "step": step, "tool": tool, "wanted": fault.wanted, "got": fault.got,
        }  # fmt: skip
        super().__init__(f"{text} {fault.mend}".strip(), [(f"/steps/{step - 1}" if step else "/table", fault.wanted)])
        self.step = step
        self.tool = tool
        self.fault = fault


class ExecutionStopped(AndamioError):
    """An execution that took too long or too much memory, or that was cancelled."""

    code = "analysis-stopped"
    status = 503
    title = gettext_lazy("The analysis was stopped")
    description = gettext_lazy("It took longer or more memory than allowed, or was cancelled. Ask about less data.")


class ToolRefused(Exception):
    """A tool cannot do what it is asked; raised without knowing at which step. `mend` is a sentence, or empty."""

    def __init__(self, *, wanted: str, got: str, mend: str = "") -> None:
        super().__init__(f"{wanted}: {got}. {mend}")
        self.wanted = wanted
        self.got = got
        self.mend = mend


def nearest_names(name: str, names: Sequence[str], count: int = 3, likeness: float = 0.5) -> tuple[str, ...]:
    """The names that look most like this one, capitals and accents aside. `likeness` as difflib has it."""
    by_folded = {fold(other): other for other in names}
    return tuple(by_folded[near] for near in get_close_matches(fold(name), list(by_folded), count, likeness))


def names_hint(name: str, names: Sequence[str]) -> str:
    """A sentence that offers the nearest names, or else the first ones."""
    near = nearest_names(name, names) or tuple(names[:10])
    return _("Use one of: %(names)s.") % {"names": ", ".join(near)}
