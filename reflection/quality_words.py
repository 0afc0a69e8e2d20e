"""How staff read the figures of reflections: names, values, targets and where a value stands against them."""

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from reflection import figures_contracts as names
from reflection.figures_contracts import TARGETS, Standing
from telemetry.panels import Tone, percent, whole

NOTHING = "–"
TITLES: dict[str, Promise] = {
    names.QUALITY_AVG: gettext_lazy("Quality score, mean"),
    names.QUALITY_P50: gettext_lazy("Quality score, median"),
    names.QUALITY_P95: gettext_lazy("Quality score, p95"),
    names.DEPTH_AVG: gettext_lazy("Depth, mean"),
    names.ACTIONABILITY_AVG: gettext_lazy("Actionability, mean"),
    names.COMPLETENESS_AVG: gettext_lazy("Completeness, mean"),
    names.REJECTED: gettext_lazy("Rejected"),
    names.WITH_WARNINGS: gettext_lazy("Accepted with warnings"),
    names.REJECTION_RATE: gettext_lazy("Rejection rate"),
    names.PATTERNS_INVALID: gettext_lazy("Invalid patterns"),
    names.VALIDITY_AVG: gettext_lazy("Validity of patterns, mean"),
    names.ITERATIONS_AVG: gettext_lazy("Attempts a reflection, mean"),
    names.SUCCESS_RATE: gettext_lazy("Valid in the end"),
}
"""In the order of `REQUIRED_QUALITY_METRICS`, with the rejection rate beside the counts that it comes from."""
SHORT: dict[str, Promise | str] = {
    **TITLES,
    names.QUALITY_AVG: gettext_lazy("Mean"),
    names.QUALITY_P50: gettext_lazy("Median"),
    names.QUALITY_P95: "p95",
}
"""Where the panel says of what."""
RATES = (names.REJECTION_RATE, names.SUCCESS_RATE)
_COUNTS = (names.REJECTED, names.WITH_WARNINGS, names.PATTERNS_INVALID)
STANDINGS: dict[Standing, Promise] = {
    "met": pgettext_lazy("target", "met"),
    "missed": pgettext_lazy("target", "missed"),
    "alert": pgettext_lazy("target", "alert"),
}
TONES: dict[Standing, Tone] = {"met": "good", "missed": "partial", "alert": "bad"}
_DIGITS, _DIGITS_AT_MOST = 2, 4


def value_shown(metric: str, value: float | None) -> str:
    """A rate in hundredths, a count whole, all else to two decimals: more where these would lie on a target or
    threshold that the value is not on.
    """
    if value is None:
        return NOTHING
    if metric in _COUNTS:
        return whole(value)
    rate = metric in RATES
    digits = _digits(metric, value, 1 if rate else 0)
    if rate:
        return percent(value, 1, decimals=digits - 2)
    return number_format(round(value, digits), digits, use_l10n=True)  # left to itself it would cut them off


def _digits(metric: str, value: float, more: int) -> int:
    target = TARGETS.get(metric)
    edges = () if target is None else (target.target, target.alert)
    digits = _DIGITS + more
    while digits < _DIGITS_AT_MOST + more and value not in edges and round(value, digits) in edges:
        digits += 1
    return digits


def target_shown(metric: str) -> str:
    """What a value should be: "over 0.8", "under 5 %"; a dash where nothing is wanted of it."""
    target = TARGETS.get(metric)
    return NOTHING if target is None else _side(metric, target.target, over=target.more_is_better)


def alert_shown(metric: str) -> str:
    """Where an alert begins: "under 0.6", "over 15 %"."""
    target = TARGETS.get(metric)
    return NOTHING if target is None else _side(metric, target.alert, over=not target.more_is_better)


def standing_shown(metric: str, standing: Standing | None) -> str:
    """Where a value stands, in words, with what it stands against; empty where there is nothing to say."""
    match standing:
        case "met":
            return _("meets the target: %(target)s") % {"target": target_shown(metric)}
        case "missed":
            return _("misses the target: %(target)s") % {"target": target_shown(metric)}
        case "alert":
            return _("calls for an alert: %(threshold)s") % {"threshold": alert_shown(metric)}
        case None:
            return ""


def _side(metric: str, value: float, *, over: bool) -> str:
    shown = percent(value, 1) if metric in RATES else number_format(value, use_l10n=True)
    return (_("over %(value)s") if over else _("under %(value)s")) % {"value": shown}
