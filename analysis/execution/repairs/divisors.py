"""Divisions by zero."""

from django.utils.translation import gettext as _

from analysis.execution.chain import Draft
from analysis.execution.tools.columns import is_number


def report_zero_divisors(draft: Draft) -> None:
    """Say where a division leaves values out, for a tool that divides `left` by `right`."""
    divisor = draft.params.get("right")
    if draft.params.get("operator") != "divide" or divisor not in draft.df.columns:
        return
    column = draft.df[divisor]
    if not is_number(column):
        return
    zeros = draft.ask(draft.df.aggregate(zeros=(column == 0).ifelse(1, 0).sum()))[0]["zeros"]
    if zeros:
        reason = _("%(count)d rows would be divided by zero; they have no value.") % {"count": zeros}
        draft.note("right", 0, None, reason, same_meaning=True)
