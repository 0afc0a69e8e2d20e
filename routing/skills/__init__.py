"""Skills: lookups of the present state for an answer. Source: spec/4, 3.6."""

from collections.abc import Mapping
from typing import Final

from accounts.models import User
from routing.skills import spending
from routing.skills.contracts import Skill, SkillResult

__all__ = ("SKILLS", "Skill", "SkillResult", "skill_run", "skills_for")

SKILLS: Final[Mapping[str, Skill]] = {skill.id: skill for skill in (spending.SKILL,)}


def skills_for(message: str, language: str) -> list[str]:
    """The skills that a message wants, in the order of the registry."""
    return [skill.id for skill in SKILLS.values() if skill.wants(message, language)]


def skill_run(skill_id: str, *, user: User) -> SkillResult:
    """The result of a skill for a user, now. Raises `ValueError`, naming the skills, for an unknown one."""
    if skill_id not in SKILLS:
        raise ValueError(f"There is no skill {skill_id!r}; the skills are {', '.join(SKILLS)}.")
    return SKILLS[skill_id].run(user)
