import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]


def _faults(source: str) -> list[tuple[int, str]]:
    spec = spec_from_file_location("one_definition", PROJECT / "deploy" / "one_definition.py")
    assert spec
    assert spec.loader
    script = module_from_spec(spec)
    spec.loader.exec_module(script)
    return list(script.faults_of(source))


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("import unicodedata\nx = unicodedata.normalize('NFD', 'a')", "language.fold"),
        ("def _folded(text): ...", "language.fold"),
        ("def stem(word): ...", "language.stems"),
        ("def _without_plural(word): ...", "language.stems"),
        ("def _keyword_stem(word): ...", "language.stems"),
        ("import pint\nunits = pint.UnitRegistry()", "language.units"),
        ("from math import exp\np = 1 / (1 + exp(-3))", "language.calibration"),
        ("import numpy as np\np = 1.0 / (1.0 + np.exp(-x))", "language.calibration"),
        ("import snowballstemmer\ns = snowballstemmer.stemmer('spanish')", "language.stems"),
    ],
)
def test_a_second_definition_is_refused(source: str, place: str) -> None:
    assert [found for _, found in _faults(source)] == [place]


@pytest.mark.parametrize(
    "source", ["total.normalize()", "from language.fold import fold\nfold('a')", "class A:\n    def fold(self): ..."]
)
def test_other_things_of_the_same_name_are_not(source: str) -> None:
    assert _faults(source) == []


def test_the_project_has_none() -> None:
    run = subprocess.run([sys.executable, "deploy/one_definition.py"], cwd=PROJECT, capture_output=True, text=True)
    assert run.stdout == ""
