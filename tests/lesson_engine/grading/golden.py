"""What this version of the grader says, written down by `python -m tests.lesson_engine.grading.golden`.

Verdicts of a released version never change: another verdict needs a new `GRADER_VERSION` and with it a new file. The
file also has a hash of all code and data of the grader, so that no change of them goes unnoticed. Where none of them
changes a verdict, a comment for example, the file is written anew.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from lesson_engine.contracts import Ask, LabelledAnswer, Reply, VerdictResult
from lesson_engine.grading import GRADER_VERSION, Embed, grade
from lesson_engine.grading.plain import plain_ask
from tests.lesson_engine.grading.asks import LIST, NUMERIC, OPEN, PROCEDURE

ROOT = Path(__file__).parents[3]
GRADER = ROOT / "lesson_engine/grading"
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


REPLIES = (
    (OPEN, "porque reflejan la luz verde"),
    (OPEN, "xq la luz vrde rebota en la oja"),
    (OPEN, "absorben la luz verde"),
    (OPEN, "las hojas se quedan con la luz verde"),
    (OPEN, "la luz verde no la devuelven"),
    (OPEN, "por las nubes"),
    (LIST, "agua, luz y tierra"),
    (PROCEDURE, "luz, baterías, agua, azúcar"),
    (NUMERIC, "unos 74,5 kg"),
)
"""To questions of a lesson, in Spanish."""
EXAMPLES = (
    LabelledAnswer(id=1, text="por las nubes del cielo", result=VerdictResult.REJECT),
    LabelledAnswer(id=2, text="lo verde se refleja", result=VerdictResult.ACCEPT),
)
"""What staff said of other answers to the first of them."""


def verdicts(embed: Embed) -> dict[str, Any]:
    """Result, rule and score of every reply, and the hash of each file that they depend on."""
    said: dict[str, Any] = {
        language: {reply: _told(plain_ask(question, tuple(references)), reply, language, embed) for reply in replies}
        for language, (question, references, replies) in QUESTIONS.items()
    }
    said["lesson"] = {f"{ask.answer.kind}: {reply}": _told(ask, reply, "es", embed) for ask, reply in REPLIES}
    said["examples"] = {reply: _told(OPEN, reply, "es", embed, EXAMPLES) for ask, reply in REPLIES if ask is OPEN}
    return {"verdicts": said, "files": {path.relative_to(GRADER).as_posix(): _hash(path) for path in grader_files()}}


def grader_files() -> list[Path]:
    """Code and data of the grader."""
    return sorted(
        path for path in GRADER.rglob("*") if path.suffix in (".py", ".json", ".npz", ".txt") and path.is_file()
    )


def _told(
    ask: Ask, reply: str, language: str, embed: Embed, examples: tuple[LabelledAnswer, ...] = ()
) -> list[str | float]:
    verdict = grade(ask, Reply(text=reply), language=language, embed=embed, examples=examples)
    return [verdict.result.value, verdict.rule, round(verdict.score, 2)]


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from gateway.services import texts_embed_locally

    FILE.write_text(json.dumps(verdicts(texts_embed_locally), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
