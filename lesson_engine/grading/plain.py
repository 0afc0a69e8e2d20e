"""Questions out of files: a question with its reference answers, and nothing of a lesson around it."""

from functools import lru_cache

from lesson_engine.contracts import Ask, OpenAnswer


@lru_cache(maxsize=512)
def plain_ask(question: str, reference_answers: tuple[str, ...], objective: str = "") -> Ask:
    """The open ASK that a question with its reference answers makes.

    Built without the limits of a lesson's page: a file may have longer references, and no objective.
    """
    answer = OpenAnswer.model_construct(kind="open", accepted=reference_answers)
    return Ask.model_construct(type="ASK", code="ROW", question=question, objective=objective, answer=answer)
