"""Where a version stands: a draft, what learners get, or what they got once."""

from django.db.models import Exists, OuterRef, QuerySet, TextChoices
from django.utils.translation import pgettext_lazy

from lesson_engine.models import LessonVersion, Publication


class VersionState(TextChoices):
    DRAFT = "draft", pgettext_lazy("lesson version", "draft")
    CURRENT = "current", pgettext_lazy("lesson version", "current")
    FORMER = "former", pgettext_lazy("lesson version", "former")


def with_state(versions: QuerySet[LessonVersion]) -> QuerySet[LessonVersion]:
    """The versions, with what `state_of` needs of each."""
    published = Publication.objects.filter(version=OuterRef("pk"))
    return versions.select_related("lesson").annotate(was_published=Exists(published))


def state_of(version: LessonVersion) -> VersionState:
    """The state of a version from `with_state`."""
    if version.lesson.current_id == version.pk:
        return VersionState.CURRENT
    return VersionState.FORMER if getattr(version, "was_published") else VersionState.DRAFT  # noqa: B009 - annotated
