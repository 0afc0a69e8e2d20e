"""Vectors of words in their sentence: what every text has, and what depends on the words around."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from language import encoder
from language.encoder import SIZE, SPECIAL, Floats, Pieces, WordEncoder, word_encoder
from tests.each import each

FILE = Path(encoder.__file__).parent / "data" / f"{encoder.VERSION}.npz"
START = "\u2581"
"""Stands before every word."""
SENTENCES = ("i sat on the bank of the river", "la luz verde rebota en la hoja", "5 × 3 = 15 , sí", "ñandú")
ODD_WORDS = [
    "", " ", "\n", "\0", START, "😀", "👩\u200d🚀", "你好", "שלום", "ωμέγα", "e\u0301", "12.5",
    "a" * 4_000, "漢" * 4_000,
]  # fmt: skip


@pytest.fixture(scope="module")
def stored() -> Iterator[Mapping[str, Any]]:
    """The arrays of the encoder's file."""
    with np.load(FILE, allow_pickle=False) as arrays:
        yield arrays


@pytest.fixture(scope="module")
def all_names(stored: Mapping[str, Any]) -> list[str]:
    return bytes(stored["pieces"]).decode().split("\n")


@pytest.fixture(scope="module")
def names(all_names: list[str]) -> list[str]:
    """The pieces by their rows. The first rows stand for no letters."""
    return [*[""] * SPECIAL, *all_names[SPECIAL:]]


@pytest.fixture(scope="module")
def pieces(stored: Mapping[str, Any], all_names: list[str]) -> Pieces:
    return Pieces(all_names, stored["scores"])


def vector(sentence: str, word: str) -> Floats:
    """Of the word where it is first in the sentence."""
    words = sentence.split()
    row: Floats = word_encoder()(words)[words.index(word)]
    return row


def cosine(a: Floats, b: Floats) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def assert_bounded(vectors: Floats, words: Sequence[str]) -> None:
    assert vectors.shape == (len(words), SIZE)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    assert (abs(vectors) <= 5).all()
    assert vectors.any(axis=1).all()


@each("word", ODD_WORDS)
def test_any_word_has_a_vector_alone_and_among_others(word: str) -> None:
    for words in ([word], ["la", word, "luz"], [word] * 100):
        assert_bounded(word_encoder()(words), words)


@given(words=st.lists(st.text(max_size=30), min_size=1, max_size=100))
def test_any_words_have_bounded_vectors(words: list[str]) -> None:
    assert_bounded(word_encoder()(words), words)


def test_of_ordinary_words_hardly_a_number_is_cut_off() -> None:
    vectors = np.concatenate([word_encoder()(sentence.split()) for sentence in SENTENCES])
    assert abs(vectors.mean()) < 0.5
    assert 0.5 < vectors.std() < 2
    assert (abs(vectors) == 5).mean() < 0.001


@each("sentence", SENTENCES)
def test_the_same_words_have_the_same_vectors_whatever_was_read_before(sentence: str) -> None:
    words = sentence.split()
    vectors = word_encoder()(words)
    for other in SENTENCES:
        word_encoder()(other.split())
    assert np.array_equal(word_encoder()(words), vectors)
    assert np.array_equal(WordEncoder()(words), vectors)


def test_threads_at_once_get_what_one_gets_alone() -> None:
    alone = [word_encoder()(sentence.split()) for sentence in SENTENCES]
    with ThreadPoolExecutor(max_workers=4) as threads:
        at_once = list(threads.map(word_encoder(), [sentence.split() for sentence in SENTENCES] * 10))
    for at, vectors in enumerate(at_once):
        assert np.array_equal(vectors, alone[at % len(SENTENCES)])


def test_a_word_has_another_vector_in_another_sentence_and_nearly_the_same_beside_a_synonym() -> None:
    river = vector("i sat on the bank of the river", "bank")
    stream = vector("i sat on the bank of the stream", "bank")
    money = vector("the bank lent me the money", "bank")
    assert cosine(river, stream) > 0.85
    assert cosine(river, money) < cosine(river, stream) - 0.1


def test_the_order_of_words_counts() -> None:
    bites, bitten = vector("the dog bites the man", "dog"), vector("the man bites the dog", "dog")
    assert abs(bites - bitten).max() > 0.1
    assert not np.allclose(word_encoder()(["no", "luz"])[0], word_encoder()(["luz", "no"])[1], atol=0.1)


