"""Writes `data/known_misses.txt` and `data/known_other_readings.txt` from what is read today, in seconds:

    .venv/bin/python -m tests.analysis.suite.regenerate

To be run after a change of the reader or of its fitted models; the difference in Git says what it gained and lost.
"""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.test import override_settings  # noqa: E402 - Django first

from tests.analysis.suite.answers import MISSES, OTHER_READINGS, Answered, answers_of  # noqa: E402 - the same
from tests.analysis.suite.rows import rows_read, tables_opened  # noqa: E402 - the same

_MISSES_SAY = "# Questions that get a wrong table: what is read, for what is right."
_OTHERS_SAY = "# Questions that get the right table from other requirements: what is read, for what is right."


def main() -> None:
    with (
        override_settings(EMBEDDING_CACHE_ROWS=0),  # vectors that need no database
        tempfile.TemporaryDirectory() as folder,
        tables_opened(Path(folder)) as tables,
    ):
        answers = list(answers_of(rows_read(), tables))
    _write(MISSES, _MISSES_SAY, [answer for answer in answers if not answer.is_right])
    _write(OTHER_READINGS, _OTHERS_SAY, [answer for answer in answers if answer.is_right and answer.otherwise])


def _write(path: Path, head: str, answers: Sequence[Answered]) -> None:
    lines = [head, *(f"{answer.id}  {answer.otherwise}" for answer in answers)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
