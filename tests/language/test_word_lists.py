import math
from pathlib import Path

import numpy as np
import pytest

from language.calibration import LogisticModel, logit, sigmoid, sigmoids
from language.word_lists import json_file, lines_of, named_lists, rows_of, word_set


@pytest.fixture
def write(tmp_path: Path) -> "Writer":
    return Writer(tmp_path)


class Writer:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path


def test_lines_have_numbers_and_no_remarks(write: Writer) -> None:
    assert lines_of(write("a.txt", "# remark\n\n one \ntwo # three\n")) == [(3, "one"), (4, "two # three")]


def test_named_lists_are_folded_and_go_on(write: Writer) -> None:
    path = write("lists.txt", "stop: Él, de la\nask: qué\nstop: the\n")
    assert named_lists(path) == {"stop": ("el", "de la", "the"), "ask": ("que",)}
    assert word_set(path, "stop") == {"el", "de la", "the"}


def test_rows(write: Writer) -> None:
    assert rows_of(write("rows.jsonl", '{"a": 1}\n{"a": 2}\n'), lambda row: row["a"]) == [1, 2]


def test_a_fault_names_its_file_and_line(write: Writer) -> None:
    with pytest.raises(ValueError, match=r"lists\.txt, line 2"):
        named_lists(write("lists.txt", "a: b\nno colon\n"))
    with pytest.raises(ValueError, match=r"rows\.jsonl, line 2"):
        rows_of(write("rows.jsonl", '{"a": 1}\n{"b": 2}\n'), lambda row: row["a"])
    with pytest.raises(ValueError, match=r"bad\.json, line 2"):
        json_file(write("bad.json", '{"a": 1,\n}'))


def test_log_odds_and_probabilities() -> None:
    assert sigmoid(0) == 0.5
    assert 0 < sigmoid(-1e9) < sigmoid(1e9) < 1
    assert math.isclose(sigmoid(logit(0.3)), 0.3)
    assert logit(0, least=0.25) == logit(0.25)
    assert np.allclose(sigmoids(np.array([0.0, -99.0, 99.0])), [sigmoid(0), sigmoid(-99), sigmoid(99)])


def test_a_model_weighs_its_features(write: Writer) -> None:
    path = write("model.json", '{"likeness": {"weights": {"a": 2.0}, "intercept": -1.0}}')
    model = LogisticModel.read(path, "likeness")
    assert model.probability({"a": 0.5, "b": 9.0}) == 0.5
    with pytest.raises(KeyError):
        model.probability({"b": 1.0})