def test_half_of_a_vector_is_of_an_earlier_layer_which_knows_less_of_the_words_around() -> None:
    river, money = vector("i sat on the bank of the river", "bank"), vector("the bank lent me the money", "bank")
    half = SIZE // 2
    assert cosine(river[:half], money[:half]) > cosine(river[half:], money[half:])


@each("word", ["la", "fotosíntesis", "a" * 60])
def test_a_text_that_is_too_long_keeps_a_row_for_each_word(word: str) -> None:
    words = [word] * 400
    vectors = word_encoder()(words)
    assert_bounded(vectors, words)
    assert (vectors[200:] == vectors[-1]).all()
    assert not np.allclose(vectors[0], vectors[-1], atol=0.1)


def test_what_has_no_room_any_more_changes_nothing() -> None:
    words = ["luz"] * 200
    assert np.array_equal(word_encoder()([*words, "roja"])[:200], word_encoder()([*words, "verde"])[:200])


def split_at(cut: Sequence[int], names: Sequence[str], text: str) -> Iterator[tuple[int, str]]:
    """The pieces of a cut, each with its letters; the unknown piece is a letter long."""
    at = 0
    for piece in cut:
        size = len(names[piece]) or 1
        yield piece, text[at : at + size]
        at += size
    assert at == len(text)


def assert_joins_up(word: str, pieces: Pieces, names: Sequence[str]) -> None:
    known = set(names)
    for piece, letters in split_at(pieces.of(word), names, START + word[:100]):
        if piece == 0:
            assert letters not in known
        else:
            assert piece >= SPECIAL
            assert letters == names[piece]


@given(word=st.text(max_size=60))
def test_every_cut_of_any_word_joins_up_to_it(word: str, pieces: Pieces, names: list[str]) -> None:
    assert_joins_up(word, pieces, names)


@given(word=st.text("abcdefghijklmnñopqrstuvwxyzáéíóúü'-0123456789", max_size=60))
def test_every_cut_of_letters_joins_up_without_an_unknown_piece(word: str, pieces: Pieces, names: list[str]) -> None:
    assert_joins_up(word, pieces, names)
    assert 0 not in pieces.of(word)


@each("word", ODD_WORDS)
def test_every_cut_of_an_odd_word_joins_up(word: str, pieces: Pieces, names: list[str]) -> None:
    assert_joins_up(word, pieces, names)


def test_each_unknown_character_is_an_unknown_piece_of_its_own(pieces: Pieces, names: list[str]) -> None:
    begun, *middle, end = pieces.of("a😀漢b")
    assert (names[begun], middle, names[end]) == (f"{START}a", [0, 0], "b")


@each(("word", "cut"), [("luz", ["▁luz"]), ("light", ["▁light"]), ("unbelievable", ["▁un", "beli", "ev", "able"])])
def test_common_words_are_whole_and_others_are_cut_where_it_is_likeliest(
    word: str, cut: list[str], pieces: Pieces, names: list[str]
) -> None:
    assert [names[piece] for piece in pieces.of(word)] == cut


PARTS = [START, *("".join(letters) for size in (1, 2, 3) for letters in product("ab", repeat=size)), f"{START}a"]


def cuts(text: str) -> Iterator[list[str]]:
    """Every way to cut a text in known parts."""
    if not text:
        yield []
    for part in filter(text.startswith, PARTS):
        yield from ([part, *rest] for rest in cuts(text[len(part) :]))


@given(
    word=st.text("ab", max_size=7),
    scores=st.lists(st.floats(-20, -0.1), min_size=len(PARTS), max_size=len(PARTS)),
)
def test_no_cut_is_likelier(word: str, scores: list[float]) -> None:
    by_part = dict(zip(PARTS, scores, strict=True))
    pieces = Pieces([*[""] * SPECIAL, *PARTS], np.array([*[0.0] * SPECIAL, *scores], dtype=np.float64))
    likeliest = max(sum(by_part[part] for part in cut) for cut in cuts(START + word))
    assert sum(scores[piece - SPECIAL] for piece in pieces.of(word)) == pytest.approx(likeliest)


def test_no_word_is_cut_into_what_stands_for_no_letters(pieces: Pieces, all_names: list[str]) -> None:
    assert (pieces.end, *pieces.before) == tuple(range(1, SPECIAL))
    for word in (*all_names[:SPECIAL], "query:", "</s>"):
        assert not set(pieces.of(word)) & set(range(1, SPECIAL))
