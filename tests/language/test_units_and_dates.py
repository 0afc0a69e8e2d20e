import math

import pytest

from language.dates import MONTHS, clock_text, date_text, hour_of_day, moment_text, numeric_date
from language.units import conversion, registry


def test_units_are_converted() -> None:
    to_metres, to_fahrenheit = conversion("kilometer", "meter"), conversion("degree_Celsius", "degree_Fahrenheit")
    assert to_metres
    assert to_fahrenheit
    assert [to_metres(1.5), to_metres(math.inf)] == [1500, math.inf]
    assert [to_fahrenheit(0), to_fahrenheit(100)] == [32, 212]


@pytest.mark.parametrize(("source", "target"), [("meter", "second"), ("nonsense", "meter"), ("euro", "dollar")])
def test_other_things_are_not(source: str, target: str) -> None:
    assert conversion(source, target) is None


def test_there_is_one_registry() -> None:
    assert registry() is registry()


def test_dates() -> None:
    assert [date_text(2026, 12, 15), date_text(None, 2, 29), date_text(2026, 2, 29)] == ["2026-12-15", "02-29", None]
    assert moment_text("2026-12-15") == "2026-12-15"
    assert moment_text("2026-12-15 18:30") == "2026-12-15T18:30"
    assert moment_text("2026-12-15t18:30:05") == "2026-12-15T18:30:05"
    assert moment_text("2026-13-15") is None
    assert (MONTHS["septiembre"], MONTHS["mar"]) == (9, 3)


@pytest.mark.parametrize(
    ("text", "language", "day"),
    [
        ("15/12/2026", "en", "2026-12-15"),
        ("12/15/2026", "en", "2026-12-15"),
        ("03/04/2026", "en", None),
        ("03/04/2026", "es", "2026-04-03"),
        ("03.04.2026", "en", "2026-04-03"),
        ("2026/04/03", "en", "2026-04-03"),
        ("31/02/2026", "es", None),
    ],
)
def test_dates_in_numbers(text: str, language: str, day: str | None) -> None:
    assert numeric_date(text, language) == day


def test_times_of_day() -> None:
    assert [clock_text(18, 30), clock_text(9), clock_text(9, 0, 5), clock_text(25)] == [
        "18:30",
        "09:00",
        "09:00:05",
        None,
    ]
    hours = [hour_of_day(12, "am"), hour_of_day(12, "pm"), hour_of_day(6, "pm"), hour_of_day(6, "am")]
    assert hours == [0, 12, 18, 6]
