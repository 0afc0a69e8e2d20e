"""What a turn leaves in the embedding cache: the author's texts, and nothing of the learner's."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from gateway.embedding.cache import digest_of
from gateway.embedding.local import local_embedder
from gateway.models import CachedEmbedding
from lesson_engine.adaptation import chatter_texts
from lesson_engine.contracts import Ask
from lesson_engine.grading import authored_texts
from lesson_engine.models import Session
from tests import conftest
from tests.lesson_engine.services.conftest import answer

pytestmark = pytest.mark.django_db(transaction=True)
REPLY = "Sugar is what the leaves cook, said my grandmother Eulalia"


@pytest.fixture(autouse=True)
def _fresh_process() -> Iterator[None]:
    """The embedder as at the start of a process."""
    local_embedder.cache_clear()
    yield
    local_embedder.cache_clear()


def kept() -> set[bytes]:
    return {bytes(row.digest) for row in CachedEmbedding.objects.all()}


def asked_of_the_cache(session: Session, text: str) -> list[str]:
    with CaptureQueriesContext(connection) as queries:
        answer(session, text)
    return [query["sql"].split()[0] for query in queries if "cachedembedding" in query["sql"]]


def test_the_authors_texts_are_kept_and_the_learners_words_are_not(asking: Session) -> None:
    answer(asking, REPLY)
    assert kept()
    ours = authored_texts(Ask.model_validate(conftest.ask())) | chatter_texts()
    assert kept() <= {digest_of(text) for text in ours}
    words = REPLY.split()
    parts = [" ".join(words[at:end]) for at in range(len(words)) for end in range(at + 1, len(words) + 1)]
    spellings = {spelt for part in parts for spelt in (part, part.lower(), part.strip(","), part.lower().strip(","))}
    assert kept().isdisjoint(digest_of(text) for text in spellings)


def test_the_next_turn_on_the_same_question_asks_the_cache_nothing(asking: Session) -> None:
    answer(asking, REPLY)
    before = kept()
    assert asked_of_the_cache(asking, "The moon makes it so") == []
    assert kept() == before


def test_another_process_finds_what_the_first_one_kept(asking: Session) -> None:
    answer(asking, REPLY)
    local_embedder.cache_clear()
    touched = asked_of_the_cache(asking, "The moon makes it so")
    assert touched
    assert set(touched) == {"SELECT"}
