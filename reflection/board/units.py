"""Names, values, targets and standings of the metrics of reflections, as staff read them."""

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from reflection.board.contracts import TARGETS, CollectedMetric, Standing
from telemetry.panels import Tone, percent, whole

NOTHING = "–"
TITLES: dict[str, Promise] = {
    CollectedMetric.QUALITY_AVG: gettext_lazy("Quality score, mean"),
    CollectedMetric.QUALITY_P50: gettext_lazy("Quality score, median"),
    CollectedMetric.QUALITY_P95: gettext_lazy("Quality score, p95"),
    CollectedMetric.DEPTH_AVG: gettext_lazy("Depth, mean"),
    CollectedMetric.ACTIONABILITY_AVG: gettext_lazy("Actionability, mean"),
    CollectedMetric.COMPLETENESS_AVG: gettext_lazy("Completeness, mean"),
    CollectedMetric.REJECTED: gettext_lazy("Rejected"),
    CollectedMetric.WITH_WARNINGS: gettext_lazy("Accepted with warnings"),
    CollectedMetric.REJECTION_RATE: gettext_lazy("Rejection rate"),
    CollectedMetric.PATTERNS_INVALID: gettext_lazy("Invalid patterns"),
    CollectedMetric.VALIDITY_AVG: gettext_lazy("Validity of patterns, mean"),
    CollectedMetric.ITERATIONS_AVG: gettext_lazy("Attempts a reflection, mean"),
    CollectedMetric.SUCCESS_RATE: gettext_lazy("Valid in the end"),
}
"""In the order of `REQUIRED_QUALITY_METRICS`, with the rejection rate after the counts that it comes from."""
SHORT: dict[str, Promise | str] = {
    **TITLES,
    CollectedMetric.QUALITY_AVG: gettext_lazy("Mean"),
    CollectedMetric.QUALITY_P50: gettext_lazy("Median"),
    CollectedMetric.QUALITY_P95: "p95",
}
"""Names in a panel that is of one metric."""
RATES = (CollectedMetric.REJECTION_RATE, CollectedMetric.SUCCESS_RATE)
_COUNTS = (CollectedMetric.REJECTED, CollectedMetric.WITH_WARNINGS, CollectedMetric.PATTERNS_INVALID)
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
    """The target in words: "over 0.8", "under 5 %"; a dash for none."""
    target = TARGETS.get(metric)
    return NOTHING if target is None else _side(metric, target.target, over=target.more_is_better)


def alert_shown(metric: str) -> str:
    """The limit of an alert in words: "under 0.6", "over 15 %"; a dash for none."""
    target = TARGETS.get(metric)
    return NOTHING if target is None else _side(metric, target.alert, over=not target.more_is_better)


def standing_shown(metric: str, standing: Standing | None) -> str:
    """The standing in words, with the target or limit; empty without a standing."""
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
