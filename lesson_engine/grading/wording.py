"""Open questions and definitions: answers in the learner's own words.

With keyword groups, score = 0.6 * share of the ideas + 0.4 * likeness / 0.75; without, score = likeness * 0.72 / 0.54,
so that the cut is where the fitted likeness has it (see `semantic`). ACCEPT from 0.72, PARTIAL from 0.40.
"""

from dataclasses import dataclass
from typing import Any

from lesson_engine.contracts import Ask, DefinitionAnswer, OpenAnswer, Verdict

from .keywords import expected_denials, missing_ideas
from .matching import Matcher
from .misconceptions import exact, recognised
from .normalise import Phrase, read, read_authored
from .semantic import EMBED_CHARS, Likeness, likeness
from .tricks import SHORT_ANSWER, holds_wrong_idea, is_echo, is_soup, offers_alternatives, offers_wrong_idea
from .verdicts import Embed, accept, partial, reject

ACCEPT_CUT = 0.72
PARTIAL_CUT = 0.40
DOUBT = 0.06
"""Half the width of the band around a cut in which the grader calls itself unsure."""
LIKENESS_CUT = 0.54
FULL_LIKENESS = 0.75
IDEAS_WEIGHT = 0.6
VERY_NEAR = 0.75
"""Cosine to a wrong idea's example that needs no shared word to tell."""
NEAR_COPY = 0.85
"""Cosine to a wrong idea's example that outweighs having every idea asked for."""
NEAR_COPY_LEAD = 0.1
"""By how much such a copy is nearer to the example than to any right answer: "... halves" beside "... doubles"."""
MOST_EXTRA_WORDS = 6
"""Content words beside a short right answer up to which naming it is enough."""

