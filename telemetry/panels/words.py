"""Numbers as people read them, in their language."""

from collections.abc import Sequence
from datetime import date

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from telemetry.panels.figures import Figures
from telemetry.panels.views import Bars, Series, Table, View


def whole(number: float) -> str:
    """A count: "1,234"."""
    return number_format(round(number), use_l10n=True, force_grouping=True)


def percent(part: float, of: float, *, decimals: int = 0) -> str:
    """A share: "68 %", or "5.4 %" with as many decimals at most; a dash where there is nothing to share."""
    if not of:
        return "–"
    share = round(100 * part / of, decimals)
    digits = 0 if share == round(share) else decimals
    return _("%(n)s %%") % {"n": number_format(share, decimal_pos=digits, use_l10n=True, force_grouping=True)}


def duration(seconds: float) -> str:
    """A time, short enough for an axis: "8 s", "2 min", "1.5 h"."""
    for size, text in ((3600, _("%(n)s h")), (60, _("%(n)s min"))):
        if seconds >= size:
            return text % {"n": _short(seconds / size)}
    return _("%(n)s s") % {"n": _short(seconds)}


def dollars(microcents: float) -> str:
    """US dollars, without a sign, from millionths of a cent: to the cent, amounts below one to a hundredth of that."""
    amount = microcents / 1e8
    digits = 4 if 0 < amount < 1 else 2
    return number_format(round(amount, digits), decimal_pos=digits, use_l10n=True, force_grouping=True)


def period(start: date, unit: str) -> str:
    """A day, the week from a day on, or a month."""
    if unit == "month":
        return date_format(start, "YEAR_MONTH_FORMAT")
    day = date_format(start, "SHORT_DATE_FORMAT")
    return _("week of %(day)s") % {"day": day} if unit == "week" else day


def _short(number: float) -> str:
    """Two digits that matter."""
    rounded = round(number, 1) if number < 10 else round(number)
    return number_format(int(rounded) if rounded == int(rounded) else rounded, use_l10n=True)


def timeline_view(figures: Figures, series: Sequence[Series], summary: str, *, stacked: bool = False) -> View | None:
    """Series over the periods; the table has those periods alone in which there was something, the latest first."""
    if not any(any(line.values) for line in series):
        return None
    starts = figures.periods.starts
    rows = [row for row in zip(starts, *(line.values for line in series), strict=True) if any(row[1:])]
    columns = [gettext_lazy("Date"), *(line.name for line in series)]
    return View(summary, Table(columns, rows[::-1]), Bars(starts, series, stacked=stacked))
