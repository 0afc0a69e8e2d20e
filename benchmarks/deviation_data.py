"""Replies for measuring deviation: to the question they answered, and to others. Public sets stay outside."""

import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar
from zlib import crc32

from lesson_engine.adaptation.deviation_rules import OF_NO_ATTEMPT
from lesson_engine.contracts import TopicDeviation
from lesson_engine.grading.attempts import no_attempt_kind

T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent
FOLDS = 5
Kind = Literal["own", "same module", "other module", "other set", "requests", "chatter", "captions", "no attempt"]
Known = Literal["question", "reference", "objective", "all"]
"""What is known of a topic: its question alone; one reference answer in place of an objective; the objective; both,
with all that the author wrote about the answer."""
LESSONS = {
    "fotosintesis": "photosynthesis",
    "fractions": "fractions",
    "ley-de-ohm": "electricity",
    "ohms-law": "electricity",
}


@dataclass
class AnsweredQuestion:
    """A question with what was answered to it. `module` is held out as a whole; `fold` is the part in which it is."""

    set: str
    module: str
    code: str
    question: str
    objective: str
    references: tuple[str, ...]
    replies: list[str] = field(default_factory=list)
    idle: list[str] = field(default_factory=list)
    """Replies that the set's raters found to be none."""
    own_words: frozenset[str] = frozenset()
    """Those right replies that say it in unusual words."""

    @property
    def fold(self) -> int:
        """BEETLE is one module in parts, so that its questions are held out one by one."""
        held_out = f"{self.module} {self.code}" if self.set == "beetle" else self.module
        return crc32(held_out.encode()) % FOLDS


Sorted = tuple[str, TopicDeviation]
"""A reply with the class that it has whatever was asked."""


@dataclass(frozen=True)
class Pair:
    """A reply held against a question."""

    asked: AnsweredQuestion
    known: Known
    kind: Kind
    reply: str
    objective: str
    references: tuple[str, ...]
    wanted: TopicDeviation

    @property
    def on_topic(self) -> bool:
        return self.kind == "own"


@dataclass(frozen=True)
class Sets:
    """Everything that was read. What is no answer is by fold; `requests` are whole domains of requests."""

    asked: list[AnsweredQuestion]
    requests: list[list[str]]
    chatter: list[list[str]]
    captions: list[list[str]]
    no_attempts: list[list[Sorted]]


def read_sets(data: Path) -> Sets:
    """The sets of the folder and the lessons' answers. Raises `FileNotFoundError` naming what is missing."""
    asked = [*_semeval(data, "beetle"), *_semeval(data, "scientsbank"), *_lessons(), *_written()]
    return Sets(asked, _requests(data), _chatter(), _captions(data), _no_attempts())


