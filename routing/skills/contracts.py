"""What a skill is, and what it gives."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise

from accounts.models import User
from core.contracts import Contract


class SkillResult(Contract):
    """What a skill found, when. `amounts` are integers by what they are (money in micro-cents); `text` says them in
    words, in the language that is active.
    """

    skill: str
    amounts: Mapping[str, int]
    text: str
    at: datetime


@dataclass(frozen=True)
class Skill:
    """A look at how things stand. `wants` tells from a message and its language whether it asks for this."""

    id: str
    title: Promise
    about: Promise
    wants: Callable[[str, str], bool]
    run: Callable[[User], SkillResult]
