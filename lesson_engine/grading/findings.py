"""The facts in an answer in the learner's own words that an explanation is made of. JSON values only.

Explanations match nothing: all that they say is a detail of the verdict, made here once, while the answer is graded.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from lesson_engine.contracts import Ask, DefinitionAnswer, OpenAnswer, Step

from .andamio_3.fold import clean, fold
from .andamio_3.stems import stem
from .directions import readings_that_tell, stressed_parts
from .evidence import Evidence, Wording
from .lexicon import lexicon
from .matching import Matcher
from .normalise import Phrase, read, read_authored
from .statements import is_soup

LEAST_COUNTING: Final = 1 / 4
"""Share of the new words of an answer that must count before it is told which do: no fishing with strings of words."""
_MOST_WORDS: Final = 12
_MOST_CHARS: Final = 100
"""Characters of one quote of the learner's; explanations show fewer."""
_QUOTED: Final = ("covered_words", "denied", "opposite", "extra")
"""Details that are the learner's words."""
_WORD: Final = re.compile(r"[^\W_]+")


def findings(
    answer: Wording, evidence: Evidence, reply: Phrase, accepted: list[Phrase], words: Matcher
) -> dict[str, Any]:
    """`missing_parts` and `against` are the author's words, `covered_words`, `denied` and `opposite` the learner's."""
    nearest, against = accepted[evidence.right.at], evidence.right.conflict
    opposite = against.opposite or ("", "")
    return {
        "reference": evidence.right.at,
        "missing_ideas": [answer.keyword_groups[at][0] for at in evidence.missing],
        "missing_parts": [] if evidence.ideas else _missing_parts(reply, nearest, words),
        "covered_words": _covered(reply, accepted, answer, words),
        "denied": _words_of(reply, against.negated),
        "opposite": _words_of(reply, opposite[:1]),
        "against": _words_of(nearest, (*against.negated, opposite[1])),
        "likeness": round(evidence.right.value, 4),
        "probability": round(evidence.probability, 4),
    }


def explanation_details(
    ask: Ask, details: Mapping[str, Any], text: str, words: Matcher, readings: Sequence[Step]
) -> dict[str, Any]:
    """The details with all that explanations need besides; quotes of the learner's are as in `text`, and bounded.

    `lacking` are the ideas that are missing and not merely denied, named as the first accepted answer says them, and
    `lacking_nearest` as the nearest one does. `tells_covered`: the words that count may be told while the question is
    open. `stressed` are parts of the question that the answer does not take up, `readings` where to look.
    """
    all_details = dict(details)
    if isinstance(ask.answer, OpenAnswer | DefinitionAnswer) and "missing_ideas" in details:
        all_details |= _wording_details(ask, ask.answer, details, text, words, readings)
    quotes = {name: details[name] for name in _QUOTED if isinstance(details.get(name), list)}
    return all_details | {
        name: [clean(as_written(quote, text))[:_MOST_CHARS] for quote in quoted] for name, quoted in quotes.items()
    }


def _wording_details(
    ask: Ask, answer: Wording, details: Mapping[str, Any], text: str, words: Matcher, readings: Sequence[Step]
) -> dict[str, Any]:
    lacking = _lacking(answer, details, words)
    first, nearest = answer.accepted[0], answer.accepted[details["reference"]]
    own = {*details["denied"], *details["opposite"]}
    parts = [[part] for part in details["missing_parts"]]
    return {
        "lacking": [_named(idea, (first, nearest), words) for idea in lacking],
        "lacking_nearest": [_named(idea, (nearest, first), words) for idea in lacking],
        "tells_covered": _tells_covered(answer, details["covered_words"], text, words),
        "stressed": stressed_parts(ask, text, words.language),
        "readings": readings_that_tell(ask, lacking or parts, readings, words.language),
        # "They do not breathe" against "they breathe": the same word on both sides explains nothing.
        "against": details["against"] if own != set(details["against"]) else [],
    }


