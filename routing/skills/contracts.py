"""Skills, and their results."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise

from accounts.models import User
from core.contracts import Contract


class SkillResult(Contract):
    """The result of a skill, with its time. `amounts` are integers by name (money in micro-cents); `text` has them in
    words, in the active language.
    """

    skill: str
    amounts: Mapping[str, int]
    text: str
    at: datetime


@dataclass(frozen=True)
class Skill:
    """A lookup of the present state. `wants`: whether a message, with its language, asks for it."""

    id: str
    title: Promise
    about: Promise
    wants: Callable[[str, str], bool]
    run: Callable[[User], SkillResult]
