"""Open questions and definitions: answers in the learner's own words. Method and figures: docs/grading.md.

Exact forms first, then tricks, then known wrong ideas, then the probability that the answer is right (`evidence`).
"""

import re

from lesson_engine.contracts import Ask, Verdict, VerdictResult

from .evidence import Evidence, Wording, weigh
from .findings import findings
from .matching import Matcher
from .misconceptions import exact, recognised
from .normalise import Phrase, read, read_authored
from .tricks import SHORT_ANSWER, Trick, holds_wrong_idea, is_echo, trick_of, without_asides
from .verdicts import Embed, accept, not_gradable, partial, reject

ACCEPT_CUT = 0.42
"""Probability of right from which an answer is accepted that nothing speaks against."""
SURER_CUT = 0.55
"""The same where an idea is missing or a word contradicts."""
SHORT_DENIAL = 4
"""Words up to which an answer that denies what is right says nothing else: "it is not oxygen"."""
PARTIAL_CUT = 0.5
"""Probability of at least partly right from which it is partly right."""
ECHO_CUT = 0.6
"""Probability of right that an answer of the question's own words needs: some questions hold their answers."""
DOUBT = 0.06
"""How near to a cut the grader calls itself unsure."""
NEAR_COPY = 0.85
"""Cosine to a wrong idea's example that outweighs having every idea asked for."""
NEAR_COPY_LEAD = 0.1
"""By how much such a copy is nearer to the example than to any right answer: "... halves" beside "... doubles"."""
VERY_NEAR = 0.75
"""Cosine to a wrong idea's example that needs no shared word to tell."""
MOST_EXTRA_WORDS = 6
"""Content words beside a short right answer up to which naming it is enough."""
NEAR_WORDS = 0.7
"""Share of words in common with the nearest right answer from which one word that contradicts turns all of it."""
_SIGN = re.compile(r"!=|[<>≤≥≠*×·÷]|(?<!\d)/|/(?!\d)|(?<=\w)[+-](?!\w)")
_SAME_SIGN = {"!=": "≠", "×": "*", "·": "*", "÷": "/"}
_NAMED = 0.9
"""Probability taken for a short right answer that stands whole in a short reply."""


def grade_wording(ask: Ask, answer: Wording, text: str, words: Matcher, embed: Embed) -> Verdict:
    """Judge a reply that is an attempt and can be read."""
    accepted = [read_authored(phrase, words.language) for phrase in answer.accepted]
    typed = read(text, words.language)
    reply = without_asides(typed, accepted, words)
    for at, phrase in enumerate(accepted):
        if words.says_the_same(reply, phrase):
            if _signs(phrase) != _signs(reply):
                return reject(f"{answer.kind}.contradiction", reference=at)
            return accept(f"{answer.kind}.exact", reference=at)
    if code := exact(ask, reply, words):
        return recognised(ask, code, "misconception.exact")
    vocabulary = frozenset(stem for phrase in accepted for stem in phrase.stems) - words.question
    echo = is_echo(reply, vocabulary, words) and not _names_answer(reply, accepted, words)
    if echo and answer.keyword_groups:
        return reject(f"{answer.kind}.echo")
    trick = trick_of(ask, typed, accepted, len(answer.keyword_groups), words)
    if trick is not None and trick.worth == "nothing":
        return _worth_nothing(ask, answer, trick)
    evidence = weigh(ask, answer, reply, accepted, words, embed)
    if echo and evidence.probability < ECHO_CUT:
        return reject(f"{answer.kind}.echo")
    return _decide(ask, answer, reply, accepted, evidence, trick, words)


def _worth_nothing(ask: Ask, answer: Wording, trick: Trick) -> Verdict:
    if trick.misconception is not None:
        return recognised(ask, trick.misconception, "misconception.exact")
    return (not_gradable if trick.rule == "too_long" else reject)(f"{answer.kind}.{trick.rule}")


def _signs(phrase: Phrase) -> list[str]:
    """The signs between words, which keys do not hold: "x > 5" is not "x < 5". Hyphens and bullets are none."""
    return [_SAME_SIGN.get(sign, sign) for sign in _SIGN.findall(phrase.text)]


