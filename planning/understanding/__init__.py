"""Tasks as people word them, understood without a model. Sources: RF-007; docs/plans.md."""

import re

from django.utils.translation import gettext as _

from language.detect import language_of
from planning.understanding.facts.reading import facts_read
from planning.understanding.phrases.reading import phrases_of
from planning.understanding.types.classifier import GENERAL, GIVEN_ONLY, task_type_of

from .contracts import TaskFacts, TaskReading
from .text import task_clean

__all__ = ("GENERAL", "GIVEN_ONLY", "TaskFacts", "TaskReading", "facts_read", "task_read", "task_type_of")

_TYPE_FORM = re.compile(r"[a-z][a-z0-9_]{0,59}")  # as in memory


def task_read(task: str, task_type: str | None = None) -> TaskReading:
    """Read a task. Without a `task_type` its type is found.

    Raises `ValueError` for a task that is no text of 1 to 2,000 characters with a word in it, and for a type that is no
    name such as "hotel_booking".
    """
    clean = task_clean(task)
    if task_type and not _TYPE_FORM.fullmatch(task_type):
        raise ValueError(_("A task type is a name such as “hotel_booking”, not “%s”.") % task_type[:80])
    language = language_of(clean)
    chosen_type = task_type or task_type_of(clean, language)
    return TaskReading(
        task=clean,
        language=language,
        task_type=chosen_type,
        facts=facts_read(clean, language),
        phrases=phrases_of(clean, language, chosen_type),
    )
