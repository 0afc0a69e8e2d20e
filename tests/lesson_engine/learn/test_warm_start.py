"""No learner waits for what is loaded once: it is there before the first request."""

import subprocess
import sys

import pytest


@pytest.mark.hard
def test_the_web_process_starts_with_embedder_and_units_loaded() -> None:
    code = (
        "import config.asgi; from gateway.embedding.local import local_embedder;"
        "from lesson_engine.grading.units import registry;"
        "print(local_embedder.cache_info().currsize, registry.cache_info().currsize)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "1 1"
