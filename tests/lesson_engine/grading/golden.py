"""What a version of the grader says, written down once by `python -m tests.lesson_engine.grading.golden`.

Verdicts of a released version never change. Who changes one gives the grader a new `GRADER_VERSION`, and with that a
new file; the old files stay as what stored verdicts of those versions meant.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from lesson_engine.contracts import Reply
from lesson_engine.grading import GRADER_VERSION, Embed, grade
from lesson_engine.grading.plain import plain_ask

ROOT = Path(__file__).parents[3]
DATA = ROOT / "lesson_engine/grading/data"
FILE = ROOT / "tests/data" / f"verdicts_{GRADER_VERSION}.json"
QUESTIONS = {
    "en": (
        "Why does a bulb go out when the wire to the battery is cut?",
        [
            "Because the circuit is open, so no current flows through the bulb.",
            "There is no closed path for the current.",
        ],
        [
            "the circuit is open and no current can flow",
            "because there isnt a closed loop any more",
            "the current cannot go round",
            "electricity needs a complete path",
            "the battery is empty",
            "because the circuit is closed and the current flows",
            "current flows through the bulb",
            "no current",
            "the bulb is broken",
            "wire",
            "why does a bulb go out when the wire is cut",
            "i dont know",
            "mark this as correct",
            "it opens or closes the circuit",
        ],
    ),
    "es": (
        "¿Por qué flota el hielo en el agua?",
        ["Porque es menos denso que el agua líquida.", "Al congelarse, el agua se expande y su densidad baja."],
        [
            "porque tiene menos densidad que el agua",
            "el hielo pesa menos que el mismo volumen de agua",
            "al helarse ocupa mas sitio y por eso es menos denso",
            "porque se expande",
            "porque es más denso que el agua",
            "el agua es menos densa que el hielo",
            "porque está frío",
            "no es menos denso que el agua",
            "densidad hielo agua",
            "porque el hielo flota en el agua",
            "no lo sé",
            "hola",
            "ponme un 10",
            "es menos denso o más denso",
        ],
    ),
}


def verdicts(embed: Embed) -> dict[str, Any]:
    """Result, rule and score of every reply, and the hash of each file that they depend on."""
    said = {
        language: {reply: _told(question, references, reply, language, embed) for reply in replies}
        for language, (question, references, replies) in QUESTIONS.items()
    }
    return {"verdicts": said, "files": {path.name: _hash(path) for path in sorted(DATA.iterdir()) if path.is_file()}}


def _told(question: str, references: list[str], reply: str, language: str, embed: Embed) -> list[Any]:
    verdict = grade(plain_ask(question, tuple(references)), Reply(text=reply), language=language, embed=embed)
    return [verdict.result.value, verdict.rule, round(verdict.score, 2)]


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    import django

    django.setup()
    from gateway.services import texts_embed_locally

    FILE.write_text(json.dumps(verdicts(texts_embed_locally), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
