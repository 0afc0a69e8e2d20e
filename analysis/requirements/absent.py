"""What a question wants results spread over and the table does not have."""

from functools import cache
from typing import Final

import numpy as np

from analysis.contracts.requirements import Unmatched
from analysis.requirements.case import SMALL_WORDS, Case
from analysis.requirements.cue_phrases import phrases_of
from analysis.requirements.cues import OTHER
from analysis.requirements.spans import Span

_BY: Final = frozenset({"by", "per", "por", "segun", "cada", "each", "every", "across"})
_FAR: Final = 0.04
"""The probability under which no column is meant."""
_NEAREST: Final = 3


@cache
def _other_words() -> frozenset[str]:
    """Words of phrases that ask for nothing, such as "por favor"."""
    return frozenset(word for phrase in phrases_of(OTHER) for word in phrase.split())


def absent_groups(case: Case) -> list[Unmatched]:
    """The words right after "by", "for each" and the like that name no column, no value and no period at all."""
    if not len(case.evidence.links):
        return []
    return [_unmatched(case, span) for span in case.evidence.question.spans if _is_absent(case, span)]


def _is_absent(case: Case, span: Span) -> bool:
    question, links = case.evidence.question, case.evidence.links
    before = [word for word in question.words[max(0, span.start - 2) : span.start] if word not in SMALL_WORDS]
    if span.size != 1 or not before or before[-1] not in _BY or span.words[0] in SMALL_WORDS | _other_words():
        return False
    around = [place for place, other in enumerate(question.spans) if other.overlaps(span)]
    is_cue = bool(case.evidence.cues.listed[around].any())
    from_here = [place for place in around if question.spans[place].start == span.start]
    return not is_cue and not case.evidence.taken[span.start] and float(links[from_here].max()) < _FAR


def _unmatched(case: Case, span: Span) -> Unmatched:
    question, links = case.evidence.question, case.evidence.links
    order = np.argsort(-links[question.place(span)], kind="stable")[:_NEAREST]
    nearest = tuple(case.columns[int(at)].name for at in order)
    return Unmatched(field="group_by", phrase=question.phrase(span.start, span.end), nearest=nearest)
