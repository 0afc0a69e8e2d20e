"""The facts in an answer in the learner's own words that an explanation is made of. JSON values only.

Explanations match nothing: all that they say is a detail of the verdict, made here once, while the answer is graded.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from lesson_engine.contracts import Ask, DefinitionAnswer, OpenAnswer, Step

from .andamio_3.fold import clean, fold
from .directions import readings_that_tell, stressed_parts
from .matching import Matcher
from .meaning import Judgement, nearest_to
from .normalise import Phrase, read_authored

_MOST_CHARS: Final = 100
"""Characters of one quote of the learner's; explanations show fewer."""
_QUOTED: Final = ("said", "extra")
"""Details that are the learner's words."""
_WORD: Final = re.compile(r"[^\W_]+")
_CLAUSE_END: Final = re.compile(
    r"[.;,!?\n]+|(?<=\s)(?:because|so|but|while|porque|así que|asi que|pero|mientras|sino)(?=\s)", re.IGNORECASE
)


def findings(
    ask: Ask, answer: OpenAnswer | DefinitionAnswer, reply: Phrase, judged: Judgement, words: Matcher
) -> dict[str, Any]:
    """`reference` is the place of the nearest accepted answer, `missing_ideas` the first words for each idea that the
    reply has no word for, `said` the part of the reply that says the misconception, where there are several parts.
    """
    return {
        "reference": judged.reference,
        "missing_ideas": [group[0] for group in answer.keyword_groups if not _has(reply, group, words)],
        "said": _part_that_says(ask, reply, judged, words),
        "right": judged.right,
        "partly": judged.partly,
        "wrong": judged.wrong,
        "says": judged.says,
    }


def _has(reply: Phrase, group: Sequence[str], words: Matcher) -> bool:
    return any(words.find(read_authored(word, words.language).words, reply.words) is not None for word in group)


def _part_that_says(ask: Ask, reply: Phrase, judged: Judgement, words: Matcher) -> list[str]:
    code = judged.misconception if judged.is_wrong else None
    parts = [part.strip() for part in _CLAUSE_END.split(reply.text) if len(part.split()) > 1]
    if code is None or len(parts) < 2:
        return []
    examples = next(wrong.examples for wrong in ask.misconceptions if wrong.code == code)
    return [nearest_to(examples, parts, ask, language=words.language, vocabulary=words.vocabulary)]


def explanation_details(
    ask: Ask, details: Mapping[str, Any], text: str, words: Matcher, readings: Sequence[Step]
) -> dict[str, Any]:
    """The details with all that explanations need besides; quotes of the learner's are as in `text`, and bounded.

    `lacking` are the ideas that were not found, named as the first accepted answer says them, and `lacking_nearest` as
    the nearest one does. `stressed` are parts of the question that the answer does not take up, `readings` where to
    look.
    """
    all_details = dict(details)
    if isinstance(ask.answer, OpenAnswer | DefinitionAnswer) and "missing_ideas" in details:
        all_details |= _wording_details(ask, ask.answer, details, text, words, readings)
    quotes = {name: details[name] for name in _QUOTED if isinstance(details.get(name), list)}
    return all_details | {
        name: [clean(as_written(quote, text))[:_MOST_CHARS] for quote in quoted] for name, quoted in quotes.items()
    }


def _wording_details(
    ask: Ask,
    answer: OpenAnswer | DefinitionAnswer,
    details: Mapping[str, Any],
    text: str,
    words: Matcher,
    readings: Sequence[Step],
) -> dict[str, Any]:
    lacking = [idea for idea in answer.keyword_groups if idea[0] in details["missing_ideas"]]
    first, nearest = answer.accepted[0], answer.accepted[details["reference"]]
    return {
        "lacking": [_named(idea, (first, nearest), words) for idea in lacking],
        "lacking_nearest": [_named(idea, (nearest, first), words) for idea in lacking],
        "stressed": stressed_parts(ask, text, words.language),
        "readings": readings_that_tell(ask, lacking, readings, words.language),
    }


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


def as_written(words: str, text: str) -> str:
    """Folded words ("anos") as a text writes them ("años"); as they are where it does not have them."""
    wanted, typed = fold(words).split(), _typed(text)
    for at in range(len(typed) - len(wanted) + 1):
        if wanted and [word for _, _, word in typed[at : at + len(wanted)]] == wanted:
            return text[typed[at][0] : typed[at + len(wanted) - 1][1]]
    return words


@lru_cache(maxsize=16)
def _typed(text: str) -> Sequence[tuple[int, int, str]]:
    """The words of a text, folded, each with where it begins and ends."""
    return [(match.start(), match.end(), fold(match.group())) for match in _WORD.finditer(text)]