def _names_answer(reply: Phrase, accepted: list[Phrase], words: Matcher) -> bool:
    """Whether the reply holds a short right answer whole, or is about as long as one and has most of its words."""
    stems = set(reply.stems)
    return any(
        (len(phrase.content) <= SHORT_ANSWER and words.find(phrase.content, reply.content) is not None)
        or (sum(s in stems for s in phrase.stems) >= 0.8 * len(phrase.stems) >= 0.5 * len(reply.stems))
        for phrase in accepted
    )


def _decide(
    ask: Ask,
    answer: Wording,
    reply: Phrase,
    accepted: list[Phrase],
    evidence: Evidence,
    trick: Trick | None,
    words: Matcher,
) -> Verdict:
    kind, right = answer.kind, evidence.probability
    details = findings(answer, evidence, reply, accepted, words)
    wrong_idea = evidence.wrong_code if is_wrong_idea(evidence, accepted, reply, words) else None
    # With every idea in place only a near copy of a wrong idea is called wrong; others are capped below.
    if wrong_idea and (not evidence.complete or evidence.wrong.cosine >= NEAR_COPY):
        verdict = recognised(ask, wrong_idea, "misconception.semantic", min(right, 0.3))
        return verdict.model_copy(update={"details": details})
    if evidence.missing and evidence.right.conflict and evidence.partly < PARTIAL_CUT:
        return reject(f"{kind}.contradiction", min(right, 0.3), **details)
    named = not answer.keyword_groups and _is_named(reply, accepted[evidence.right.at], evidence, words)
    cut = SURER_CUT if evidence.missing or evidence.right.conflict else ACCEPT_CUT
    if right < cut and not named:
        missed = "keywords" if evidence.missing else "semantic"
        some = evidence.partly >= PARTIAL_CUT
        verdict = (
            partial(f"{kind}.{missed}", right, **details) if some else reject(f"{kind}.semantic", right, **details)
        )
        return _doubted(verdict, evidence, cut)
    if cap := _cap(ask, reply, accepted[evidence.right.at], evidence, trick, wrong_idea, words):
        verdict = partial(f"{kind}.{cap.rule}", min(right, ACCEPT_CUT - 0.02), **details)
        doubtful = cap.rule == "contradiction"
        return verdict.model_copy(update={"misconception": cap.misconception, "doubtful": doubtful})
    if named:
        return accept(f"{kind}.contains", max(right, _NAMED), **details)
    rule = "keywords" if evidence.complete else "semantic"
    return _doubted(accept(f"{kind}.{rule}", right, **details), evidence, cut)


def _cap(
    ask: Ask,
    reply: Phrase,
    nearest: Phrase,
    evidence: Evidence,
    trick: Trick | None,
    wrong_idea: str | None,
    words: Matcher,
) -> Trick | None:
    """Why a reply that looks right is at most partly right."""
    if trick is not None:
        return trick
    if wrong_idea or (wrong_idea := holds_wrong_idea(ask, reply, words)):
        return Trick("contradiction", "part", wrong_idea)
    # Without ideas to go by, the model has weighed what speaks against a longer reply already.
    turned = len(reply.words) <= SHORT_DENIAL or _same_words(reply, nearest)
    if evidence.right.conflict and (evidence.ideas or turned):
        return Trick("contradiction", "part")
    return None


def _same_words(reply: Phrase, nearest: Phrase) -> bool:
    """Whether the reply is made of the words of a right answer, so that what contradicts turns all of it."""
    ours, theirs = set(reply.stems), set(nearest.stems)
    return len(ours & theirs) >= NEAR_WORDS * max(len(ours), len(theirs))


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
    right_stems = {stem for phrase in accepted for stem in phrase.stems} | words.question
    return not (set(example.stems) - right_stems).isdisjoint(reply.stems)


def _is_named(reply: Phrase, nearest: Phrase, evidence: Evidence, words: Matcher) -> bool:
    """Whether a short reply has all of a short right answer, and is not nearer to a wrong idea."""
    short = len(nearest.content) <= SHORT_ANSWER and len(reply.content) - len(nearest.content) <= MOST_EXTRA_WORDS
    contained = short and words.find(nearest.content, reply.content) is not None
    return contained and not evidence.right.conflict and evidence.wrong.value <= evidence.right.value


def _doubted(verdict: Verdict, evidence: Evidence, cut: float) -> Verdict:
    near = min(abs(evidence.probability - cut), abs(evidence.partly - PARTIAL_CUT)) < DOUBT
    against = verdict.result is VerdictResult.ACCEPT and bool(evidence.right.conflict)
    return verdict.model_copy(update={"doubtful": near or against})
