"""Reflections and tasks as likeness compares them: folded, without accents and capitals, and bounded."""

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from language.fold import fold, visible
from language.word_lists import named_lists

DATA: Final = Path(__file__).parent / "data"
LENGTH: Final = 4_000
"""Characters of a text that are compared."""
_WHOLE, _SENTENCES, _SENTENCE, _WORDS, _WORD_LENGTH = 900, 14, 300, 48, 30
_KEY: Final = 6
_WORD: Final = re.compile(r"[^\W_]+(?:[.,][0-9]+)*")
_END: Final = re.compile(r"(?<=[.!?;…])\s+|\n+|\s[•·*-]\s+")
_QUOTED: Final = re.compile(r"“[^”\n]{1,200}”|«[^»\n]{1,200}»|\"[^\"\n]{1,200}\"")
_COMPARED: Final = re.compile(r"[^\W\d]\w*(?: (?:[<>]=?|[=!]=|[≤≥]) ?[^\s;,]+)+")
_LEFT_SENTENCES, _LEFT_WORDS = 2, 10
"""What a text has to have beside the facts of the failure, for these to be left out."""
_SPACE: Final = re.compile(r"[^\S\n]+")


class Text(NamedTuple):
    """A text to compare. A `core` is without numbers and without the words that reflections on all tasks have.

    `words` say what the text is about, none twice. All empty for a text without a letter or digit.
    """

    whole: str = ""
    core: str = ""
    sentences: tuple[str, ...] = ()
    cores: tuple[str, ...] = ()
    words: tuple[str, ...] = ()


def text_read(text: str) -> Text:
    """A reflection, without sentences of common words alone ("This must be kept in mind.")."""
    return _text_read(text[:LENGTH])


@lru_cache(maxsize=1_024)
def _text_read(text: str) -> Text:
    folded = prepare(text)
    if not _WORD.search(folded):
        return Text()
    parts = [part[:_SENTENCE] for part in _END.split(folded) if _WORD.search(part)]
    sentences = tuple(([part for part in parts if topic_words(part)] or parts)[:_SENTENCES])
    whole = folded[:_WHOLE]
    return Text(whole, _core(whole), sentences, tuple(map(_core, sentences)), topic_words(folded))


def insight_read(text: str) -> Text:
    """A reflection without what restates the failure (the task, values that were read, what is quoted, that it happened
    before), which makes it neither old nor new; with all of it where little else is left.
    """
    return _insight_read(text[:LENGTH])


@lru_cache(maxsize=1_024)
def _insight_read(text: str) -> Text:
    parts = [part for part in _END.split(prepare(text)) if _WORD.search(part)]
    left = [_unquoted(part) for part in parts if not is_restating(part)]
    enough = len(left) >= _LEFT_SENTENCES and len(topic_words(" ".join(left))) >= _LEFT_WORDS
    return _text_read("\n".join(left if enough else parts))


def _unquoted(sentence: str) -> str:
    """The sentence without what it quotes and compares ("quality >= 7"), where that leaves something."""
    left = _SPACE.sub(" ", _COMPARED.sub(" ", _QUOTED.sub(" ", sentence))).strip()
    return left if topic_words(left) and not is_adjusting(sentence) else sentence


def is_restating(sentence: str) -> bool:
    """Whether a folded sentence says what happened, in figures and names, and nothing of why or what to do."""
    if is_adjusting(sentence):
        return False
    words = set(_words_in(_QUOTED.sub(" ", sentence)))
    if words & word_set("arguing"):
        return False
    if words & word_set("referring"):
        return True
    has_values = any(sign.isdigit() for sign in sentence) or _QUOTED.search(sentence) is not None
    return has_values and bool(words & word_set("measuring"))


def task_read(task: str) -> Text:
    """A task; what any task may have ("find", "Monday") is not among its words, unless there is nothing else."""
    read = text_read(task)
    words = _distinct(read.whole, word_set("empty"))
    telling = tuple(word for word in words if word not in word_set("asking") | word_set("counting"))
    return read._replace(words=telling or words)


def topic_words(folded: str) -> tuple[str, ...]:
    """The words that say what a text is about, none twice."""
    return _distinct(folded, word_set("empty") | word_set("reflecting") | word_set("counting"))


def is_adjusting(sentence: str) -> bool:
    """Whether a folded sentence says what to change: "set priority = quality"."""
    first = _WORD.search(sentence)
    return first is not None and first[0] in word_set("adjusting")


def key_of(word: str) -> str:
    """The beginning of a folded word: the same for most of its forms, and for many words that languages share."""
    return word[:_KEY] if len(word) > _KEY else word.rstrip("s") or word


def prepare(text: str) -> str:
    """Lower case, without accents and what cannot be seen, and with single spaces; lines stay apart."""
    return fold(visible(text, keep_lines=True), compatible=True)[:LENGTH].strip()


@cache
def word_set(name: str) -> frozenset[str]:
    """A list of `data/words.txt`."""
    return frozenset(word for words in named_lists(DATA / "words.txt")[name] for word in words.split())


def _core(folded: str) -> str:
    words = (word for word in _words_in(folded) if word not in word_set("reflecting") and not word[0].isdigit())
    return " ".join(words) or folded


def _distinct(folded: str, without: frozenset[str]) -> tuple[str, ...]:
    words = (word for word in _words_in(folded) if word not in without and len(word) > 1 and not word[0].isdigit())
    return tuple(dict.fromkeys(words))[:_WORDS]


def _words_in(folded: str) -> list[str]:
    return [word[:_WORD_LENGTH] for word in _WORD.findall(folded.replace("_", " "))]
