"""No learner waits for what is loaded or made once: it is there before the first request."""

import subprocess
import sys

import pytest


@pytest.mark.hard
def test_the_web_process_starts_with_embedder_encoder_units_and_schema_ready() -> None:
    code = (
        "import config.asgi; from gateway.embedding.local import local_embedder;"
        "from language.encoder import word_encoder;"
        "from lesson_engine.grading.units import registry;"
        "from core.api.docs.views import _schema_body, _sections;"
        "made = (local_embedder, word_encoder, registry, _schema_body, _sections);"
        "print(*(one.cache_info().currsize for one in made))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "1 1 1 1 1"
