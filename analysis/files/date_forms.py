"""Dates as people write them in cells, as SQL over a text."""

from dataclasses import dataclass
from typing import Final

from analysis.files.sql import literal
from language.dates import MONTHS

_TIME: Final = (
    r"(?:[t ,]+(\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(?:([ap])\.? ?m\.?)?(?: ?(?:z|utc|gmt|[+-]\d{2}:?\d{2}))?)?$"
)
"""A time of day after a date. What zone it is in does not matter: the clock is kept as written."""
_MOMENT: Final = r"\d{2,4}-\d{1,2}-\d{1,2} (?:\d{1,2}:[0-9:.]+)?[ap]?"
_NEAR: Final = "70"
"""Years of two digits from here on are of the last century."""


@dataclass(frozen=True)
class DateForm:
    """`pattern` over a text in small letters, `parts` what becomes of it: year-month-day, a blank, the time if any.

    `label`: how a note calls the form; None where it needs none.
    """

    label: str | None
    pattern: str
    parts: str
    short_year: bool = False
    named_month: bool = False

    def moment(self, cell: str) -> str:
        """SQL of the text in the order of ISO 8601; whatever does not fit is no such text."""
        text = f"lower({cell})"
        moment = f"regexp_replace({text}, {literal('^' + self.pattern + _TIME)}, {literal(self.parts)})"
        if self.named_month:
            word = f"regexp_extract({text}, '(?:^|[^a-z])([a-z]{{3,10}})', 1)"
            moment = f"replace({moment}, '@', coalesce({_MONTH_NUMBERS}[{word}], '0'))"
        return moment

    def timestamp(self, moment: str) -> str:
        """SQL of the timestamp, NULL where the cell does not fit or there is no such day."""
        century = f"CASE WHEN {moment} < '{_NEAR}' THEN '20' ELSE '19' END || " if self.short_year else ""
        clock = f"try_strptime({century}{moment} || 'm', ['%Y-%m-%d %I:%M%p', '%Y-%m-%d %I:%M:%S%p'])"
        return (
            f"CASE WHEN NOT regexp_full_match({moment}, {literal(_MOMENT)}) THEN NULL "
            f"WHEN right({moment}, 1) IN ('a', 'p') THEN {clock} "
            f"ELSE TRY_CAST(rtrim({century}{moment}) AS TIMESTAMP) END"
        )


_MONTH_NUMBERS: Final = "MAP {" + ", ".join(f"'{word}': '{month}'" for word, month in MONTHS.items()) + "}"
_DAY: Final = r"(\d{1,2})"
_YEAR: Final = r"([12]\d{3})"
_SHORT: Final = r"(\d{2})"
_WORD: Final = r"[a-z]{3,10}\.?"
_OF: Final = r"[ /-](?:de |del |of )?"

DATE_FORMS: Final = (
    DateForm(None, rf"{_YEAR}[-/.]{_DAY}[-/.]{_DAY}", r"\1-\2-\3 \4\5"),
    DateForm("day/month/year", rf"{_DAY}[-/.]{_DAY}[-/.]{_YEAR}", r"\3-\2-\1 \4\5"),
    DateForm("day/month/year", rf"{_DAY}[-/.]{_DAY}[-/.]{_SHORT}", r"\3-\2-\1 \4\5", short_year=True),
    DateForm("month/day/year", rf"{_DAY}[-/.]{_DAY}[-/.]{_YEAR}", r"\3-\1-\2 \4\5"),
    DateForm("month/day/year", rf"{_DAY}[-/.]{_DAY}[-/.]{_SHORT}", r"\3-\1-\2 \4\5", short_year=True),
    DateForm("day, month in words, year", rf"{_DAY}{_OF}{_WORD},?{_OF}{_YEAR}", r"\2-@-\1 \3\4", named_month=True),
    DateForm(
        "day, month in words, year",
        rf"{_DAY}{_OF}{_WORD},?{_OF}{_SHORT}",
        r"\2-@-\1 \3\4",
        short_year=True,
        named_month=True,
    ),
    DateForm(
        "month in words, day, year",
        rf"{_WORD}[ /-]{_DAY}(?:st|nd|rd|th)?,?[ /-]{_YEAR}",
        r"\2-@-\1 \3\4",
        named_month=True,
    ),
    DateForm("month of a year (its first day)", rf"{_WORD},?{_OF}{_YEAR}", r"\1-@-1 \2\3", named_month=True),
    DateForm("month of a year (its first day)", rf"{_YEAR}[-/](\d{{1,2}})", r"\1-\2-1 \3\4"),
    DateForm("month of a year (its first day)", rf"(\d{{1,2}})[-/]{_YEAR}", r"\2-\1-1 \3\4"),
)
"""The likelier ones first: of two that fit equally well, as 03/04/2026 does, the first is taken."""
