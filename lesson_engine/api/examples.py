"""Examples of answers for the documentation page, from `data/`; a test holds them against the contracts."""

import json
from pathlib import Path
from typing import Any

from lesson_engine.api.contracts.lessons import LessonSummary
from lesson_engine.api.contracts.sessions import SessionSummary

_PARTS: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "examples.json").read_text(encoding="utf-8"))

LESSON = _PARTS["lesson"]
LESSON_SUMMARY = {name: LESSON[name] for name in LessonSummary.model_fields}
READING = _PARTS["session"]
ASKING = READING | _PARTS["asking"]
JUDGED = ASKING | _PARTS["judged"] | {"question": ASKING["question"] | {"attempt": 2}}
CLOSED = ASKING | _PARTS["closed"]
COMPARING, OWN_WORD = ASKING | _PARTS["comparing"], ASKING | _PARTS["own_word"]
SESSION_SUMMARY = {name: (READING | READING["progress"])[name] for name in SessionSummary.model_fields}
TURN, TURN_OF_STAFF = _PARTS["turn"], _PARTS["turn_of_staff"]
VERDICT = _PARTS["verdict"]
VERDICT_REVIEWED = VERDICT | {
    "review": _PARTS["review"],
    "reviews": [_PARTS["review"]],
    "replay": {"state": "same", "result": "PARTIAL"},
}
REVIEWED, AGREEMENT = _PARTS["reviewed"], _PARTS["agreement"]
UNDONE = REVIEWED | _PARTS["undone"]
GROUP_REVIEWED = {
    "results": [
        {"id": 417, "stored": True, "outcome": REVIEWED, "refusal": None},
        {"id": 423, "stored": False, "outcome": None, "refusal": _PARTS["refusal"]},
    ]
}
