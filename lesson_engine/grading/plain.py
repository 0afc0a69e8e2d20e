"""Questions out of files: a question with its reference answers, and nothing of a lesson around it."""

from functools import lru_cache

from lesson_engine.contracts import Ask, OpenAnswer

from . import meaning
from .normalise import read


@lru_cache(maxsize=512)
def plain_ask(question: str, reference_answers: tuple[str, ...], objective: str = "") -> Ask:
    """The open ASK that a question with its reference answers makes.

    Built without the limits of a lesson's page: a file may have longer references, and no objective.
    """
    answer = OpenAnswer.model_construct(kind="open", accepted=reference_answers)
    return Ask.model_construct(type="ASK", code="ROW", question=question, objective=objective, answer=answer)


def texts_to_embed(ask: Ask, text: str, language: str) -> list[str]:
    """What grading a reply to a plain ASK embeds, so that many can be embedded at once."""
    return meaning.texts_to_embed(ask, read(text, language).text, language)
