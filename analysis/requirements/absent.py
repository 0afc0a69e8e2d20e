"""What a question wants results spread over and the table does not have."""

from functools import cache
from typing import Final

import numpy as np

from analysis.contracts.requirements import Unmatched
from analysis.contracts.tables import TableSchema
from analysis.requirements.cue_phrases import phrases_of
from analysis.requirements.cues import OTHER, cues_listed
from analysis.requirements.inputs import Inputs
from analysis.requirements.linking import FEATURES, Floats, column_features
from analysis.requirements.spans import Question

_BY: Final = frozenset({"by", "per", "por", "segun", "cada", "each", "every", "across"})
_SMALL_WORDS: Final = frozenset(
    ["of", "the", "a", "an", "in", "de", "del", "la", "el", "los", "las", "lo", "un", "una", "que"]
)
_KINDS: Final = frozenset(["type", "kind", "sort", "class", "group", "one", "tipo", "clase", "grupo", "uno", "una"])
"""Words that leave it to the next ones to say what is meant: "each kind of weather"."""
_FAR: Final = 0.55
"""The cosine under which a word that shares nothing with a name or a value means none."""
_NEAREST: Final = 3
_SIGNS: Final = [FEATURES.index(name) for name in ("same", "covered", "group", "part_group", "abbreviated")]
_COSINES: Final = [FEATURES.index(name) for name in ("cosine", "word_cosine")]


@cache
def _other_words() -> frozenset[str]:
    """Words of phrases that ask for nothing, such as "por favor"."""
    return frozenset(word for phrase in phrases_of(OTHER) for word in phrase.split())


def absent_groups(question: Question, schema: TableSchema, inputs: Inputs) -> list[Unmatched]:
    """The words right after "by", "for each" and the like that name no column, no value and no period at all."""
    cued = np.zeros(len(question.words), dtype=bool)
    for span, listed in zip(question.spans, cues_listed(question), strict=True):
        cued[span.start : span.end] |= bool(listed.any())
    for _what, start, end in (*inputs.amounts, *inputs.periods):
        cued[start:end] = True
    valued = {run for group in inputs.groups for run in group.spans}
    places = [
        at
        for at in range(1, len(question.words))
        if not cued[at] and (at, at + 1) not in valued and _is_after_by(question, at)
    ]
    features = column_features(question, schema) if places else np.zeros(0, dtype=np.float32)
    fits = [(at, features[question.place(question.span(at, at + 1))]) for at in places]
    return [_unmatched(question.phrase(at, at + 1), schema, fit) for at, fit in fits if _is_far(fit)]


def _is_after_by(question: Question, at: int) -> bool:
    before = [word for word in question.words[max(0, at - 2) : at] if word not in _SMALL_WORDS]
    return bool(before) and before[-1] in _BY and question.words[at] not in _SMALL_WORDS | _KINDS | _other_words()


def _is_far(fit: Floats) -> bool:
    """Whether a word is near no column by any sign."""
    return not fit[:, _SIGNS].any() and float(fit[:, _COSINES].max()) < _FAR


def _unmatched(phrase: str, schema: TableSchema, fit: Floats) -> Unmatched:
    order = np.argsort(-fit[:, _COSINES].max(axis=1), kind="stable")[:_NEAREST]
    return Unmatched(field="group_by", phrase=phrase, nearest=tuple(schema.columns[int(at)].name for at in order))
