"""Pairs of reflections with tasks and with other reflections, from tests/data/reflection_pairs.jsonl.

A line there is a task in both languages with reflections on it: those of one `cause` say the same. `how` says how one
is written: "written" as people do, "rule" as rules do, "light" and "reworded" in other words, "sibling" of another task
of the kind. Cause "a2" is "a" with another adjustment. The field "nothing" has reflections on no task.
"""

import hashlib
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from language.fold import without_accents

FILE: Final = Path(__file__).parent.parent / "tests" / "data" / "reflection_pairs.jsonl"
_PARTS: Final = 3
_STRANGERS: Final = 2
_OTHER_TASKS: Final = 6
_END: Final = re.compile(r"(?<=[.])\s+")
_ORIGINAL: Final = ("written", "rule")
_EMPTY: Final = {
    "en": (
        "This has to be kept in mind for the future.",
        "That is what can be learned from it.",
        "In conclusion, it should be done differently next time.",
    ),
    "es": (
        "Habrá que tenerlo en cuenta en el futuro.",
        "Eso es lo que se puede aprender de ello.",
        "En conclusión, la próxima vez habrá que hacerlo de otra manera.",
    ),
}

Line = dict[str, Any]
Text = dict[str, str]


class Pair(NamedTuple):
    """A text with a task or an earlier text. `yes`: it is about the task, or repeats the other."""

    kind: str
    yes: bool
    text: str
    other: str
    batch: int
    held_out: bool
    lang: str


def lines_read() -> list[Line]:
    """The tasks with their reflections; `held_out` says that nothing is fitted to them."""
    lines = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    return [{**line, "held_out": line["batch"] > 1 or _part(line["task"]["en"]) == 0} for line in lines]


def task_pairs() -> list[Pair]:
    """Reflections with their own tasks, and with others."""
    return [pair for _batch, lines in _batches() for pair in _task_pairs(lines)]


def text_pairs() -> list[Pair]:
    """Reflections with earlier ones."""
    return [pair for _batch, lines in _batches() for pair in _text_pairs(lines)]


def _batches() -> Iterator[tuple[int, list[Line]]]:
    lines = lines_read()
    for batch in sorted({line["batch"] for line in lines}):
        for held_out in (False, True):
            if part := [line for line in lines if line["batch"] == batch and line["held_out"] is held_out]:
                yield batch, part


def _task_pairs(lines: Sequence[Line]) -> Iterator[Pair]:
    chance = random.Random(5)
    tasks = [line for line in lines if line["field"] != "nothing"]
    for line in tasks:
        near = [other for other in tasks if other["field"] == line["field"] and not _same_kind(line, other)]
        far = [other for other in tasks if other["field"] != line["field"]]
        for text in line["texts"]:
            if text["how"] == "sibling":
                continue
            named = "" if _names(text["text"], line) else ", names nothing of it"
            for lang in ("en", "es"):
                cross = "" if lang == text["lang"] else ", other language"
                yield _pair(line, text, f"own task{named}{cross}", True, line["task"][lang])
                for kind, others in (("task of the field", near), ("task of another field", far)):
                    for other in chance.sample(others, min(_STRANGERS, len(others))):
                        yield _pair(line, text, kind, False, other["task"][lang])
    for line in (line for line in lines if line["field"] == "nothing"):
        for text in line["texts"]:
            for other in tasks:
                yield _pair(line, text, "big words about nothing", False, other["task"][chance.choice(("en", "es"))])


def _text_pairs(lines: Sequence[Line]) -> Iterator[Pair]:
    chance = random.Random(7)
    tasks = [line for line in lines if line["field"] != "nothing"]
    for line in tasks:
        for text in line["texts"]:
            if text["how"] in _ORIGINAL:
                yield from _copies(line, text, chance)
            for other in line["texts"]:
                if text is not other:
                    yield _pair(line, text, *_kind(text, other), other["text"])
        others = [other for other in tasks if other is not line]
        for other in chance.sample(others, min(_OTHER_TASKS, len(others))):
            kind = "another task" + (" of the field" if other["field"] == line["field"] else "")
            yield _pair(line, chance.choice(line["texts"]), kind, False, chance.choice(other["texts"])["text"])


def _copies(line: Line, text: Text, chance: random.Random) -> Iterator[Pair]:
    """What a copier would do without another word; and the text with another cause beside its own."""
    said = text["text"]
    parts = _END.split(said)
    moved = parts[:]
    chance.shuffle(moved)
    other_numbers = re.sub(r"\d+", lambda found: str(int(found[0]) + chance.randint(1, 4)), said)
    copies = {
        "sentences in another order": " ".join(moved),
        "other numbers": other_numbers,
        "no accents, capitals": without_accents(said).upper(),
        "empty sentence added": f"{said} {chance.choice(_EMPTY[text['lang']])}",
        "last sentence left out": " ".join(parts[:-1]),
    }
    for kind, copy in copies.items():
        if copy not in (said, ""):
            yield _pair(line, {**text, "text": copy}, f"copy: {kind}", True, said)
    if len(parts) > 2:
        yield _pair(line, text, "copy: last sentence added", True, " ".join(parts[:-1]))
    if len(parts) > 3:
        yield _pair(line, text, "copy: second half added", True, " ".join(parts[: (len(parts) + 1) // 2]))
    fits = [
        one
        for one in line["texts"]
        if one["cause"][0] != text["cause"][0] and one["lang"] == text["lang"] and one["how"] in _ORIGINAL
    ]
    if fits:
        added = f"{said} {chance.choice(fits)['text']}"
        yield _pair(line, {**text, "text": added}, "new: other cause beside the old one", False, said)


def _kind(text: Text, other: Text) -> tuple[str, bool]:
    how = {text["how"], other["how"]}
    cross = text["lang"] != other["lang"]
    if text["cause"] != other["cause"]:
        if text["cause"][0] == other["cause"][0]:
            return "new: other adjustment", False
        return f"new: other cause{', same template' * (how == {'rule'})}{', other language' * cross}", False
    if "sibling" in how:
        return f"copy: other task of the kind{', reworded' * ('reworded' in how)}{', translated' * cross}", True
    if "reworded" in how:
        return f"copy: heavily reworded{', translated' * cross}", True
    return ("copy: translated" if cross else "copy: lightly reworded"), True


def _pair(line: Line, text: Text, kind: str, yes: bool, other: str) -> Pair:
    return Pair(kind, yes, text["text"], other, line["batch"], line["held_out"], text["lang"])


def _names(text: str, line: Line) -> bool:
    """Whether a reflection has a word of its task, in either language."""
    from reflection.likeness.texts import key_of, text_read

    return bool(_task_keys(line) & {key_of(word) for word in text_read(text).words})


def _same_kind(line: Line, other: Line) -> bool:
    return bool(_task_keys(line) & _task_keys(other))


def _task_keys(line: Line) -> set[str]:
    from reflection.likeness.texts import key_of, task_read

    return {key_of(word) for task in line["task"].values() for word in task_read(task).words}


def _part(task: str) -> int:
    return int(hashlib.sha256(task.encode()).hexdigest(), 16) % _PARTS
