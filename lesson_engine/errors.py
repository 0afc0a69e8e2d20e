"""What the lesson engine refuses, and how it says so."""

from collections.abc import Sequence

from core.contracts import Contract
from core.errors import AndamioError


class Fault(Contract):
    """One thing wrong with a lesson file: where it is and what was expected there."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class LessonRefused(AndamioError):
    """A lesson file that was refused whole; nothing of it was stored."""

    code = "lesson-refused"
    status = 422

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = tuple(faults)


class ActionNotPossible(AndamioError):
    """The session's state does not allow this action now."""

    code = "action-not-possible"
    status = 409


class StaleSession(AndamioError):
    """The action was made for an older state of the session; nothing was done."""

    code = "stale-session"
    status = 409


class TurnStillRunning(AndamioError):
    """The session's current turn is still being worked on; ask again in a moment."""

    code = "turn-still-running"
    status = 409


class KeyReused(AndamioError):
    """The idempotency key was used for another request."""

    code = "idempotency-key-reused"
    status = 422


class AdaptCommandRefused(AndamioError):
    """A planner's command that breaks its bounds; it must not be applied."""

    code = "adapt-command-refused"
    status = 422
