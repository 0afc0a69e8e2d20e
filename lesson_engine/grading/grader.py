"""The one entry: an ASK and a reply in, a Verdict out. Source: design.md, "A turn", point 1."""

from lesson_engine.contracts import (
    Ask,
    ChoiceAnswer,
    DefinitionAnswer,
    ListAnswer,
    MultiChoiceAnswer,
    NumericAnswer,
    OpenAnswer,
    ProcedureAnswer,
    Reply,
    Verdict,
    VerdictResult,
)

from .attempts import read_attempt
from .choices import grade_choice, grade_multi_choice
from .lexicon import base
from .listing import grade_list
from .matching import Matcher, matcher
from .numeric import grade_numeric
from .procedure import grade_procedure
from .verdicts import Embed
from .wording import grade_wording


def grade(ask: Ask, reply: Reply, *, language: str, embed: Embed, vocabulary: frozenset[str] = frozenset()) -> Verdict:
    """Judges one reply. Pure: the same arguments give the same Verdict. `language` is the lesson's, such as `es-MX`.

    `embed` is called at most once, and only where meaning is to be judged. `vocabulary` holds the words of the lesson
    (`lesson_vocabulary`), which are no slips of one another; without it, those of the ASK and the language are known.
    """
    words = matcher(ask, base(language), vocabulary)
    if reply.choices and isinstance(ask.answer, ChoiceAnswer | MultiChoiceAnswer):
        return _with_feedback(ask, _graded(ask, reply, "", words, embed))
    attempt = read_attempt(reply.text, ask, words)
    verdict = attempt.verdict or _graded(ask, reply, attempt.text, words, embed)
    return _with_feedback(ask, verdict)


def _graded(ask: Ask, reply: Reply, text: str, words: Matcher, embed: Embed) -> Verdict:
    match ask.answer:
        case NumericAnswer() as answer:
            # The original: folding would make "5 M" of "5 m", and hedges hold no numbers.
            return grade_numeric(ask, answer, reply.text, words)
        case ListAnswer() as answer:
            return grade_list(ask, answer, text, words, embed)
        case ProcedureAnswer() as answer:
            return grade_procedure(ask, answer, text, words, embed)
        case ChoiceAnswer() as answer:
            return grade_choice(answer, reply, words)
        case MultiChoiceAnswer() as answer:
            return grade_multi_choice(answer, reply, words)
        case OpenAnswer() | DefinitionAnswer() as answer:
            return grade_wording(ask, answer, text, words, embed)


def _with_feedback(ask: Ask, verdict: Verdict) -> Verdict:
    """Adds what the author says in general, unless there is something for this very case or there was no attempt."""
    if verdict.feedback is not None or verdict.no_attempt or verdict.result is VerdictResult.NOT_GRADABLE:
        return verdict
    if verdict.misconception is not None:
        found = next(wrong for wrong in ask.misconceptions if wrong.code == verdict.misconception)
        return verdict.model_copy(update={"feedback": found.feedback})
    said = {
        VerdictResult.ACCEPT: ask.feedback.accept,
        VerdictResult.PARTIAL: ask.feedback.partial,
        VerdictResult.REJECT: ask.feedback.reject,
    }[verdict.result]
    return verdict.model_copy(update={"feedback": said})
