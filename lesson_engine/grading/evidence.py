"""The evidence for the decision about an answer in the learner's own words, and how it is weighed.

Two probabilities: that the answer is right, and that it is at least partly right. Without keyword groups they are those
of the model of meaning. With them, logistic regressions weigh the model, the share of ideas that are there, what
speaks against them, and how near the answer is to a known wrong idea. Their weights are fitted on the labelled answers
of the bundled lessons, by question, and rounded; see docs/grading.md.
"""

from dataclasses import dataclass

from language.calibration import logit, sigmoid
from lesson_engine.contracts import Ask, DefinitionAnswer, OpenAnswer

from .keywords import denied_ideas, expected_denials, missing_ideas
from .matching import Matcher
from .meaning import compare, probability
from .normalise import Phrase, read_authored
from .semantic import Likeness, likeness
from .verdicts import Embed

Wording = OpenAnswer | DefinitionAnswer
_LEAST = 0.01
"""Probabilities nearer than this to 0 or 1 count as this near."""
_ABOUT_IT = 0.2
"""Cosine to the nearest right answer below which a word of an idea stands in a reply about something else."""
_FAR_FROM_WRONG = 0.25
"""Least probability of a wrong idea that counts: to be far from every wrong idea speaks for nothing."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was found. `meaning` is the model's probability that the reply says what the nearest reference says."""

    right: Likeness
    wrong: Likeness
    wrong_code: str | None
    wrong_text: str
    missing: list[int]
    denied: list[int]
    """Those of the missing ideas that the reply has and denies."""
    ideas: int
    """How many keyword groups there are."""
    meaning: float
    wrong_meaning: float | None
    """The same for the author's wrong ideas; None where there are none."""

    @property
    def share(self) -> float:
        """Share of the ideas that are there; 1 when none are asked for."""
        return 1 - len(self.missing) / self.ideas if self.ideas else 1.0

    @property
    def complete(self) -> bool:
        """Whether ideas are asked for and all of them are there."""
        return self.ideas > 0 and not self.missing

    @property
    def probability(self) -> float:
        """That the answer is right."""
        if not self.ideas:
            return self.meaning
        ideas = 2.3 * self.share + (2.3 - 0.8 * self._meant if self.complete else 0.0)
        return sigmoid(-2.8 + 0.9 * self._meant - 0.15 * self._wrong + ideas - self._against(0.7, 0.7) - 5 * self._lead)

    @property
    def partly(self) -> float:
        """That the answer is right or partly right; never less than that it is right."""
        by_meaning = sigmoid(self._meant + 1.1)
        if not self.ideas:
            return by_meaning
        ideas = 1.7 * self.share + self.complete - (len(self.missing) == self.ideas)
        weighed = -0.3 + 0.1 * self._meant - 0.5 * self._wrong + ideas - self._against(1.6, 1.2) - 4 * self._lead
        # What has no idea, or is about something else, and does not mean it either, has no part of the answer.
        stray = self.right.cosine < _ABOUT_IT and not self.complete
        at_most = by_meaning if stray or len(self.missing) == self.ideas else 1.0
        return max(self.probability, min(at_most, sigmoid(weighed)))

    @property
    def _meant(self) -> float:
        return logit(self.meaning, least=_LEAST)

    @property
    def _wrong(self) -> float:
        return logit(max(_FAR_FROM_WRONG, self.wrong_meaning or 0.0), least=_LEAST)

    @property
    def _lead(self) -> float:
        """By how much the nearest wrong idea is nearer than the nearest right answer."""
        return 0.0 if self.wrong_meaning is None else self.wrong.cosine - self.right.cosine

    def _against(self, denied: float, opposite: float) -> float:
        conflict = self.right.conflict
        return denied * bool(conflict.negated or self.denied) + opposite * (conflict.opposite is not None)


def weigh(ask: Ask, answer: Wording, reply: Phrase, accepted: list[Phrase], words: Matcher, embed: Embed) -> Evidence:
    """Collect the evidence. Asks `embed` once for the right answers, and once for the wrong ideas."""
    examples = [(text, wrong.code) for wrong in ask.misconceptions for text in wrong.examples]
    compared = compare(ask.question, answer.accepted, reply.text, words.language, embed)
    expected = expected_denials(reply, answer.keyword_groups, words)
    right = likeness(reply, accepted, compared.cosines, words, expected)
    wrong, wrong_meaning = likeness(reply, (), (), words), None
    if examples:
        texts = [text for text, _ in examples]
        beside = compare(ask.question, texts, reply.text, words.language, embed)
        phrases = [read_authored(text, words.language) for text in texts]
        wrong, wrong_meaning = likeness(reply, phrases, beside.cosines, words), probability(beside)
    missing = missing_ideas(reply, answer.keyword_groups, accepted, words)
    return Evidence(
        right=right,
        wrong=wrong,
        wrong_code=examples[wrong.at][1] if examples else None,
        wrong_text=examples[wrong.at][0] if examples else "",
        missing=missing,
        denied=denied_ideas(reply, answer.keyword_groups, missing, words),
        ideas=len(answer.keyword_groups),
        meaning=probability(compared),
        wrong_meaning=wrong_meaning,
    )
