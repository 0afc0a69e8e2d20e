"""Ideas that an answer must contain, each as the words that may express it."""

from collections.abc import Sequence
from dataclasses import replace

from .lexicon import lexicon
from .matching import Matcher
from .normalise import Phrase, read_authored
from .polarity import denied_stems, ever_denied


def missing_ideas(
    reply: Phrase, groups: Sequence[Sequence[str]], accepted: Sequence[Phrase], words: Matcher
) -> list[int]:
    """Places of the groups of which the reply has no word.

    A word that the reply denies does not count, unless a right answer denies it too ("there would be no food").
    """
    denied = denied_stems(reply, words.language)
    if denied:
        denied -= expected_denials(reply, groups, words)
        denied -= {stem for phrase in accepted for stem in ever_denied(phrase, words.language)}
    return [at for at, group in enumerate(groups) if not _found(reply, group, denied, accepted, words)]


def _found(
    reply: Phrase, group: Sequence[str], denied: frozenset[str], accepted: Sequence[Phrase], words: Matcher
) -> bool:
    against = denied and denied - _deniable(group, accepted, words)
    return any(_holds(reply, word, against, words) for word in group)


def _deniable(group: Sequence[str], accepted: Sequence[Phrase], words: Matcher) -> frozenset[str]:
    """Every word of an idea that right answers deny: where "there would be no food" is right, so is "no fruit"."""
    single = {phrase.stems[0] for word in group if len((phrase := read_authored(word, words.language)).words) == 1}
    denied = (stem for phrase in accepted for stem in denied_stems(phrase, words.language))
    return frozenset(single) if not single.isdisjoint(denied) else frozenset()


def denied_ideas(reply: Phrase, groups: Sequence[Sequence[str]], missing: Sequence[int], words: Matcher) -> list[int]:
    """Those of the missing groups whose words the reply has and denies: "it does not reflect green"."""
    if not denied_stems(reply, words.language):
        return []
    return [at for at in missing if any(_holds(reply, word, frozenset(), words) for word in groups[at])]


def expected_denials(reply: Phrase, groups: Sequence[Sequence[str]], words: Matcher) -> frozenset[str]:
    """Stems that the reply denies in words asked for, such as "sin" or "no absorbe"; they contradict nothing."""
    negations = lexicon(words.language).negations
    if negations.isdisjoint(reply.tokens):
        return frozenset()
    phrases = [read_authored(word, words.language).words for group in groups for word in group]
    parts = list(reply.tokens)
    for keyword in sorted((phrase for phrase in phrases if not negations.isdisjoint(phrase)), key=len, reverse=True):
        start = words.find(keyword, parts)
        if start is not None:
            places = range(start, start + len(keyword))
            parts = [part for at, part in enumerate(parts) if at not in places or part not in negations]
    if len(parts) == len(reply.tokens):
        return frozenset()
    left = replace(reply, tokens=tuple(parts))
    return ever_denied(reply, words.language) - ever_denied(left, words.language)


def _holds(reply: Phrase, keyword: str, denied: frozenset[str], words: Matcher) -> bool:
    phrase = read_authored(keyword, words.language)
    if words.find(phrase.words, reply.words) is None:
        return False
    return len(phrase.words) > 1 or phrase.stems[0] not in denied
