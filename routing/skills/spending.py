"""The skill `spending_status`: what a user's day has cost, what is set aside, and what is left for more."""

from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from accounts.models import User
from gateway.contracts import MICROCENTS
from gateway.selectors import day_budgets, models_configured
from routing.skills.contracts import Skill, SkillResult
from routing.understanding.phrases import phrases_in
from telemetry.panels import dollars

ID: Final = "spending_status"


def wants(message: str, _language: str) -> bool:
    """Whether a message asks for the asker's own money here. In both languages: short questions mix them."""
    return phrases_in("spending_status.txt").ask(message)


def run(user: User) -> SkillResult:
    """The user's day in UTC, in micro-cents; a guest has no more left than all guests together. One query."""
    now = timezone.now()
    budgets = day_budgets(user.pk, is_guest=user.is_guest, now=now)
    own = budgets[0]
    left = min(budget.left for budget in budgets)
    text = _(
        "Spent today: US$ %(spent)s. Set aside for calls under way: US$ %(held)s. Left: US$ %(left)s of US$ %(limit)s."
    ) % {
        "spent": dollars(-_rounded_down(-own.spent)),
        "held": dollars(-_rounded_down(-own.held)),
        "left": dollars(_rounded_down(left)),
        "limit": dollars(own.limit),
    }
    if not models_configured():
        free = _("No language model is configured here, so nothing that you ask costs anything.")
        text = f"{text} {free}"
    amounts = {"limit": own.limit, "spent": own.spent, "held": own.held, "left": left}
    return SkillResult(skill=ID, amounts=amounts, text=text, at=now)


def _rounded_down(microcents: int) -> int:
    """Rounded down to the shown unit: a cent, below a dollar a hundredth of one."""
    unit = MICROCENTS if abs(microcents) >= 100 * MICROCENTS else MICROCENTS // 100
    return microcents // unit * unit


SKILL: Final = Skill(
    id=ID,
    title=pgettext_lazy("skill", "money of the day"),
    about=gettext_lazy("What your questions cost today, what is set aside for calls, and what is left."),
    wants=wants,
    run=run,
)
