"""What the sentences of a reply claim of what the author wrote: which of it they say, deny, take back or leave open."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lesson_engine.contracts import Ask

from .andamio_3.fold import clean, fold
from .andamio_3.stems import stem
from .lexicon import lexicon
from .matching import Matcher
from .normalise import Phrase, read, read_authored
from .trick_patterns import DENIES, EITHER, TAKES_BACK

MOST_SENTENCES = 60
LIKE_IT = 0.6
"""Share of the content words of an accepted answer from which a sentence is taken to be about saying it."""
_BEFORE_NOT = "is are was were do does did can could will would has have should must"
"""Words after which "not" belongs to the sentence: "the bulb is in the path, but the battery is not"."""
_NOT_AT_END = re.compile(rf"(?<!\S)(?!(?:{_BEFORE_NOT.replace(' ', '|')}) not)\S+( not)[ |]*$")
_TAG = re.compile(r"<!--|-->|</?[a-z][^<>]{0,100}>", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?…](?=\s|$|[\"'»)])|\n|\t|(?=[¡¿])")
_CLAUSE_END = re.compile(r"[;:](?=\s)|\s[-–—]\s")
_CAPITAL = re.compile(r"(?<=[^\W\d_]) (?=([A-ZÁÉÍÓÚ][a-záéíóúñ]*)\b)")
_ASKS_BACK = re.compile(r"[,;.]?\s*¿?\s*\b(?:no|verdad|cierto|right|isn't it)\s*\?", re.IGNORECASE)
"""At the end of a sentence: ", no?" takes nothing back."""


@dataclass(frozen=True, slots=True)
class Claims:
    """The sentences of a reply, and those cut further at colons and the like."""

    sentences: tuple[Phrase, ...]
    clauses: tuple[Phrase, ...]


def read_claims(reply: Phrase, words: Matcher) -> Claims:
    """Cuts at the ends of sentences, at tags, and where a capital starts a sentence without a full stop before it."""
    lines = _SENTENCE_END.split(_TAG.sub("\n", _ASKS_BACK.sub(" ", clean(reply.text))))
    sentences = [piece for line in lines[:MOST_SENTENCES] for piece in _at_capitals(line, words.language)]
    clauses = [clause for sentence in sentences for clause in _CLAUSE_END.split(_CAPITAL.sub("; ", sentence))]
    return Claims(_read_all(sentences, words), _read_all(clauses, words))


def _read_all(texts: Sequence[str], words: Matcher) -> tuple[Phrase, ...]:
    phrases = (read(text, words.language) for text in texts[:MOST_SENTENCES])
    return tuple(phrase for phrase in phrases if phrase.words)


def _says_one_of(wanted: Sequence[Phrase], texts: Sequence[Phrase], words: Matcher) -> bool:
    """Whether one of the texts is one of the wanted ones, word for word but for slips."""
    return any(bool(phrase.key) and words.says_the_same(text, phrase) for text in texts for phrase in wanted)


def _at_capitals(line: str, language: str) -> list[str]:
    """Cut before a function word with a capital; other words may be names."""
    small = lexicon(language).stopwords
    cuts = [match.start() for match in _CAPITAL.finditer(line) if fold(match[1]) in small]
    return [line[start:end] for start, end in zip([0, *cuts], [*cuts, len(line)], strict=True)]


def denies_right(claims: Claims, accepted: Sequence[Phrase], words: Matcher) -> bool:
    """Whether a sentence denies a right answer as a whole: "it is not true that ...", "... That is false."."""
    denied = [text for at in range(len(claims.sentences)) for text in _denied_by(claims.sentences, at)]
    return any(_is_like(read(text, words.language), accepted, words) for text in denied)


def _denied_by(sentences: Sequence[Phrase], at: int) -> Iterator[str]:
    """The text that a sentence denies: the rest of itself, or the sentence after or before it."""
    line = " ".join(sentences[at].tokens)
    if match := DENIES.match(line):
        after = line[match.end() :].strip("| ")
        yield after or " ".join(sentence.text for sentence in sentences[at + 1 : at + 2])
    if at and TAKES_BACK.match(line):
        yield sentences[at - 1].text
    if match := _NOT_AT_END.search(line):
        yield line[: match.start(1)]


def leaves_open(ask: Ask, claims: Claims, accepted: Sequence[Phrase], words: Matcher) -> bool:
    """Whether a right answer comes with a wrong idea, with its denial or with its opposite, joined by an "or"."""
    line = " | ".join(" ".join(sentence.tokens) for sentence in claims.sentences)
    if not EITHER.search(line):
        return False
    pieces = _read_all(EITHER.split(line), words)
    if not any(_is_like(piece, accepted, words) for piece in pieces):
        return False
    denied = any(piece.words in (("no",), ("not",)) for piece in pieces)
    return denied or _says_one_of(wrong_examples(ask, words.language), pieces, words)


def claims_opposites(claims: Claims, words: Matcher) -> bool:
    """Whether short claims exclude each other: "it increases. It decreases." or "it rises or falls or stays"."""
    lines = [" ".join(sentence.tokens) for sentence in claims.sentences]
    pieces = [read(piece, words.language) for line in lines for piece in re.split(rf"\||{EITHER.pattern}", line)]
    short = {piece.stems[0] for piece in pieces if len(piece.stems) == 1 and len(piece.words) <= 3}
    return any(pair <= short for pair in _antonyms(words.language))


@lru_cache(maxsize=4)
def _antonyms(language: str) -> tuple[frozenset[str], ...]:
    pairs = (frozenset(stem(word, language) for word in pair) for pair in lexicon(language).antonyms)
    return tuple(pair for pair in pairs if len(pair) == 2)


def wrong_ideas(ask: Ask, claims: Claims, words: Matcher) -> tuple[list[str], list[Phrase]]:
    """Codes of the misconceptions whose examples are clauses of a reply of several, and the clauses that are none."""
    codes: dict[str, None] = {}
    others: list[Phrase] = []
    for clause in claims.clauses if len(claims.clauses) > 1 else ():
        matching = [
            wrong.code
            for wrong in ask.misconceptions
            if _says_one_of([read_authored(text, words.language) for text in wrong.examples], [clause], words)
        ]
        codes |= dict.fromkeys(matching)
        others += [] if matching else [clause]
    return list(codes), others


@lru_cache(maxsize=512)
def wrong_examples(ask: Ask, language: str) -> tuple[Phrase, ...]:
    """Every example of a misconception."""
    return tuple(read_authored(text, language) for wrong in ask.misconceptions for text in wrong.examples)


def _is_like(text: Phrase, accepted: Sequence[Phrase], words: Matcher) -> bool:
    """Whether a text says what one of the accepted answers says, by its words and its noes."""
    negations = lexicon(words.language).negations
    stems = set(text.stems)
    for phrase in accepted:
        if phrase.key == text.key:
            return True
        wanted = set(phrase.stems)
        same_noes = negations.isdisjoint(phrase.words) == negations.isdisjoint(text.words)
        if same_noes and len(wanted & stems) >= max(2, LIKE_IT * len(wanted)):
            return True
    return False
