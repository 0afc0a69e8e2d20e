"""A lesson whose every answer leaves the grader in doubt, and a learner who gives such answers."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.learner import Learner, Step, post, worded
from config.launcher import places

OPINION = '{"verdict": "PARTIAL", "confidence": "high", "tricks": false}'
"""What the thinker says of each: the learner stays at the question, as with the rules alone."""
_SLUG = "en-duda"
_QUESTIONS, _ATTEMPTS = 10, 10
_MODE = re.compile(r'<form class="mode" action="([^"]+)"(.*?)</form>', re.DOTALL)
_CHOSEN = '<option value="{}" selected>'
_SMALL = {
    "type": "ASK",
    "code": "luz",
    "question": "¿Para qué necesitan luz las plantas?",
    "objective": "Decir para qué usan la luz las plantas",
    "answer": {
        "kind": "open",
        "accepted": ["Las plantas usan la luz para fabricar azúcar con agua y dióxido de carbono."],
    },
}


@dataclass(frozen=True)
class Question:
    """A question as a lesson file has it, and what is said to it."""

    name: str
    about: str
    step: dict[str, Any]
    said: str

    @property
    def slug(self) -> str:
        """Of its lesson."""
        return f"{_SLUG}-{self.name}"

    def lesson_json(self) -> bytes:
        """The question over and over: as many answers as a session may have second opinions.

        Nothing comes between the answers, so that both modes have the same turns.
        """
        mistakes = [{**wrong, "goto": None, "micro_step": None} for wrong in self.step.get("misconceptions", [])]
        ask = {**self.step, "micro_steps": [], "misconceptions": mistakes, "hints": []}
        asks = [{**ask, "code": f"{self.step['code']}_{number}"} for number in range(_QUESTIONS)]
        reading = {"type": "CONTENT", "title": "Antes", "body": "Piensa en una hoja."}
        lesson: dict[str, Any] = {
            **_DEMO,
            "meta": {**_DEMO["meta"], "slug": self.slug, "title": "En duda"},
            "policy": {
                "operations": ["reask"],
                "attempts": _ATTEMPTS,
                "budget_cents": 100_000,
                "escalations": _QUESTIONS * _ATTEMPTS,
            },
            "moments": [{"title": "Preguntas", "steps": [reading, *asks]}],
        }
        return json.dumps(lesson).encode()

    def doubtful_texts(self, count: int) -> list[str]:
        """So many different answers of which the grader is in doubt."""
        from gateway.services import texts_embed_locally
        from lesson_engine.contracts import Ask, Lesson, Reply
        from lesson_engine.grading import grade
        from lesson_engine.grading.vocabulary import lesson_vocabulary

        lesson = Lesson.model_validate_json(self.lesson_json())
        language, vocabulary = lesson.meta.language, lesson_vocabulary(lesson)
        ask = next(step for step in lesson.moments[0].steps if isinstance(step, Ask))
        random, found = Random(1), dict[str, None]()
        for _ in range(4 * count):
            text = worded(self.said, random)
            reply = Reply(text=text)
            if grade(ask, reply, language=language, embed=texts_embed_locally, vocabulary=vocabulary).doubtful:
                found[text] = None
            if len(found) == count:
                return list(found)
        raise RuntimeError(f"of {self.said!r} the grader is in doubt in {len(found)} wordings only")


def _of_demo(code: str) -> dict[str, Any]:
    steps = (step for moment in _DEMO["moments"] for step in moment["steps"])
    return dict(next(step for step in steps if step.get("code") == code))


_DEMO = json.loads(Path(places.DEMO_LESSON).read_text())
_LIKE, _LIKE_SAID = _of_demo("clorofila"), "El jugo verde que alimenta a la planta"
QUESTIONS = (
    Question("demo", "A question of the demo lesson, with 18 accepted answers", _LIKE, _LIKE_SAID),
    Question("small", "A question with one accepted answer", _SMALL, "Las plantas fabrican azúcar"),
)


class Doubtful(Learner):
    """Answers with one of these texts, in a session of that mode."""

    def __init__(self, random: Random, slug: str, mode: str, texts: list[str]) -> None:
        self._home = f"/lessons/{slug}/"
        super().__init__(random)
        self._mode, self._texts = mode, texts

    @property
    def ready(self) -> bool:
        """Whether the next step is an answer, in the mode that is wanted."""
        return super().ready and self.next_step().kind == "answer"

    def next_step(self) -> Step:
        """As any learner, but for the mode, which comes first."""
        form = None if self._location else _MODE.search(self._page)
        if form and _CHOSEN.format(self._mode) not in form[2]:
            return post("page", form[1], form[2], [("mode", self._mode)])
        return super().next_step()

    def _answer(self, code: str) -> list[str]:
        return [self._random.choice(self._texts)]
