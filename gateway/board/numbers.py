"""The big numbers on top of the money dashboard."""

from collections.abc import Callable

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from gateway.admin.tools import list_url
from gateway.board.panels import NOTHING, share_of
from gateway.contracts import DegradationLevel, Tier
from gateway.figures.contracts import Figures, SpreadMetrics
from gateway.operations.degradation import WINDOW
from telemetry.panels import Heading, Number, dollars, whole

_LEVELS: dict[DegradationLevel, tuple[Promise, Promise]] = {
    DegradationLevel.FULL: (gettext_lazy("Full"), gettext_lazy("everything is done")),
    DegradationLevel.REDUCED: (gettext_lazy("Reduced"), gettext_lazy("no reflection, no re-ranking")),
    DegradationLevel.MINIMAL: (gettext_lazy("Minimal"), gettext_lazy("no corrective retrieval either")),
    DegradationLevel.DISABLED: (gettext_lazy("Disabled"), gettext_lazy("rules alone")),
}


def _cost(figures: Figures) -> Number:
    return Number(dollars(figures.cost), "" if figures.calls else _("no model was asked"))


def _calls(figures: Figures) -> Number:
    return Number(whole(figures.calls))


def _thinker(figures: Figures) -> Number:
    use = figures.tier(Tier.THINKER)
    note = _("the policy wants %(share)s at most") % {"share": share_of(use.policy, 1)}
    return Number(share_of(use.calls, figures.calls), note)


def _escalations(figures: Figures) -> Number:
    escalations = figures.escalations
    if escalations.graded is None:
        return Number(whole(escalations.made), _("escalations; nothing here counts answers"))
    if not escalations.graded:
        return Number(NOTHING, _("no answer was graded in adaptive mode"))
    words = ngettext(
        "%(made)s of %(graded)s answer graded in adaptive mode",
        "%(made)s of %(graded)s answers graded in adaptive mode",
        escalations.graded,
    )
    return Number(
        share_of(escalations.made, escalations.graded),
        words % {"made": escalations.made, "graded": whole(escalations.graded)},
    )


def _per_session(figures: Figures) -> Number:
    spread = figures.sessions
    words = ngettext("mean of %(n)s session that asked", "mean of %(n)s sessions that asked", spread.of)
    return _spread(spread, words)


def _per_learner_day(figures: Figures) -> Number:
    spread = figures.learner_days
    words = ngettext("mean of %(n)s day of a learner", "mean of %(n)s days of learners", spread.of)
    return _spread(spread, words)


def _spread(spread: SpreadMetrics, words: str) -> Number:
    if spread.mean is None or spread.p95 is None:
        return Number(NOTHING, _("no model was asked"))
    note = _("%(mean)s; p95 %(p95)s") % {"mean": words % {"n": whole(spread.of)}, "p95": dollars(spread.p95)}
    return Number(dollars(spread.mean), note)


def _unverified(figures: Figures) -> Number:
    charges = figures.unverified
    note = _("US$ %(cost)s charged at worst") % {"cost": dollars(charges.cost)} if charges.calls else ""
    if figures.overruns.calls:
        over = _("US$ %(cost)s over what was set aside") % {"cost": dollars(figures.overruns.cost)}
        note = f"{note}; {over}" if note else over
    url = list_url("hold", unverified__exact="1") if charges.calls else ""
    return Number(whole(charges.calls), note, url)


def _level(figures: Figures) -> Number:
    name, note = _LEVELS[figures.level]
    minutes = int(WINDOW.total_seconds() // 60)
    words = _("%(what)s; by the last %(minutes)s minutes") % {"what": note, "minutes": minutes}
    if count := figures.users_degraded:
        users = ngettext(
            "%(n)s user is degraded by slow runs of their own",
            "%(n)s users are degraded by slow runs of their own",
            count,
        )
        words = f"{words}; {users % {'n': whole(count)}}"
    return Number(str(name), words, list_url("operationtiming", violated__exact="1") if count else "")


TILES: tuple[tuple[Heading, Callable[[Figures], Number]], ...] = (
    (Heading("cost", gettext_lazy("Cost in US$")), _cost),
    (Heading("calls", gettext_lazy("Calls to models")), _calls),
    (Heading("thinker", gettext_lazy("Share of the thinker")), _thinker),
    (Heading("escalations", gettext_lazy("Escalation rate")), _escalations),
    (Heading("session", gettext_lazy("US$ a session")), _per_session),
    (Heading("learner-day", gettext_lazy("US$ a learner's day")), _per_learner_day),
    (Heading("unverified", gettext_lazy("Unverified charges")), _unverified),
    (Heading("level", gettext_lazy("Degradation level now")), _level),
)
