"""Rows of the lesson engine: lessons and their frozen versions, sessions, turns, and learners' words."""

import hashlib
import uuid
from datetime import datetime, timedelta

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from pgvector.django import HalfVectorField

from core.models import LeasedWork, Refuse
from evaluation.models import Evaluation
from lesson_engine.contracts import TopicDeviation, VerdictResult
from planning.models import Plan

CLOCK_WAS_WRONG = timedelta(minutes=10)
"""No lease is so long: one that ends later was written before the clock was set back."""
_MAX_CHAIN = 64
_NEVER = pgtrigger.Update | pgtrigger.Delete | pgtrigger.Truncate
_RESULTS = [(result.value, result.value) for result in VerdictResult]
_DEVIATIONS = [(deviation.value, deviation.value) for deviation in TopicDeviation]
DIMENSIONS = 512
"""Of the local embedder's vectors."""
EXAMPLE_RESULTS = (VerdictResult.ACCEPT, VerdictResult.PARTIAL, VerdictResult.REJECT)
"""What an example can be worth: to say that something is no answer teaches nothing about answers."""


class Lesson(models.Model):
    """A lesson under its slug; what it says is in its versions."""

    slug = models.CharField(_("slug"), max_length=80, unique=True)
    current = models.ForeignKey(
        "LessonVersion",
        verbose_name=_("current version"),
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("None: there are only drafts, or the lesson is retired; no session can begin."),
    )

    class Meta:
        verbose_name, verbose_name_plural = _("lesson"), _("lessons")

    def __str__(self) -> str:
        return self.slug

    @property
    def chain(self) -> str:
        """The chain of what happens to it: `lesson:<slug>`, the end of a slug too long for it by its hash."""
        chain = f"lesson:{self.slug}"
        if len(chain) <= _MAX_CHAIN:
            return chain
        return f"{chain[: _MAX_CHAIN - 17]}:{hashlib.sha256(self.slug.encode()).hexdigest()[:16]}"


class LessonVersion(models.Model):
    """The bytes of a lesson file as they were uploaded, known by their SHA-256. Never changes."""

    lesson = models.ForeignKey(Lesson, verbose_name=_("lesson"), on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField(_("number"))
    sha256 = models.CharField("SHA-256", max_length=64, unique=True)
    source = models.BinaryField()
    title = models.CharField(_("title"), max_length=300)
    language = models.CharField(_("language"), max_length=5)
    summary = models.TextField(_("summary"))
    steps = models.PositiveIntegerField(_("steps"))
    questions = models.PositiveIntegerField(_("questions"))
    imported_at = models.DateTimeField(_("imported"), auto_now_add=True)
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("uploaded by"),
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("None: it came by a command."),
    )

    class Meta:
        verbose_name, verbose_name_plural = _("lesson version"), _("lesson versions")
        constraints = (
            models.UniqueConstraint(fields=["lesson", "number"], name="lesson_version_number"),
            models.CheckConstraint(condition=Q(sha256__regex=r"^[0-9a-f]{64}$"), name="lesson_version_sha256"),
        )
        triggers = (Refuse(name="version_frozen", operation=_NEVER),)

    def __str__(self) -> str:
        return f"{self.title} · {self.number}"


