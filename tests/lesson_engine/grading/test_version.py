"""A grader version is frozen once released, and every verdict stores the version it came from."""

import json

from lesson_engine.contracts import Reply
from lesson_engine.grading import GRADER_VERSION, Embed, grade
from tests.lesson_engine.grading.asks import EVERY_KIND
from tests.lesson_engine.grading.golden import FILE, grader_files, verdicts

ANOTHER = "verdicts of a released version changed: give the grader a new GRADER_VERSION and write its file (golden.py)"
EDITED = (
    "the grader was edited: give it a new GRADER_VERSION if any verdict may change, then write its file (golden.py)"
)


def test_the_verdicts_of_this_version_are_those_written_down(embed: Embed) -> None:
    written = json.loads(FILE.read_text(encoding="utf-8"))
    said = verdicts(embed)
    assert said["verdicts"] == written["verdicts"], ANOTHER
    assert said["files"] == written["files"], EDITED


def test_code_network_and_words_are_among_the_files_of_a_version() -> None:
    names = {path.name for path in grader_files()}
    assert {"wording.py", "inputs.py", "judge-1.npz", "judge-1.json", "words-es.json", "orders.txt"} <= names


def test_every_kind_of_verdict_names_the_version(embed: Embed) -> None:
    for ask in EVERY_KIND:
        for text in ("", "42", "no lo sé", "agua y luz"):
            assert grade(ask, Reply(text=text), language="es", embed=embed).grader == GRADER_VERSION
