"""Tasks as people word them, understood without a model. Sources: RF-007; docs/plans.md."""

import re

from django.utils.translation import gettext as _

from .contracts import TaskFacts, TaskReading
from .facts import facts_read
from .language import language_of
from .phrases import phrases_of
from .text import task_clean
from .types import GENERAL, task_type_of

__all__ = ("GENERAL", "TaskFacts", "TaskReading", "facts_read", "language_of", "task_read", "task_type_of")

_TYPE_FORM = re.compile(r"[a-z][a-z0-9_]{0,59}")  # as memory has it, which is below planning but not needed here


def task_read(task: str, task_type: str | None = None) -> TaskReading:
    """What a task says. `task_type` is taken as given; without one it is found.

    Raises `ValueError` for a task that is no text of 1 to 2,000 characters with a word in it, and for a type that is no
    name such as "hotel_booking".
    """
    clean = task_clean(task)
    if task_type and not _TYPE_FORM.fullmatch(task_type):
        raise ValueError(_("A task type is a name such as “hotel_booking”, not “%s”.") % task_type[:80])
    language = language_of(clean)
    found = task_type or task_type_of(clean, language)
    return TaskReading(
        task=clean,
        language=language,
        task_type=found,
        facts=facts_read(clean, language),
        phrases=phrases_of(clean, language, found),
    )