class Publication(models.Model):
    """One change of what learners get of a lesson: `version` was published, or with None the lesson was retired."""

    lesson = models.ForeignKey(Lesson, verbose_name=_("lesson"), on_delete=models.PROTECT, related_name="publications")
    version = models.ForeignKey(
        LessonVersion,
        verbose_name=_("lesson version"),
        null=True,
        on_delete=models.PROTECT,
        related_name="publications",
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("by"), null=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(_("time"), auto_now_add=True)

    class Meta:
        verbose_name, verbose_name_plural = _("publication"), _("publications")
        triggers = (Refuse(name="publication_frozen", operation=_NEVER),)

    def __str__(self) -> str:
        return f"{self.lesson_id}: {self.version_id or 'retired'}"


class Course(models.Model):
    """Lessons that belong together, in the order in which they are best taken."""

    slug = models.SlugField(_("slug"), max_length=80, unique=True)
    title = models.CharField(_("title"), max_length=300)
    language = models.CharField(_("language"), max_length=5, choices=settings.LANGUAGES)
    summary = models.TextField(_("summary"), max_length=1000)
    lessons = models.ManyToManyField(Lesson, through="CourseLesson", related_name="courses")

    class Meta:
        verbose_name, verbose_name_plural = _("course"), _("courses")

    def __str__(self) -> str:
        return self.title


class CourseLesson(models.Model):
    """A lesson's place in a course."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="places")
    lesson = models.ForeignKey(Lesson, verbose_name=_("lesson"), on_delete=models.PROTECT, related_name="places")
    position = models.PositiveSmallIntegerField(_("position"))

    class Meta:
        verbose_name, verbose_name_plural = _("lesson of a course"), _("lessons of a course")
        constraints = (
            models.UniqueConstraint(fields=["course", "lesson"], name="course_has_lesson_once"),
            models.UniqueConstraint(
                fields=["course", "position"], name="course_position_once", deferrable=models.Deferrable.DEFERRED
            ),
        )

    def __str__(self) -> str:
        return f"{self.course_id}: {self.position}"


class Mode(models.TextChoices):
    """Deterministic walks the lesson as written; adaptive lets the bounded planner help."""

    DETERMINISTIC = "deterministic", _("Deterministic")
    ADAPTIVE = "adaptive", _("Adaptive")


class Session(models.Model):
    """One walk through one version of a lesson. `version` counts its turns; an action names the one it saw."""

    class Status(models.TextChoices):
        ACTIVE = "active", pgettext_lazy("session", "active")
        FINISHED = "finished", pgettext_lazy("session", "finished")
        SET_ASIDE = "set_aside", pgettext_lazy("session", "set aside")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("learner"), on_delete=models.PROTECT, related_name="lesson_sessions"
    )
    lesson = models.ForeignKey(Lesson, verbose_name=_("lesson"), on_delete=models.PROTECT, related_name="sessions")
    lesson_version = models.ForeignKey(
        LessonVersion, verbose_name=_("lesson version"), on_delete=models.PROTECT, related_name="sessions"
    )
    mode = models.CharField(_("mode"), max_length=13, choices=Mode.choices, default=Mode.DETERMINISTIC)
    status = models.CharField(_("status"), max_length=10, choices=Status.choices, default=Status.ACTIVE)
    version = models.PositiveIntegerField(default=0)
    state = models.JSONField()
    started_at = models.DateTimeField(_("started"))
    active_at = models.DateTimeField(_("last active"))
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)
    step_at = models.DateTimeField(
        null=True, help_text="when the shown step came; None for sessions from before it was kept"
    )
    # What staff look for: kept with the row that each turn writes anyway, so that no list has to read the turns.
    doubtful = models.PositiveSmallIntegerField(_("doubtful verdicts"), default=0)
    dead_ends = models.PositiveSmallIntegerField(_("questions whose attempts ran out"), default=0)
    attacks = models.PositiveSmallIntegerField(_("answers that look like attacks"), default=0)

    class Meta:
        verbose_name, verbose_name_plural = _("session"), _("sessions")
        constraints = (
            # Two clicks on "start" make one session.
            models.UniqueConstraint(
                fields=["user", "lesson"], condition=Q(status="active"), name="session_one_active_per_lesson"
            ),
            models.CheckConstraint(
                condition=Q(status="finished", finished_at__isnull=False) | ~Q(status="finished"),
                name="session_finished_has_time",
            ),
            models.CheckConstraint(condition=Q(active_at__gte=F("started_at")), name="session_active_after_start"),
        )
        # By when it began, which never changes: an index on what every turn updates would be paid by every turn.
        # The partial ones are touched by the few turns alone that raise a count from nothing.
        indexes = (
            models.Index(fields=["-started_at"], name="session_by_start"),
            models.Index(fields=["-started_at"], condition=Q(doubtful__gt=0), name="session_doubtful"),
            models.Index(fields=["-started_at"], condition=Q(dead_ends__gt=0), name="session_dead_ended"),
            models.Index(fields=["-started_at"], condition=Q(attacks__gt=0), name="session_attacked"),
        )

    def __str__(self) -> str:
        return str(self.id)


class Turn(LeasedWork):
    """One action of a learner on one version of a session; answers are leased work, the rest is done at once."""

    class Kind(models.TextChoices):
        ANSWER = "answer", _("answer")
        CONTINUE = "continue", _("continue")
        HINT = "hint", _("hint")
        SKIP = "skip", _("skip")
        MODE = "mode", _("mode")
        REPORT = "report", _("report")
        VOID = "void", _("withdrawal")
        REVIEW = "review", _("review of a verdict")
        COMPARE = "compare", _("comparison with the answer")
        SELF = "self_assessment", _("the learner's own word")

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="turns")
    version = models.PositiveIntegerField()
    kind = models.CharField(_("kind"), max_length=16, choices=Kind.choices)
    key = models.CharField(max_length=80)
    fingerprint = models.CharField(max_length=64, help_text="SHA-256 of the request's body")
    mode = models.CharField(_("mode"), max_length=13, choices=Mode.choices)
    ask_code = models.CharField(_("question"), max_length=64, blank=True)
    result = models.CharField(_("verdict"), max_length=12, blank=True, choices=_RESULTS)
    deviation = models.CharField(_("deviation"), max_length=10, blank=True, choices=_DEVIATIONS)
    verdict = models.JSONField(null=True)
    command = models.JSONField(null=True)
    about = models.ForeignKey(
        "self",
        verbose_name=_("answer that it is about"),
        null=True,
        on_delete=models.PROTECT,
        related_name="own_words",
        db_index=False,  # most turns are about none: the constraint below has a smaller index
        help_text=_("Of the learner's own word: the answer that was compared."),
    )
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name, verbose_name_plural = _("turn"), _("turns")
        constraints = (
            models.UniqueConstraint(fields=["session", "version"], name="turn_one_per_session_version"),
            models.UniqueConstraint(fields=["session", "key"], name="turn_key_once_per_session"),
            models.CheckConstraint(
                condition=Q(state="done", finished_at__isnull=False)
                | Q(state="running", finished_at__isnull=True, lease_until__isnull=False, kind="answer"),
                name="turn_state_complete",
            ),
            models.CheckConstraint(
                condition=~Q(kind="answer", state="done") | Q(verdict__isnull=False) & ~Q(result=""),
                name="turn_done_answer_has_verdict",
            ),
            models.CheckConstraint(
                condition=Q(kind="self_assessment", about__isnull=False, verdict__isnull=False) & ~Q(result="")
                | ~Q(kind="self_assessment") & Q(about__isnull=True),
                name="turn_own_word_complete",
            ),
            # The workbench begins with what these are about.
            models.UniqueConstraint(fields=["about"], condition=Q(about__isnull=False), name="turn_own_word_once"),
        )
        indexes = (
            models.Index(fields=["lease_until"], condition=Q(state="running"), name="turn_running_by_lease"),
            # The workbench begins with these; a turn without doubt does not touch it.
            models.Index(
                fields=["-id"], condition=Q(kind="answer", verdict__contains={"doubtful": True}), name="turn_doubtful"
            ),
        )

    def __str__(self) -> str:
        return f"{self.session_id}:{self.version}"

    @staticmethod
    def lease_over(now: datetime) -> Q:
        """Running turns that may be taken up: the lease has ended, or is longer than any that is given."""
        return Q(state="running") & (Q(lease_until__lt=now) | Q(lease_until__gt=now + CLOCK_WAS_WRONG))


class LearnerText(models.Model):
    """What a learner wrote, apart from everything else, so that it can be erased without breaking a chain.

    Events hold `sha256(salt + text)`. The salt is erased with the text: a short answer cannot be guessed from its hash.
    """

    turn = models.OneToOneField(Turn, primary_key=True, on_delete=models.PROTECT, related_name="words")
    text = models.TextField(null=True)  # noqa: DJ001 - null is "erased", empty is "wrote nothing"
    choices = models.JSONField(null=True)
    salt = models.BinaryField(null=True, max_length=16)
    erased_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(erased_at__isnull=True, text__isnull=False, choices__isnull=False, salt__isnull=False)
                | Q(erased_at__isnull=False, text__isnull=True, choices__isnull=True, salt__isnull=True),
                name="learner_text_whole_or_erased",
            ),
        )

    def __str__(self) -> str:
        return f"words of turn {self.turn_id}"


class QuestionReport(models.Model):
    """A learner says that a question is wrong. `comment` is theirs and erasable: None once erased."""

    class Kind(models.TextChoices):
        ANSWER_WRONG = "answer_wrong", _("The expected answer is wrong")
        MY_ANSWER_RIGHT = "my_answer_right", _("My answer was right and was not accepted")
        UNCLEAR = "unclear", _("I cannot tell what is asked")
        NOT_TAUGHT = "not_taught", _("The lesson does not say this")
        OTHER = "other", _("Something else")

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("report", "open")
        DISMISSED = "dismissed", pgettext_lazy("report", "dismissed")
        UPHELD = "upheld", pgettext_lazy("report", "upheld")

    session = models.ForeignKey(Session, verbose_name=_("session"), on_delete=models.PROTECT, related_name="reports")
    lesson_version = models.ForeignKey(
        LessonVersion, verbose_name=_("lesson version"), on_delete=models.PROTECT, related_name="reports"
    )
    ask_code = models.CharField(_("question"), max_length=64)
    kind = models.CharField(_("reason"), max_length=20, choices=Kind.choices)
    comment = models.TextField(_("comment"), null=True, max_length=2000)  # noqa: DJ001 - null is "erased"
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    reported_at = models.DateTimeField(_("reported"))
    resolved_at = models.DateTimeField(_("resolved"), null=True, blank=True)
    resolved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("resolved by"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    note = models.TextField(_("note"), blank=True, max_length=2000)

    class Meta:
        verbose_name, verbose_name_plural = _("reported question"), _("reported questions")
        constraints = (
            models.UniqueConstraint(fields=["session", "ask_code"], name="question_reported_once_per_session"),
            models.CheckConstraint(
                condition=Q(state="open", resolved_at__isnull=True) | ~Q(state="open") & Q(resolved_at__isnull=False),
                name="question_report_resolved_has_time",
            ),
        )
        indexes = (models.Index(fields=["reported_at"], condition=Q(state="open"), name="question_report_open"),)

    def __str__(self) -> str:
        return f"{self.ask_code}: {self.kind}"


class SessionPlan(models.Model):
    """A session's goals as a plan, and their evaluation when it is finished.

    `due_at`: from when on a worker may evaluate it, moved on by the worker that does; None before the end.
    """

    session = models.OneToOneField(Session, on_delete=models.CASCADE, related_name="goals")
    plan = models.OneToOneField(Plan, verbose_name=_("plan"), on_delete=models.CASCADE, related_name="lesson_session")
    evaluation = models.OneToOneField(
        Evaluation,
        verbose_name=_("evaluation"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="lesson_session",
    )
    due_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name, verbose_name_plural = _("plan of a session"), _("plans of sessions")
        indexes = (
            models.Index(fields=["due_at"], condition=Q(due_at__isnull=False, evaluation=None), name="goals_due"),
        )

    def __str__(self) -> str:
        return str(self.session_id)


class QuestionVoid(LeasedWork):
    """Staff withdrew a question of a version for everyone. Done once every session of the version was re-scored."""

    lesson_version = models.ForeignKey(
        LessonVersion, verbose_name=_("lesson version"), on_delete=models.PROTECT, related_name="voids"
    )
    ask_code = models.CharField(_("question"), max_length=64)
    reason = models.TextField(_("reason"), max_length=2000)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("by"), null=True, on_delete=models.PROTECT, related_name="+"
    )
    at = models.DateTimeField(_("time"))
    rescored = models.PositiveIntegerField(_("sessions re-scored"), default=0)

    class Meta:
        verbose_name, verbose_name_plural = _("withdrawn question"), _("withdrawn questions")
        constraints = (
            models.UniqueConstraint(fields=["lesson_version", "ask_code"], name="question_voided_once"),
            models.CheckConstraint(
                condition=Q(state="done", lease_until__isnull=True) | Q(state="running", lease_until__isnull=False),
                name="question_void_state_complete",
            ),
        )

    def __str__(self) -> str:
        return f"{self.lesson_version_id}: {self.ask_code}"


class VerdictReview(models.Model):
    """What a person of the staff says an answer is worth: the same as the grader, or something else.

    Never changed: who thinks otherwise later adds another one, which is then the `current` one of its turn. What the
    grader said is copied, so that agreement by question and grader version is counted from these rows alone. Erasing
    the learner empties the note, which may quote them.

    A row with `takes_back` undoes that review: it says what the grader said, and no review of the turn is current.
    """

    turn = models.ForeignKey(Turn, verbose_name=_("turn"), on_delete=models.PROTECT, related_name="reviews")
    lesson_version = models.ForeignKey(
        LessonVersion, verbose_name=_("lesson version"), on_delete=models.PROTECT, related_name="verdict_reviews"
    )
    ask_code = models.CharField(_("question"), max_length=64)
    grader = models.CharField(_("grader version"), max_length=40)
    graded = models.CharField(_("verdict"), max_length=12, choices=_RESULTS)
    score = models.FloatField(_("score"), help_text="the grader's, from 0 to 1")
    doubtful = models.BooleanField(_("doubtful"))
    result = models.CharField(_("what it is worth"), max_length=12, choices=_RESULTS)
    note = models.TextField(_("note"), blank=True, max_length=2000)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, verbose_name=_("by"), on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(_("time"))
    current = models.BooleanField(default=True)
    drawn = models.BooleanField(
        _("taken at random"),
        default=False,
        help_text=_("Not chosen by anyone: only such ones tell how often the grader is right where it is sure."),
    )
    rescoring = models.OneToOneField(
        Turn,
        null=True,
        on_delete=models.PROTECT,
        related_name="review",
        help_text="the turn that scored the session anew; None where that changed nothing",
    )
    takes_back = models.OneToOneField(
        "self", verbose_name=_("takes back"), null=True, on_delete=models.PROTECT, related_name="taken_back_by"
    )

    class Meta:
        verbose_name, verbose_name_plural = _("reviewed verdict"), _("reviewed verdicts")
        constraints = (
            models.UniqueConstraint(fields=["turn"], condition=Q(current=True), name="verdict_review_one_current"),
            models.CheckConstraint(condition=Q(score__gte=0, score__lte=1), name="verdict_review_score"),
            models.CheckConstraint(
                condition=Q(takes_back__isnull=True) | Q(current=False, result=F("graded")),
                name="verdict_review_taken_back_is_graders",
            ),
        )
        indexes = (
            models.Index(
                fields=["lesson_version", "ask_code", "grader"],
                condition=Q(current=True),
                name="verdict_review_by_question",
            ),
        )
        triggers = (
            Refuse(name="verdict_review_kept", operation=pgtrigger.Delete | pgtrigger.Truncate),
            pgtrigger.ReadOnly(name="verdict_review_frozen", exclude=["current", "note"]),
            # A note may quote the learner, and goes with their words.
            pgtrigger.Protect(
                name="verdict_review_note_kept_or_erased",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__note__df=pgtrigger.F("new__note")) & ~pgtrigger.Q(new__note=""),
            ),
        )

    def __str__(self) -> str:
        return f"{self.turn_id}: {self.graded} > {self.result}"


class AnswerExample(models.Model):
    """An answer that staff judged, kept for the grader as an example of its question.

    It counts for every version of the lesson that asks the same: `ask_digest` is that of question, answer and wrong
    ideas. `removed_at` is set once its review is no longer the current one. Erasing the learner empties text and
    vector; the row stays, so that a verdict which looked at it can tell that something is missing.
    """

    lesson = models.ForeignKey(Lesson, on_delete=models.PROTECT, related_name="+")
    lesson_version = models.ForeignKey(LessonVersion, on_delete=models.PROTECT, related_name="+")
    ask_code = models.CharField(_("question"), max_length=64)
    ask_digest = models.CharField(max_length=64, help_text="SHA-256 of what is asked and expected")
    review = models.OneToOneField(VerdictReview, on_delete=models.PROTECT, related_name="example")
    result = models.CharField(_("what it is worth"), max_length=12, choices=_RESULTS)
    text = models.TextField(null=True)  # noqa: DJ001 - null is "erased"
    vector = HalfVectorField(dimensions=DIMENSIONS, null=True)
    created_at = models.DateTimeField(_("time"))
    removed_at = models.DateTimeField(null=True, help_text="None: it counts")

    class Meta:
        verbose_name, verbose_name_plural = _("example answer"), _("example answers")
        constraints = (
            models.CheckConstraint(
                condition=Q(text__isnull=True, vector__isnull=True) | Q(text__isnull=False, vector__isnull=False),
                name="answer_example_whole_or_erased",
            ),
            models.CheckConstraint(
                condition=Q(result__in=[result.value for result in EXAMPLE_RESULTS]), name="answer_example_result"
            ),
            models.CheckConstraint(condition=Q(ask_digest__regex=r"^[0-9a-f]{64}$"), name="answer_example_digest"),
        )
        indexes = (
            models.Index(
                fields=["lesson", "ask_digest"], condition=Q(removed_at__isnull=True), name="answer_example_counting"
            ),
        )
        triggers = (
            Refuse(name="answer_example_kept", operation=pgtrigger.Delete | pgtrigger.Truncate),
            pgtrigger.ReadOnly(name="answer_example_frozen", exclude=["text", "vector", "removed_at"]),
            pgtrigger.Protect(
                name="answer_example_kept_or_erased",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__text__df=pgtrigger.F("new__text")) & pgtrigger.Q(new__text__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"{self.ask_code}: {self.result}"
