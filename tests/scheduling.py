"""How pytest-xdist shares the files out with `--dist loadfile`: what takes long first, what shares much together."""

from pathlib import PurePosixPath

from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

TOGETHER = ("tests/lesson_engine/grading", "tests/browser")
"""Folders whose tests share a model and what it was asked already, or a browser and its server: one process has all."""
LONG = (
    "tests/browser",
    "tests/lesson_engine/grading",
    "tests/api/test_api_keeps_answers_secret.py",
    "tests/lesson_engine/learn/test_walks.py",
    "tests/lesson_engine/escalation/test_waiting.py",
    "tests/operations",
    "tests/gateway",
    "tests/hostile",
    "tests/access",
    "tests/lesson_engine/admin",
    "tests/api",
)
"""Files and folders in the order in which they are begun; all others come after them, those with many tests first."""


def unit_of(nodeid: str) -> str:
    """What is given to a process as a whole: a file, or a folder of `TOGETHER`."""
    file = nodeid.partition("::")[0]
    return next((folder for folder in TOGETHER if is_below(file, folder)), file)


def is_below(path: str, folder: str) -> bool:
    """Whether it is this file or folder, or inside."""
    return PurePosixPath(path).is_relative_to(folder)


def place_of(unit: str) -> int:
    """Where in `LONG` it stands."""
    return next((place for place, name in enumerate(LONG) if is_below(unit, name)), len(LONG))


class LongFirst(LoadFileScheduling):  # type: ignore[misc]
    """Long files last would leave one process waiting for the other."""

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)

    def _assign_work_unit(self, node: WorkerController) -> None:
        self.workqueue.move_to_end(min(self.workqueue, key=place_of), last=False)
        super()._assign_work_unit(node)
