"""What the lesson engine refuses, and how it says so."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from core.contracts import Contract
from core.errors import AndamioError


class Fault(Contract):
    """A fault of a lesson file: where it is and what was expected there.

    `offset` is its character in the text, given only where the path cannot lead there.
    """

    path: str
    message: str
    offset: int | None = None

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class FileRefused(AndamioError):
    """A file that was refused whole; `faults` are all that were found in it."""

    status = 422

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__("\n".join(map(str, faults)), [(fault.path, fault.message) for fault in faults])
        self.faults = tuple(faults)


class LessonRefused(FileRefused):
    """A lesson file that was refused whole; nothing of it was stored."""

    code = "lesson-refused"
    title = _("Lesson file refused")
    description = _(
        "The lesson file breaks the rules of its format, so nothing of it was stored. The errors name each place and"
        " what was expected there. The page for authors explains the format, and validate_lesson checks a file"
        " beforehand."
    )


class CourseRefused(FileRefused):
    """A course that was refused whole: its file breaks the format, or it names a lesson that is not there."""

    code = "course-refused"
    title = _("Course refused")
    description = _(
        "The course breaks the rules of its format, or names a lesson that is not there or stands in it twice. Nothing"
        " of it was stored. The errors name each place and what was expected there."
    )


class LessonRetired(AndamioError):
    code = "lesson-retired"
    title = _("Lesson retired")
    description = _(
        "The lesson was retired, or was never published: no session of it can begin, but one that began earlier goes"
        " on. List the lessons to see which there are."
    )
    status = 409


class LessonMovedOn(AndamioError):
    code = "lesson-moved-on"
    title = _("The lesson has moved on")
    description = _(
        "Somebody else published a version of the lesson or retired it, after the page with this decision was shown."
        " Nothing was done. Look at the lesson as it is now, and decide again."
    )
    status = 409


class LessonNotFound(AndamioError):
    code = "lesson-not-found"
    title = _("Lesson not found")
    description = _(
        "No lesson of this name can be started: there is none, or its author took it back. List the lessons to see"
        " which there are. A session that began earlier goes on all the same."
    )
    status = 404


class ActionNotPossible(AndamioError):
    code = "action-not-possible"
    title = _("Action not possible now")
    description = _(
        "The session does not allow this action where it stands: there is no hint left, or no question to answer, or"
        " the lesson is over. The session's actions say what may be done; read it and choose one of them."
    )
    status = 409


class StaleSession(AndamioError):
    """`version` is the present one of the session; the message names it."""

    code = "stale-session"
    title = _("The session has moved on")
    description = _(
        "The action named a version of the session at which it no longer is: another action came first, perhaps in"
        " another window. Nothing was done. Read the session again, and act on what it shows now."
    )
    status = 409

    def __init__(self, message: str, version: int | None = None) -> None:
        is_known = version is not None
        super().__init__(message, [("/version", f"the session is at version {version}")] if is_known else ())


class ReviewedMeanwhile(AndamioError):
    """`current` is the id of the review that counts now."""

    code = "reviewed-meanwhile"
    title = _("Reviewed by somebody else meanwhile")
    description = _(
        "The review was decided upon with another one in view than the one that counts now: somebody else of the staff"
        " came first, and says otherwise. Nothing was done. Read the verdict with its reviews, and decide again."
    )
    status = 409

    def __init__(self, message: str, current: int | None = None) -> None:
        now = "there is no review" if current is None else f"the review that counts is {current}"
        super().__init__(message, [("/seen", now)])


class TurnStillRunning(AndamioError):
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
    code = "adapt-command-refused"
    title = _("Adaptation refused")
    description = _(
        "A planner's command breaks its bounds, such as a jump out of the current cycle, and was not applied. The"
        " detail names the bound."
    )
    status = 422