def pairs(sets: Sets, *, most: int = 10, seed: int = 0) -> Iterator[Pair]:
    """Each question with up to `most` of its own replies and half as many of each other kind, all of the same fold."""
    chance = random.Random(seed)
    for asked in sets.asked:
        own = chance.sample(asked.replies, min(most, len(asked.replies)))
        others = [other for other in sets.asked if other.fold == asked.fold and other.question != asked.question]
        same = [other for other in others if other.module == asked.module and other.code != asked.code]
        near = [other for other in others if other.set == asked.set and other.module != asked.module]
        far = [other for other in others if other.set != asked.set]
        strange: list[tuple[Kind, list[list[Sorted]]]] = [
            ("same module", [_off(other.replies) for other in same]),
            ("other module", [_off(other.replies) for other in near]),
            ("other set", [_off(other.replies) for other in far]),
            ("requests", [_off(sets.requests[asked.fold])]),
            ("chatter", [_off(sets.chatter[asked.fold])]),
            ("captions", [_off(sets.captions[asked.fold])]),
            ("no attempt", [sets.no_attempts[asked.fold]]),
        ]
        for reply in own:
            yield _pair(asked, "own", (reply, TopicDeviation.ON_TOPIC), chance)
        for reply in asked.idle:
            yield _pair(asked, "no attempt", (reply, TopicDeviation.VAGUE), chance)
        for kind, places in strange:
            for _ in range((len(own) + 1) // 2 if places else 0):
                yield _pair(asked, kind, chance.choice(chance.choice(places)), chance)


def _off(replies: list[str]) -> list[Sorted]:
    return [(reply, TopicDeviation.OFF_TOPIC) for reply in replies]


def _pair(asked: AnsweredQuestion, kind: Kind, reply: Sorted, chance: random.Random) -> Pair:
    known: Known = chance.choice(("question", "reference", *(("objective",) if asked.objective else ()), "all"))
    objective = {"question": "", "reference": chance.choice(asked.references)}.get(known, asked.objective)
    return Pair(asked, known, kind, reply[0], objective, asked.references if known == "all" else (), reply[1])


def _semeval(data: Path, name: str) -> list[AnsweredQuestion]:
    found: dict[str, AnsweredQuestion] = {}
    for row in _rows(data / "grading" / f"{name}_train.jsonl"):
        asked = found.setdefault(
            row["qid"],
            AnsweredQuestion(
                name, f"{name} {row['module']}", row["qid"], row["question"], "", tuple(row["reference_answers"])
            ),
        )
        (asked.idle if row.get("label_5way") == "non_domain" else asked.replies).append(row["student_answer"])
    return list(found.values())


def _lessons() -> Iterator[AnsweredQuestion]:
    for slug, module in LESSONS.items():
        lesson = json.loads((ROOT / f"lesson_engine/lessons/{slug}.json").read_text(encoding="utf-8"))
        answers = json.loads((ROOT / f"tests/data/{slug}_answers.json").read_text(encoding="utf-8"))
        for step in (step for moment in lesson["moments"] for step in moment["steps"] if step["type"] == "ASK"):
            replies = [said for group in answers[step["code"]].values() for said in group if isinstance(said, str)]
            if step["answer"]["kind"] in ("choice", "multi_choice"):
                continue
            name = f"lessons {lesson['meta']['language']}"
            references = tuple(_accepted(step["answer"])) or (step["objective"],)
            tried = [said for said in replies if not no_attempt_kind(said)]
            yield AnsweredQuestion(name, module, step["code"], step["question"], step["objective"], references, tried)


def _written() -> Iterator[AnsweredQuestion]:
    for path in sorted((ROOT / "benchmarks/grading/lessons").rglob("*.jsonl"), key=lambda path: path.stem):
        for row in _rows(path):
            wrong = [example for idea in row["misconceptions"] for example in idea["examples"]]
            answers = [(kind, text) for _, kind, text, *_ in row["answers"] if not no_attempt_kind(text)]
            yield AnsweredQuestion(
                f"written {row['lang']}",
                path.stem,
                row["code"],
                row["question"],
                row["objective"],
                (*row["accepted"], *wrong),
                [text for _, text in answers],
                own_words=frozenset(text for kind, text in answers if kind == "right_own"),
            )


def _accepted(answer: dict[str, Any]) -> list[str]:
    groups = answer.get("items") or answer.get("steps") or ()
    return [*answer.get("accepted", ()), *(text for group in groups for text in group)]


def _requests(data: Path) -> list[list[str]]:
    sets = json.loads((data / "routing" / "clinc150_train_val.json").read_text(encoding="utf-8"))
    domain = {intent: number for number, intents in enumerate(sets["domains"].values()) for intent in intents}
    rows = [*sets["train"], *sets["oos_train"]]
    return _by_fold((domain.get(intent, crc32(text.encode())), text) for text, intent in rows)


def _chatter() -> list[list[str]]:
    """The two languages of a remark are in one part."""
    rows = _rows(ROOT / "benchmarks/deviation_chatter.jsonl")
    return _by_fold((number, text) for number, row in enumerate(rows) for text in row.values())


def _captions(data: Path) -> list[list[str]]:
    texts = {row["a"] for row in _rows(data / "similarity" / "stsb_train_en_es.jsonl")}
    return _by_fold((crc32(text.encode()), text) for text in sorted(texts))


def _no_attempts() -> list[list[Sorted]]:
    kinds = json.loads((ROOT / "tests/data/no_attempts.json").read_text(encoding="utf-8"))
    texts = [(text, OF_NO_ATTEMPT[kind]) for kind, found in kinds.items() for one in found.values() for text in one]
    return _by_fold((crc32(text.encode()), (text, wanted)) for text, wanted in texts)


def _by_fold(rows: Iterable[tuple[int, T]]) -> list[list[T]]:
    folds: list[list[T]] = [[] for _ in range(FOLDS)]
    for number, found in rows:
        folds[number % FOLDS].append(found)
    return folds


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)
