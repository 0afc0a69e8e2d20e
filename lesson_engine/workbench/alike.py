"""Answers that wait and say nearly the same as one that is shown, so that one decision can do for all of them."""

from typing import Final

from gateway.services import texts_embed_locally
from language import language_base
from lesson_engine.adaptation.deviation_model import EMBED_CHARS
from lesson_engine.contracts import VerdictResult
from lesson_engine.grading import is_same_answer, is_turned
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Turn
from lesson_engine.selectors.examples import KINDS
from lesson_engine.workbench.reviewed import VerdictFilter, verdicts_waiting

LOOKED_AT: Final = 200
"""Answers to the question that are compared, the newest."""
LOOKED_THROUGH: Final = 10_000
"""Turns before and after the one that is shown among which these are looked for: of a question that is hardly asked
there may be few.
"""
MOST: Final = 30
ALIKE: Final = 0.8
"""Cosine of two answers from which they are alike."""


def answers_alike(turn: Turn) -> list[Turn]:
    """Waiting answers to the same question of the same version that are alike.

    The grader gave them the same result, and was sure or in doubt of both. At most `MOST`, the most alike first, with
    what `cards.line_view` needs. Alike are the same words, and where the question is answered in one's own words also
    those that mean nearly the same, unless one of them may say the contrary (`is_turned`). `turn` comes from
    `queue.queue_of`. One query.
    """
    if not turn.words.text:
        return []
    others = _waiting(turn)
    likenesses = _likenesses(turn, others)
    ranked = sorted(zip(likenesses, others, strict=True), key=lambda pair: -pair[0])
    return [other for likeness, other in ranked if likeness >= ALIKE][:MOST]


def _waiting(turn: Turn) -> list[Turn]:
    doubtful = bool((turn.verdict or {}).get("doubtful"))
    wanted = VerdictFilter(ask=turn.ask_code, result=VerdictResult(turn.result), doubtful=doubtful)
    around = (turn.pk - LOOKED_THROUGH, turn.pk + LOOKED_THROUGH)
    same = verdicts_waiting(wanted).filter(session__lesson_version_id=turn.session.lesson_version_id)
    return list(same.filter(pk__range=around).exclude(pk=turn.pk)[:LOOKED_AT])


def _likenesses(turn: Turn, others: list[Turn]) -> list[float]:
    """Of each of the others with the answer: 1 for the same words."""
    version = turn.session.lesson_version
    text, texts = turn.words.text or "", [other.words.text or "" for other in others]
    language = language_base(version.language)
    found = [float(is_same_answer(text, other, language)) for other in texts]
    if outline_of(version.pk).ask(turn.ask_code).answer.kind not in KINDS:
        return found
    unlike = [at for at, same in enumerate(found) if not same and not is_turned(text, texts[at], language)]
    if unlike:
        own, *rest = texts_embed_locally([words[:EMBED_CHARS] for words in (text, *(texts[at] for at in unlike))])
        for at, row in zip(unlike, rest, strict=True):
            found[at] = float(own @ row)
    return found
