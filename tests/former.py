"""The project as it was at an earlier commit."""

import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings

PROJECT = Path(settings.BASE_DIR)
BEFORE = "3edbabb"
"""The commit before signatures and roles of the database."""


def former_project(folder: Path) -> Path:
    """Put it into the folder, once; skips the test where the history does not reach back."""
    if not folder.exists():
        archive = subprocess.run(["git", "archive", BEFORE], cwd=PROJECT, capture_output=True)
        if archive.returncode:
            pytest.skip(f"the history does not reach back to {BEFORE}: {archive.stderr.decode().strip()}")
        with tarfile.open(fileobj=BytesIO(archive.stdout)) as files:
            files.extractall(folder, filter="data")
    return folder
