"""Values as people and programs write them, and their units. Source: docs/criteria.md."""

import subprocess
import sys
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

import pytest

from language.units import registry
from planning.criteria import Amount, amount_convert, amount_read
from planning.criteria.units import units

_READ: list[tuple[object, str, dict[str, Any] | None]] = [
    (8, "en", {"value": 8}),
    ("8", "en", {"value": 8}),
    (4.5, "en", {"value": 4.5}),
    (Decimal("4.50"), "en", {"value": 4.5}),
    (True, "en", {"value": True, "value_type": "boolean"}),
    ("$1,200.50", "en", {"value": 1200.5, "value_type": "money", "currency": "USD"}),
    ("1.200,50 EUR", "en", {"value": 1200.5, "value_type": "money", "currency": "EUR"}),
    ("1 200,50 €", "es", {"value": 1200.5, "value_type": "money", "currency": "EUR"}),
    ("1.200 €", "en", {"value": 1200, "value_type": "money", "currency": "EUR"}),
    ("1.234", "es", {"value": 1234}),
    ("1.234", "en", {"value": 1.234}),
    ("1,234", "en", {"value": 1234}),
    ("1,5 kg", "es", {"value": 1.5, "unit": "kilogram"}),
    ("US$ 99", "en", {"value": 99, "value_type": "money", "currency": "USD"}),
    ("-$5", "en", {"value": -5, "value_type": "money", "currency": "USD"}),
    ("€150/night", "en", {"value": 150, "value_type": "money", "currency": "EUR"}),
    ("3 mil euros", "es", {"value": 3000, "value_type": "money", "currency": "EUR"}),
    ("500 pesos", "es", {"value": 500, "value_type": "money"}),
    ("free", "en", {"value": 0, "value_type": "money"}),
    ("90 %", "en", {"value": 0.9, "value_type": "percent"}),
    ("12,5 por ciento", "es", {"value": 0.125, "value_type": "percent"}),
    ("4 km", "en", {"value": 4, "unit": "kilometer"}),
    ("-5 °C", "en", {"value": -5, "unit": "degree_Celsius"}),
    ("2 h 30 min", "en", {"value": 150, "unit": "minute"}),
    ("an hour", "en", {"value": 1, "unit": "hour"}),
    ("media hora", "es", {"value": 30, "unit": "minute"}),
    ("8/10", "en", {"value": 8, "scale": 10}),
    ("4.5 out of 5", "en", {"value": 4.5, "scale": 5}),
    ("★★★★☆", "en", {"value": 4, "unit": "star", "scale": 5}),
    ("cuatro estrellas", "es", {"value": 4, "unit": "star", "scale": 5}),
    ("thirty-five", "en", {"value": 35}),
    ("treinta y cinco", "es", {"value": 35}),
    ("a dozen", "en", {"value": 12}),
    ("3 hints", "en", {"value": 3, "counted": "hints"}),
    ("10k", "en", {"value": 10000}),
    ("1e3", "en", {"value": 1000}),
    ("100-150 €", "en", {"low": 100, "high": 150, "value_type": "money", "currency": "EUR"}),
    ("70-80 %", "en", {"low": 0.7, "high": 0.8, "value_type": "percent"}),
    ("from $100", "en", {"low": 100, "value_type": "money", "currency": "USD"}),
    ("100+", "en", {"low": 100}),
    ("up to 5", "en", {"high": 5}),
    ("~200", "en", {"value": 200, "approximate": True}),
    ("2026-12-15", "en", {"value": "2026-12-15", "value_type": "date"}),
    (date(2026, 12, 15), "en", {"value": "2026-12-15", "value_type": "date"}),
    (datetime(2026, 12, 15, 18, 30, tzinfo=UTC), "en", {"value": "2026-12-15T18:30+00:00", "value_type": "date"}),
    (time(18, 30), "en", {"value": "18:30", "value_type": "time"}),
    ("December 15th, 2026", "en", {"value": "2026-12-15", "value_type": "date"}),
    ("15 de diciembre de 2026", "es", {"value": "2026-12-15", "value_type": "date"}),
    ("03/04/2026", "es", {"value": "2026-04-03", "value_type": "date"}),
    ("Dec 15", "en", {"value": "12-15", "value_type": "date"}),
    ("18:30", "en", {"value": "18:30", "value_type": "time"}),
    ("6 pm", "en", {"value": "18:00", "value_type": "time"}),
    ("03/04/2026", "en", None),
    ("2026-13-40", "en", None),
    ("cheap", "en", None),
    ("N/A", "en", None),
    ("not 5", "en", None),
    ("2 adults, 1 child", "en", None),
    ("5G", "en", None),
    ("1.2.3", "en", None),
    ("25:99", "en", None),
    ("", "en", None),
    ("9" * 400, "en", None),
    (float("nan"), "en", None),
    (float("inf"), "en", None),
    (None, "en", None),
    ({"price": 1}, "en", None),
]


def test_values_are_read_as_meant() -> None:
    wrong = []
    for value, language, wanted in _READ:
        found = amount_read(value, language)
        expected = Amount(**wanted) if wanted is not None else None
        if found != expected:
            wrong.append(f"{value!r} ({language}): {found!r}")
    assert not wrong, "\n".join(wrong)


def test_amounts_are_converted_between_units_of_one_dimension() -> None:
    for text, unit, wanted in (
        ("800 m", "kilometer", 0.8),
        ("2 h", "minute", 120),
        ("20 °C", "degree_Fahrenheit", 68),
        ("512 MB", "gigabyte", 0.512),
        ("100 km/h", "mile/hour", 62.137119),
    ):
        amount = amount_read(text)
        assert amount is not None
        converted = amount_convert(amount, unit)
        assert converted is not None
        assert converted.value == pytest.approx(wanted)
        assert converted.unit == unit
    span = amount_read("1-2 h")
    assert span is not None
    in_minutes = amount_convert(span, "minute")
    assert in_minutes is not None
    assert (in_minutes.low, in_minutes.high) == (60, 120)


def test_amounts_of_other_dimensions_are_not_converted() -> None:
    for text, unit in (
        ("2 h", "kilometer"),
        ("90 %", "gigabyte"),
        ("4 stars", "kilometer"),
        ("7", "kilometer"),
        ("2 h", "?"),
    ):
        amount = amount_read(text)
        assert amount is not None
        assert amount_convert(amount, unit) is None


def test_pint_knows_every_unit_by_the_name_that_the_data_file_gives() -> None:
    unknown = [name for name in units()[1] if name != "star" and registry().Unit(name) is None]
    assert not unknown


def test_criteria_are_read_without_waiting_for_pint() -> None:
    program = (
        "import sys; from planning.criteria import criterion_parse; "
        "criterion_parse('at least 2 km'); print('pint' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