Wording = OpenAnswer | DefinitionAnswer


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that the decision rests on."""

    right: Likeness
    wrong: Likeness
    wrong_code: str | None
    wrong_text: str
    missing: list[int]
    ideas: int
    """How many keyword groups there are."""

    @property
    def share(self) -> float:
        """Share of the ideas that are there; 1 when none are asked for."""
        return 1 - len(self.missing) / self.ideas if self.ideas else 1.0

    @property
    def complete(self) -> bool:
        """Whether ideas are asked for and all of them are there."""
        return self.ideas > 0 and not self.missing

    @property
    def score(self) -> float:
        """How right the reply is, from 0 to 1."""
        if not self.ideas:
            return max(0.0, min(1.0, self.right.value * ACCEPT_CUT / LIKENESS_CUT))
        near = max(0.0, min(1.0, self.right.value / FULL_LIKENESS))
        return IDEAS_WEIGHT * self.share + (1 - IDEAS_WEIGHT) * near


def grade_wording(ask: Ask, answer: Wording, text: str, words: Matcher, embed: Embed) -> Verdict:
    """Exact forms first, then tricks, then meaning."""
    reply = read(text, words.language)
    accepted = [read_authored(phrase, words.language) for phrase in answer.accepted]
    for at, phrase in enumerate(accepted):
        if phrase.key == reply.key or _slipped(phrase, reply, words):
            return accept(f"{answer.kind}.exact", reference=at)
    if code := exact(ask, reply, words):
        return recognised(ask, code, "misconception.exact")
    vocabulary = frozenset(stem for phrase in accepted for stem in phrase.stems) - words.question
    if is_echo(reply, vocabulary, words) and not _names_answer(reply, accepted, words):
        return reject(f"{answer.kind}.echo")
    evidence = _weigh(ask, answer, reply, accepted, words, embed)
    return _decide(ask, answer, reply, accepted, evidence, words)


def _slipped(phrase: Phrase, reply: Phrase, words: Matcher) -> bool:
    wanted, typed = phrase.key.split(), reply.key.split()
    return len(wanted) == len(typed) and words.find(wanted, typed) == 0


def _names_answer(reply: Phrase, accepted: list[Phrase], words: Matcher) -> bool:
    """Whether the reply holds a short right answer whole, or is about as long as one and has most of its words."""
    stems = set(reply.stems)
    return any(
        (len(phrase.content) <= SHORT_ANSWER and words.find(phrase.content, reply.content) is not None)
        or (sum(s in stems for s in phrase.stems) >= 0.8 * len(phrase.stems) >= 0.5 * len(reply.stems))
        for phrase in accepted
    )


def _weigh(ask: Ask, answer: Wording, reply: Phrase, accepted: list[Phrase], words: Matcher, embed: Embed) -> Evidence:
    examples = [(text, wrong.code) for wrong in ask.misconceptions for text in wrong.examples]
    vectors = embed([reply.text[:EMBED_CHARS], *answer.accepted, *(text for text, _ in examples)])
    cosines = [float(cosine) for cosine in vectors[1:] @ vectors[0]]
    count = len(accepted)
    expected = expected_denials(reply, answer.keyword_groups, words)
    right = likeness(reply, accepted, cosines[:count], words, expected)
    phrases = [read_authored(text, words.language) for text, _ in examples]
    wrong = likeness(reply, phrases, cosines[count:], words)
    return Evidence(
        right=right,
        wrong=wrong,
        wrong_code=examples[wrong.at][1] if examples else None,
        wrong_text=examples[wrong.at][0] if examples else "",
        missing=missing_ideas(reply, answer.keyword_groups, accepted, words),
        ideas=len(answer.keyword_groups),
    )


def _decide(
    ask: Ask, answer: Wording, reply: Phrase, accepted: list[Phrase], evidence: Evidence, words: Matcher
) -> Verdict:
    kind, score, right = answer.kind, evidence.score, evidence.right
    details = _details(answer, evidence, reply)
    wrong_idea = evidence.wrong_code if is_wrong_idea(evidence, accepted, reply, words) else None
    # With every idea in place only a near copy of a wrong idea is called wrong; others are capped below.
    if wrong_idea and (not evidence.complete or evidence.wrong.cosine >= NEAR_COPY):
        return recognised(ask, wrong_idea, "misconception.semantic", min(score, 0.3)).model_copy(
            update={"details": details}
        )
    if evidence.missing and right.conflict:
        return reject(f"{kind}.contradiction", min(score, 0.3), **details)
    nearest = accepted[right.at]
    named = not answer.keyword_groups and _is_named(reply, nearest, evidence, words)
    if score < ACCEPT_CUT and not named:
        missed = "keywords" if evidence.missing else "semantic"
        verdict = partial(f"{kind}.{missed}", score, **details) if score >= PARTIAL_CUT else None
        return _doubted(verdict or reject(f"{kind}.semantic", score, **details), score)
    cap = ("contradiction", wrong_idea) if wrong_idea else _cap(ask, reply, nearest, evidence, words)
    if cap is not None:
        rule, code = cap
        verdict = partial(f"{kind}.{rule}", min(score, ACCEPT_CUT - 0.02), **details)
        return verdict.model_copy(update={"misconception": code, "doubtful": rule == "contradiction"})
    if named:
        return accept(f"{kind}.contains", max(score, 0.9), **details)
    rule = "keywords" if evidence.complete else "semantic"
    return _doubted(accept(f"{kind}.{rule}", score, **details), score)


def _cap(ask: Ask, reply: Phrase, nearest: Phrase, evidence: Evidence, words: Matcher) -> tuple[str, str | None] | None:
    """Why a reply that scores as right is at most partly right: the rule, and the wrong idea it also holds."""
    if code := holds_wrong_idea(ask, reply, words):
        return "contradiction", code
    if evidence.right.conflict:
        return "contradiction", None
    if is_soup(reply, evidence.ideas, words):
        return "no_statement", None
    if offers_alternatives(ask, reply, nearest, words) or offers_wrong_idea(ask, reply, words):
        return "alternatives", None
    return None


def is_wrong_idea(evidence: Evidence, accepted: list[Phrase], reply: Phrase, words: Matcher) -> bool:
    """Whether the reply is a known wrong idea in other words.

    It must be clearly nearer to the example than to any right answer, and share with it a word that no right answer
    has, contradict the right answer, or be very near. An unfinished right answer
    ("a green pigment") resembles a wrong one too.
    """
    wrong, margin = evidence.wrong, evidence.wrong.value - evidence.right.value
    if wrong.conflict or wrong.value < 0.45 or wrong.cosine < 0.6:
        return False
    if wrong.cosine >= NEAR_COPY and wrong.cosine - evidence.right.cosine >= NEAR_COPY_LEAD:
        return True
    if margin < (0.2 if evidence.complete else 0.12):
        return False
    if wrong.cosine >= VERY_NEAR or evidence.right.conflict:
        return True
    example = read_authored(evidence.wrong_text, words.language)
    known = {stem for phrase in accepted for stem in phrase.stems} | words.question
    return not (set(example.stems) - known).isdisjoint(reply.stems)


def _is_named(reply: Phrase, nearest: Phrase, evidence: Evidence, words: Matcher) -> bool:
    """Whether a short right answer stands whole in a short reply that is not nearer to a wrong idea."""
    short = len(nearest.content) <= SHORT_ANSWER and len(reply.content) - len(nearest.content) <= MOST_EXTRA_WORDS
    whole = short and words.find(nearest.content, reply.content) is not None
    return whole and not evidence.right.conflict and evidence.wrong.value <= evidence.right.value


def _details(answer: Wording, evidence: Evidence, reply: Phrase) -> dict[str, Any]:
    against = evidence.right.conflict
    return {
        "reference": evidence.right.at,
        "missing_ideas": [answer.keyword_groups[at][0] for at in evidence.missing],
        "likeness": round(evidence.right.value, 4),
        "denied": list(dict.fromkeys(_spelt(reply, against.negated))),
        "opposite": _spelt(reply, against.opposite[:1]) if against.opposite else [],
    }


def _spelt(reply: Phrase, stems: tuple[str, ...]) -> list[str]:
    """The learner's words for stems."""
    return [word for word, stem in zip(reply.content, reply.stems, strict=True) if stem in stems]


def _doubted(verdict: Verdict, score: float) -> Verdict:
    near = min(abs(score - ACCEPT_CUT), abs(score - PARTIAL_CUT)) < DOUBT
    return verdict.model_copy(update={"doubtful": near})
