"""Keyword groups that do not do what they are for: that a right answer fails, or that any answer meets."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from language.fold import fold
from lesson_engine.contracts import Ask
from lesson_engine.grading import Embed
from lesson_engine.grading.lexicon import lexicon
from lesson_engine.grading.matching import Matcher
from lesson_engine.grading.normalise import Phrase, read_authored

from .results import TrialWarning, WarningKind
from .tries import Wording

LEAST_EXAMPLES: Final = 2
"""Wrong answers that must all meet a group before it is called one that any answer meets."""
NEAR: Final = 0.6
"""Cosine to a word of the group from which another word may say the same idea."""
_MOST_WORDS: Final = 3
_WORD = re.compile(r"[^\W_]+")


def group_warnings(ask: Ask, answer: Wording, words: Matcher, embed: Embed) -> Iterator[TrialWarning]:
    """`words` is the matcher of the ASK."""
    question = _read(ask.question, words)
    wrong = [_read(example, words) for misconception in ask.misconceptions for example in misconception.examples]
    for group in answer.keyword_groups:
        if failing := [text for text in answer.accepted if not words_in(_read(text, words), group, words)]:
            yield TrialWarning(
                WarningKind.GROUP_NOT_MET,
                quote=failing[0],
                group=group,
                words=_words_instead(failing, group, answer, words, embed),
                count=len(failing),
                total=len(answer.accepted),
            )
        if asked := words_in(question, group, words):
            yield TrialWarning(WarningKind.GROUP_IN_QUESTION, group=group, words=asked)
        elif len(wrong) >= LEAST_EXAMPLES and all(words_in(example, group, words) for example in wrong):
            yield TrialWarning(WarningKind.GROUP_IN_EXAMPLES, group=group, count=len(wrong))


def words_in(text: Phrase, group: Sequence[str], words: Matcher) -> tuple[str, ...]:
    """Those of the group's words that the text has, in any form."""
    return tuple(word for word in group if words.find(_read(word, words).words, text.words) is not None)


def _read(text: str, words: Matcher) -> Phrase:
    return read_authored(text, words.language)


def _words_instead(
    texts: Sequence[str], group: Sequence[str], answer: Wording, words: Matcher, embed: Embed
) -> tuple[str, ...]:
    """Of each text the word that is nearest in meaning to the group's, if it is near, as it is written."""
    nearest = (_nearest(_own_words(text, answer, words), group, embed) for text in texts)
    return tuple(dict.fromkeys(word for word in nearest if word))[:_MOST_WORDS]


def _own_words(text: str, answer: Wording, words: Matcher) -> list[str]:
    """The words of an answer that neither the question nor a keyword group has, without function words."""
    grouped = {part for group in answer.keyword_groups for word in group for part in _read(word, words).words}
    taken = grouped | lexicon(words.language).negations
    written = {fold(match[0]): match[0] for match in _WORD.finditer(text)}
    content = (word for word in _read(text, words).content if not words.in_question(word))
    return [written.get(word, word) for word in content if word.isalpha() and not words.any(word, taken)]


def _nearest(own_words: Sequence[str], group: Sequence[str], embed: Embed) -> str:
    if not own_words:
        return ""
    vectors = embed([*own_words, *group])
    likeness = (vectors[: len(own_words)] @ vectors[len(own_words) :].T).max(axis=1)
    nearest = int(likeness.argmax())
    return own_words[nearest] if likeness[nearest] >= NEAR else ""