def _lacking(answer: Wording, details: Mapping[str, Any], words: Matcher) -> list[Sequence[str]]:
    """The missing ideas; one that the answer names and denies is there, though the wrong way round."""
    denied = {stem(word, words.language) for word in details["denied"]}
    return [
        idea
        for idea in answer.keyword_groups
        if idea[0] in details["missing_ideas"] and denied.isdisjoint(_single_stems(idea, words.language))
    ]


def _single_stems(idea: Sequence[str], language: str) -> set[str]:
    phrases = (read_authored(word, language) for word in idea)
    return {phrase.stems[0] for phrase in phrases if len(phrase.words) == 1}


@lru_cache(maxsize=4096)
def _named(idea: Sequence[str], answers: Sequence[str], words: Matcher) -> str:
    """The words for an idea as the first of the accepted answers has them that has any; else the idea's first."""
    for text in answers:
        text_words = read_authored(text, words.language).words
        # Those that it has letter by letter come first, then the longest.
        for word in sorted(idea, key=lambda word: (f" {fold(word)} " not in f" {' '.join(text_words)} ", -len(word))):
            wanted = read_authored(word, words.language).words
            at = words.find(wanted, text_words)
            if at is not None:
                return as_written(" ".join(text_words[at : at + len(wanted)]), text)
    return idea[0]


def _tells_covered(answer: Wording, covered: Sequence[str], text: str, words: Matcher) -> bool:
    """Whether enough of the answer counts, and it is no string of words, which may be there to be sorted."""
    if not covered:
        return False
    reply = read(text, words.language)
    few = len(covered) < LEAST_COUNTING * sum(not words.in_question(word) for word in reply.content)
    return not few and not is_soup(reply, max(2, len(answer.keyword_groups)), words)


def as_written(words: str, text: str) -> str:
    """Folded words ("anos") as a text writes them ("años"); as they are where it does not have them."""
    wanted, typed = words.split(), _typed(text)
    for at in range(len(typed) - len(wanted) + 1):
        if wanted and [word for _, _, word in typed[at : at + len(wanted)]] == wanted:
            return text[typed[at][0] : typed[at + len(wanted) - 1][1]]
    return words


@lru_cache(maxsize=16)
def _typed(text: str) -> Sequence[tuple[int, int, str]]:
    """The words of a text, folded, each with where it begins and ends."""
    return [(match.start(), match.end(), fold(match.group())) for match in _WORD.finditer(text)]


def _missing_parts(reply: Phrase, nearest: Phrase, words: Matcher) -> list[str]:
    """Words of the reference that the reply has nothing for, next to each other as one part, beyond the question."""
    stems, parts, open_part = set(reply.stems), list[list[str]](), False
    small = lexicon(words.language).stopwords
    for word in nearest.words:
        if word in small:
            continue
        missing = not words.in_question(word) and not words.any(word, reply.content) and word not in stems
        if missing:
            parts = [*parts[:-1], [*parts[-1], word]] if open_part else [*parts, [word]]
        open_part = missing
    return [" ".join(part) for part in parts][:_MOST_WORDS]


def _covered(reply: Phrase, accepted: list[Phrase], answer: Wording, words: Matcher) -> list[str]:
    """The learner's words that right answers have and the question has not."""
    texts = (word for group in answer.keyword_groups for word in group)
    wanted = {stem for phrase in accepted for stem in phrase.stems}
    wanted |= {stem for text in texts for stem in read_authored(text, words.language).stems}
    wanted -= words.question
    return _words_of(reply, wanted)


def _words_of(phrase: Phrase, stems: Collection[str]) -> list[str]:
    """The words of the phrase for stems."""
    words = (word for word, stem in zip(phrase.content, phrase.stems, strict=True) if stem in stems)
    return list(dict.fromkeys(words))[:_MOST_WORDS]
