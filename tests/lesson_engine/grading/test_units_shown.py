"""Units: ready before the first learner, and shown as the author wrote them."""

import subprocess
import sys
from decimal import Decimal

from core.pages.markup import markdown
from lesson_engine.outcomes.expected import expected_answer
from tests.each import each
from tests.lesson_engine.grading.asks import NUMERIC, numeric


def test_a_plain_unit_is_plain_markdown() -> None:
    assert expected_answer(NUMERIC, "es") == "74,4 kg"
    for unit in ("km/h", "%", "°C", "mol.l^-1", "µg"):
        assert expected_answer(numeric(Decimal(2), unit=unit), "en") == f"2 {unit}"


@each("unit", ["kg*m**2/s**2", "g_a_b", "`m`", "[m](https://x.y)", "<b>m</b>", "~~m~~", "$m$", "a\\*b", "&micro;g"])
def test_a_unit_is_shown_as_it_is_written(unit: str) -> None:
    shown = unit.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    assert markdown(expected_answer(numeric(Decimal(2), unit=unit), "en")) == f"<p>2 {shown}</p>\n"


def test_a_unit_makes_no_block() -> None:
    assert markdown(expected_answer(numeric(Decimal(2), unit="m\n\n# x"), "en")) == "<p>2 m # x</p>\n"


def test_warming_up_builds_the_registry() -> None:
    code = (
        "from lesson_engine import grading; from lesson_engine.grading.units import registry;"
        "before = registry.cache_info().currsize; grading.warm_up(); print(before, registry.cache_info().currsize)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0 1\n"
