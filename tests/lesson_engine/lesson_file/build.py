"""Small valid lessons as JSON values, to be bent by tests."""

import json
from typing import Any

from lesson_engine.contracts import Lesson
from lesson_engine.lesson_file.lesson import lesson_read

Json = dict[str, Any]


def ask(code: str = "a1", **changes: Any) -> Json:
    """An open ASK; `changes` replace or add fields."""
    return {
        "type": "ASK",
        "code": code,
        "question": "What do plants take from the air?",
        "objective": "Name the gas that plants take from the air.",
        "answer": {"kind": "open", "accepted": ["carbon dioxide"]},
        **changes,
    }


def text_step(kind: str = "CONTENT", body: str = "Plants breathe.") -> Json:
    return {"type": kind, "body": body}


def item_step(kind: str = "KEY_POINTS") -> Json:
    return {"type": kind, "items": [{"body": "Light is caught."}]}


def lesson(*moments: list[Json], **changes: Any) -> Json:
    """A lesson with one moment per list of steps."""
    return {
        "format": "andamio.lesson/1",
        "meta": {
            "slug": "plants",
            "title": "Plants",
            "language": "en",
            "summary": "What plants live on.",
            "objectives": ["Say what plants live on."],
            "skills": [{"code": "gases", "title": "Gases"}],
        },
        "moments": [{"title": f"Moment {n}", "steps": steps} for n, steps in enumerate(moments or ([ask()],))],
        **changes,
    }


def encoded(value: object) -> bytes:
    return json.dumps(value).encode()


def read(value: object) -> Lesson:
    return lesson_read(encoded(value))
