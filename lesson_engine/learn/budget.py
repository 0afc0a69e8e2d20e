"""The learner's budget bar in words: what is left, what it went to, and what the tutor may still do with it."""

from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_UP, Decimal
from typing import Literal

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from gateway.contracts import MICROCENTS, Budget, BudgetMode
from lesson_engine.models import Mode, Session

Level = Literal["calm", "low", "no_thinker", "economy", "deterministic"]
LOW_PERCENT = 20
"""Under this much of the limit a budget is low. Source: spec/3 "Monitoreo"."""
_HUNDREDTH = Decimal("0.01")


@dataclass(frozen=True)
class BudgetView:
    """The bar. Amounts are in cents, with two decimals where there are any; `left` is rounded down.

    `level` is what colour and words go by. `warning` says what it means and is empty where nothing is to be said;
    `note` says what adaptive mode may do, and `spent` what the money went to; `payer` whose money it is.
    """

    left: str
    limit: str
    value_now: str
    value_max: str
    width: str
    level: Level
    adaptive: bool = False
    warning: str = ""
    note: str = ""
    spent: str = ""
    payer: str = ""


def budget_view(budget: Budget, session: Session, *, models: bool) -> BudgetView:
    """The bar of a session; `models` says whether language models are configured."""
    left, limit = _cents(budget.left), _cents(budget.limit)
    active = session.status == Session.Status.ACTIVE
    adaptive = active and session.mode == Mode.ADAPTIVE
    level: Level = _level(budget) if models else "calm"
    spent = _spent(budget)
    return BudgetView(
        left=_shown(left),
        limit=_shown(limit),
        value_now=_plain(left),
        value_max=_plain(limit),
        width=_plain((100 * left / limit).quantize(_HUNDREDTH, ROUND_DOWN)) if limit else "0",
        level=level,
        adaptive=adaptive,
        warning=_warning(level, budget) if active else "",
        note=_note(level, budget, models=models) if adaptive else "",
        spent=spent,
        payer=_("This is not your money: whoever runs this server pays.") if models and (adaptive or spent) else "",
    )


def _level(budget: Budget) -> Level:
    """By the account's own floors; a lesson without a budget has nothing to lose."""
    if not budget.limit:
        return "calm"
    match budget.mode:
        case BudgetMode.NO_THINKER:
            return "no_thinker"
        case BudgetMode.ECONOMY:
            return "economy"
        case BudgetMode.DETERMINISTIC:
            return "deterministic"
    return "low" if 100 * budget.left < LOW_PERCENT * budget.limit else "calm"


def _warning(level: Level, budget: Budget) -> str:
    match level:
        case "low":
            return _("Less than a fifth of the budget is left.")
        case "no_thinker":
            floor = _shown(_cents(budget.thinker_floor))
            return _("Under %(cents)s ¢: no more second opinions, the rules decide.") % {"cents": floor}
        case "economy":
            floor = _shown(_cents(budget.economy_floor))
            return _("Under %(cents)s ¢: no language model is asked any more.") % {"cents": floor}
        case "deterministic":
            return _("Nothing of the budget is left: the lesson goes on without models.")
    return ""


def _note(level: Level, budget: Budget, *, models: bool) -> str:
    if not models:
        return _("The tutor may now step in. No language model is configured: it works by rules, at no cost.")
    if not budget.limit:
        return _("The tutor may now step in. This lesson spends nothing on language models: it works by rules.")
    if level in ("calm", "low"):
        return _("The tutor may now step in. In doubt it may ask a language model, paid from this budget.")
    return _("The tutor may still step in, by rules.") if level != "deterministic" else ""


def _spent(budget: Budget) -> str:
    """By tier, each rounded up; with what is set aside at this moment, which counts as not left."""
    parts = [f"{tier.label} {_shown(_cents(cost, ROUND_UP))} ¢" for tier, cost in budget.by_tier.items() if cost]
    if budget.held:
        parts.append(
            _("set aside for what is under way %(cents)s ¢") % {"cents": _shown(_cents(budget.held, ROUND_UP))}
        )
    return _("Spent so far: %(parts)s.") % {"parts": " · ".join(parts)} if parts else ""


def _cents(microcents: int, rounding: str = ROUND_DOWN) -> Decimal:
    """In hundredths; less than one of them stays what it is, so that something is never shown as nothing."""
    exact = Decimal(microcents) / MICROCENTS
    return exact.quantize(_HUNDREDTH, rounding) if exact >= _HUNDREDTH or rounding == ROUND_UP else exact


def _shown(cents: Decimal) -> str:
    """As the reader's language writes it, with two decimals where there are any."""
    decimals = max(2, -int(cents.normalize().as_tuple().exponent)) if cents % 1 else 0
    return number_format(cents, decimal_pos=decimals)


def _plain(number: Decimal) -> str:
    """As machines read it."""
    return f"{number.normalize():f}"
