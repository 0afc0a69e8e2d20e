"""Which text columns are dates, and in which order day and month are written."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import duckdb

from analysis.files.cells import is_missing
from analysis.files.date_forms import DateForm
from analysis.files.number_columns import FIT
from analysis.files.raw import RAW


@dataclass(frozen=True)
class DateReading:
    """How a column of dates is read. `lost`: values that are no date. `is_either`: whether the other order of day and
    month fits as well.
    """

    form: DateForm
    type: Literal["DATE", "TIMESTAMP"]
    lost: int
    is_either: bool


def date_reading(connection: duckdb.DuckDBPyConnection, key: str, forms: Sequence[DateForm]) -> DateReading | None:
    """The form that most values have; None where too few values have any. Of equals the first."""
    if not forms:
        return None
    places = range(len(forms))
    moments = ", ".join(f"{form.moment(key)} AS m{place}" for place, form in enumerate(forms))
    times = ", ".join(f"{form.timestamp(f'm{place}')} AS t{place}" for place, form in enumerate(forms))
    counts = ", ".join(
        f"count(t{place}), count(*) FILTER (t{place} <> date_trunc('day', t{place}))" for place in places
    )
    row = connection.execute(
        f"SELECT count(*) FILTER (NOT is_missing), {counts} FROM (SELECT is_missing, {times} FROM ("  # noqa: S608 - names of our own, or quoted
        f"SELECT {is_missing(key)} AS is_missing, {moments} FROM {RAW}))"
    ).fetchone()
    assert row is not None
    values, fits, clocks = row[0], row[1::2], row[2::2]
    best = max(places, key=lambda place: fits[place])
    if not values or fits[best] < FIT * values:
        return None
    return DateReading(
        forms[best],
        "TIMESTAMP" if clocks[best] else "DATE",
        values - fits[best],
        # A form without a label is ISO 8601, which has one order only.
        is_either=forms[best].label is not None and fits.count(fits[best]) > 1,
    )
