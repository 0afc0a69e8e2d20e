"""What was found in an answer in the learner's own words, as facts that an explanation is made of. JSON values only."""

from typing import Any

from .evidence import Evidence, Wording
from .lexicon import lexicon
from .matching import Matcher
from .normalise import Phrase, read_authored

_MOST_WORDS = 12


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
        "denied": _spelt(reply, against.negated),
        "opposite": _spelt(reply, opposite[:1]),
        "against": _spelt(nearest, (*against.negated, opposite[1])),
        "likeness": round(evidence.right.value, 4),
        "probability": round(evidence.probability, 4),
    }


def _missing_parts(reply: Phrase, nearest: Phrase, words: Matcher) -> list[str]:
    """Words of the reference that the reply has nothing for, next to each other as one part, beyond the question."""
    said, parts, open_part = set(reply.stems), list[list[str]](), False
    small = lexicon(words.language).stopwords
    for word in nearest.words:
        if word in small:
            continue
        missing = not words.asked(word) and not words.any(word, reply.content) and word not in said
        if missing:
            parts = [*parts[:-1], [*parts[-1], word]] if open_part else [*parts, [word]]
        open_part = missing
    return [" ".join(part) for part in parts][:_MOST_WORDS]


def _covered(reply: Phrase, accepted: list[Phrase], answer: Wording, words: Matcher) -> list[str]:
    """The learner's words that right answers have and the question has not."""
    texts = (word for group in answer.keyword_groups for word in group)
    wanted = {stem for phrase in accepted for stem in phrase.stems}
    wanted |= {stem for text in texts for stem in read_authored(text, words.language).stems}
    found = (word for word, stem in zip(reply.content, reply.stems, strict=True) if stem in wanted - words.question)
    return list(dict.fromkeys(found))[:_MOST_WORDS]


def _spelt(phrase: Phrase, stems: tuple[str, ...]) -> list[str]:
    """The words of the phrase for stems."""
    found = (word for word, stem in zip(phrase.content, phrase.stems, strict=True) if stem in stems)
    return list(dict.fromkeys(found))
