"""What the lesson engine refuses, and how it says so."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from core.contracts import Contract
from core.errors import AndamioError


class Fault(Contract):
    """One thing wrong with a lesson file: where it is and what was expected there.

    `offset` is the character of the text where it stands, given only where the path cannot lead there.
    """

    path: str
    message: str
    offset: int | None = None

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class LessonRefused(AndamioError):
    """A lesson file that was refused whole; nothing of it was stored."""

    code = "lesson-refused"
    title = _("Lesson file refused")
    description = _(
        "The lesson file breaks the rules of its format, so nothing of it was stored. The errors name each place and"
        " what was expected there. The page for authors explains the format, and validate_lesson checks a file"
        " beforehand."
    )
    status = 422

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = tuple(faults)

    @property
    def places(self) -> Sequence[tuple[str, str]]:
        return [(fault.path, fault.message) for fault in self.faults]


class CourseRefused(AndamioError):
    """A course that was refused whole: its file breaks the format, or it names a lesson that is not there."""

    code = "course-refused"
    title = _("Course refused")
    description = _(
        "The course breaks the rules of its format, or names a lesson that is not there or stands in it twice. Nothing"
        " of it was stored. The errors name each place and what was expected there."
    )
    status = 422

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = tuple(faults)

    @property
    def places(self) -> Sequence[tuple[str, str]]:
        return [(fault.path, fault.message) for fault in self.faults]


class LessonRetired(AndamioError):
    """The lesson was retired, or was never published: no session of it can begin."""

    code = "lesson-retired"
    title = _("Lesson retired")
    description = _(
        "The lesson was retired, or was never published: no session of it can begin, but one that began earlier goes"
        " on. List the lessons to see which there are."
    )
    status = 409


class LessonMovedOn(AndamioError):
    """Somebody decided over a lesson as it no longer is; nothing was done."""

    code = "lesson-moved-on"
    title = _("The lesson has moved on")
    description = _(
        "Somebody else published a version of the lesson or retired it, after the page with this decision was shown."
        " Nothing was done. Look at the lesson as it is now, and decide again."
    )
    status = 409


class LessonNotFound(AndamioError):
    """No lesson of this name can be started: there is none, it was retired, or it has only drafts."""

    code = "lesson-not-found"
    title = _("Lesson not found")
    description = _(
        "No lesson of this name can be started: there is none, or its author took it back. List the lessons to see"
        " which there are. A session that began earlier goes on all the same."
    )
    status = 404


class ActionNotPossible(AndamioError):
    """The session's state does not allow this action now."""

    code = "action-not-possible"
    title = _("Action not possible now")
    description = _(
        "The session does not allow this action where it stands: there is no hint left, or no question to answer, or"
        " the lesson is over. The session's actions say what may be done; read it and choose one of them."
    )
    status = 409


class StaleSession(AndamioError):
    """The action was made for an older state of the session; nothing was done. `version` is where it stands now."""

    code = "stale-session"
    title = _("The session has moved on")
    description = _(
        "The action named a version of the session at which it no longer is: another action came first, perhaps in"
        " another window. Nothing was done. Read the session again, and act on what it shows now."
    )
    status = 409

    def __init__(self, message: str, version: int | None = None) -> None:
        super().__init__(message)
        self.version = version

    @property
    def places(self) -> Sequence[tuple[str, str]]:
        if self.version is None:
            return ()
        return (("/version", f"the session is at version {self.version}"),)


class ReviewedMeanwhile(AndamioError):
    """Another review of the answer came after the one that was seen; nothing was done. `current` is its id."""

    code = "reviewed-meanwhile"
    title = _("Reviewed by somebody else meanwhile")
    description = _(
        "The review was decided upon with another one in view than the one that counts now: somebody else of the staff"
        " came first, and says otherwise. Nothing was done. Read the verdict with its reviews, and decide again."
    )
    status = 409

    def __init__(self, message: str, current: int | None = None) -> None:
        super().__init__(message)
        self.current = current

    @property
    def places(self) -> Sequence[tuple[str, str]]:
        now = "there is no review" if self.current is None else f"the review that counts is {self.current}"
        return (("/seen", now),)


class TurnStillRunning(AndamioError):
    """The session's current turn is still being worked on; ask again in a moment."""

    code = "turn-still-running"
    title = _("The last answer is still being checked")
    description = _(
        "The session's last answer is still being judged, and nothing else can be done before. Repeat the request after"
        " as many seconds as Retry-After says; an answer with the same Idempotency-Key never counts twice."
    )
    status = 409
    retry_after = 2


class KeyReused(AndamioError):
    """The idempotency key was used for another request."""

    code = "idempotency-key-reused"
    status = 422


class AdaptCommandRefused(AndamioError):
    """A planner's command that breaks its bounds; it must not be applied."""

    code = "adapt-command-refused"
    title = _("Adaptation refused")
    description = _(
        "A planner's command breaks its bounds, such as a jump out of the current cycle, and was not applied. The"
        " detail names the bound."
    )
    status = 422
