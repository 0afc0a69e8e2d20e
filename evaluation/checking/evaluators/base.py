"""What every check of a criterion has in common."""

import re
from abc import ABC, abstractmethod
from typing import ClassVar, Final

from evaluation.checking.outcome import Outcome, Quantifier
from evaluation.checking.walk import ResultReading
from evaluation.checking.wording import result_of
from evaluation.checking.words import name_words, plain_text, stem
from evaluation.contracts import CriterionResult, Reason
from planning.contracts import SuccessCriterion
from planning.criteria import CriterionKind, CriterionParse

_ANY: Final = re.compile(
    r"\b(?:any|at least one|one of|some|algun[oa]?s?|al menos un[oa]?|uno de|una de|cualquier\w*)\b"
)
_ALL: Final = re.compile(r"\b(?:all|every|each|todos|todas|cada|both|ambos|ambas|none|ningun[oa]?)\b")


class Evaluator(ABC):
    """Checks criteria of one form. `version` goes up with every change after which an outcome may be another."""

    name: ClassVar[str]
    version: ClassVar[int]

    @property
    def label(self) -> str:
        """What results and rows carry: "presence/1"."""
        return f"{self.name}/{self.version}"

    @abstractmethod
    def applies_to(self, criterion: SuccessCriterion) -> bool:
        """Whether it checks such a criterion."""

    @abstractmethod
    def evaluate(self, criterion: SuccessCriterion, result: ResultReading) -> CriterionResult:
        """Whether the result meets the criterion, with `evaluator` set to the label."""


class GrammarEvaluator(Evaluator):
    """Checks criteria that the grammar understands; `kinds` are those that it takes."""

    kinds: ClassVar[frozenset[CriterionKind]]

    def applies_to(self, criterion: SuccessCriterion) -> bool:
        return criterion.parse is not None and criterion.parse.kind in self.kinds

    def evaluate(self, criterion: SuccessCriterion, result: ResultReading) -> CriterionResult:
        parse = criterion.parse
        outcome = Outcome(None, Reason.NOT_UNDERSTOOD) if parse is None else self.outcome(criterion.text, parse, result)
        return result_of(criterion, outcome, self.label)

    @abstractmethod
    def outcome(self, text: str, parse: CriterionParse, reading: ResultReading) -> Outcome:
        """What the result says of the criterion, which was written as `text`."""


def quantifier_of(text: str, parse: CriterionParse) -> Quantifier:
    """Of how many things the criterion must be true: what it says, else what the number of its subject says."""
    plain = plain_text(text)
    if parse.every or _ALL.search(plain):
        return Quantifier.ALL
    if not parse.count and _ANY.search(plain):
        return Quantifier.ANY
    last = name_words(parse.subject or "")[-1:]
    is_plural = bool(last) and last[0].endswith("s") and stem(last[0]) != last[0] and not last[0].endswith("ss")
    return Quantifier.ALL if is_plural else Quantifier.ONE
