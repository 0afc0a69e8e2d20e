"""The one entry: an ASK and a reply in, a Verdict out. Source: design.md, "A turn", point 1."""

from collections.abc import Sequence

from language import LANGUAGES, language_base
from language.encoder import word_encoder
from language.units import registry
from lesson_engine.contracts import (
    Ask,
    ChoiceAnswer,
    DefinitionAnswer,
    LabelledAnswer,
    ListAnswer,
    MultiChoiceAnswer,
    NumericAnswer,
    OpenAnswer,
    ProcedureAnswer,
    Reply,
    Step,
    Verdict,
    VerdictResult,
)

from .attempts import ATTEMPT_FILES, read_attempt
from .choices import grade_choice, grade_multi_choice
from .examples import examples_details
from .findings import explanation_details
from .listing import grade_list
from .matching import Matcher, matcher
from .meaning.network import networks
from .meaning.spelling import dictionary
from .misconceptions import by_code
from .numeric import grade_numeric
from .phrase_lists import phrase_pattern
from .procedure import grade_procedure
from .slips import confusables
from .verdicts import Embed
from .wording import grade_wording


def grade(
    ask: Ask,
    reply: Reply,
    *,
    language: str,
    embed: Embed,
    vocabulary: frozenset[str] = frozenset(),
    readings: Sequence[Step] = (),
    examples: Sequence[LabelledAnswer] = (),
) -> Verdict:
    """Judge one reply. Pure: the same arguments give the same Verdict. `language` is the lesson's, such as `es-MX`.

    `embed` is called only for lists and steps, whose parts are compared as wholes. `vocabulary` holds the words of the
    lesson (`lesson_vocabulary`), which are no slips of one another; without it, those of the ASK and the language are
    known. `readings` are what the learner can read again; an explanation may point there. `examples` are answers to
    this ASK that staff judged.
    """
    words = matcher(ask, language_base(language), vocabulary)
    if reply.choices and isinstance(ask.answer, ChoiceAnswer | MultiChoiceAnswer):
        return _with_feedback(ask, _graded(ask, reply, "", words, embed))
    attempt = read_attempt(reply.text, ask, words)
    verdict = attempt if isinstance(attempt, Verdict) else _graded(ask, reply, attempt, words, embed, examples)
    details = explanation_details(ask, verdict.details, reply.text, words, readings) if verdict.details else {}
    return _with_feedback(ask, verdict.model_copy(update={"details": details}))


def warm_up() -> None:
    """Load units, words of the languages, phrases, encoder and network now instead of in front of the first learner."""
    registry()
    word_encoder()
    networks()
    for code in LANGUAGES:
        confusables(code)
        dictionary(code)
    for name in ATTEMPT_FILES.values():
        phrase_pattern(name)


def _graded(
    ask: Ask,
    reply: Reply,
    text: str,
    words: Matcher,
    embed: Embed,
    examples: Sequence[LabelledAnswer] = (),
) -> Verdict:
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
            verdict = grade_wording(ask, answer, text, words, examples)
            return verdict.model_copy(update={"details": verdict.details | examples_details(examples)})


def _with_feedback(ask: Ask, verdict: Verdict) -> Verdict:
    """The verdict with the author's general feedback, unless it has feedback of its own or there was no attempt."""
    if verdict.feedback is not None or verdict.no_attempt or verdict.result is VerdictResult.NOT_GRADABLE:
        return verdict
    if verdict.misconception is not None:
        return verdict.model_copy(update={"feedback": by_code(ask, verdict.misconception).feedback})
    return verdict.model_copy(update={"feedback": getattr(ask.feedback, verdict.result.value.lower())})
