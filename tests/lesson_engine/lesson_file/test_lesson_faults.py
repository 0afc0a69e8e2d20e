"""A bad lesson file is refused whole, each fault named by its path in the JSON and what is expected there."""

import copy
from typing import Any

import pytest

from lesson_engine.errors import LessonRefused
from tests.each import each
from tests.lesson_engine.lesson_file.build import Json, ask, item_step, lesson, read, text_step

S0 = "moments[0].steps[0]"


def faults(value: object) -> dict[str, str]:
    with pytest.raises(LessonRefused) as refusal:
        read(value)
    assert len({fault.path for fault in refusal.value.faults}) == len(refusal.value.faults)
    return {fault.path: fault.message for fault in refusal.value.faults}


def answer(kind: str, **fields: Any) -> Json:
    return lesson([ask(answer={"kind": kind, **fields})])


CHOICES: list[Json] = [{"code": "a", "text": "A", "correct": True}, {"code": "b", "text": "B"}]

FAULTS: dict[str, tuple[Json, str, str]] = {
    "another format": (
        lesson(format="andamio.lesson/2"),
        "format",
        'expected "andamio.lesson/1", found "andamio.lesson/2"',
    ),
    "format of a wrong type": (lesson(format=["andamio.lesson/1"]), "format", "expected"),
    "surrogate in the format": (lesson(format="\ud800"), "format", r"\ud800"),
    "unknown step type": (lesson([text_step("VIDEO"), ask()]), f"{S0}.type", "'NARRATION'"),
    "step type of a wrong type": (lesson([text_step() | {"type": ["ASK"]}]), f"{S0}.type", "expected one of"),
    "no step type": (lesson([{"body": "x"}, ask()]), f"{S0}.type", "is missing"),
    "step is no object": (lesson([5]), S0, "object"),  # type: ignore[list-item]
    "unknown answer kind": (answer("essay"), f"{S0}.answer.kind", "'multi_choice', found \"essay\""),
    "no answer kind": (lesson([ask(answer={})]), f"{S0}.answer.kind", "is missing"),
    "answer is no object": (lesson([ask(answer="x")]), f"{S0}.answer", "found"),
    "unknown field at the top": (lesson(author="me"), "author", "not a field"),
    "unknown field in a step": (lesson([ask(hint="x")]), f"{S0}.hint", "not a field"),
    "field named as the kind": (answer("open", accepted=["x"], open=1), f"{S0}.answer.open", "not a field"),
    "field named as the type": (lesson([ask(ASK=1)]), f"{S0}.ASK", "not a field"),
    "field with a dot": (lesson(**{"a.b": 1}), '["a.b"]', "not a field"),
    "missing title": (lesson(meta={"slug": "x"}), "meta.title", "is missing"),
    "missing accepted answers": (
        lesson([text_step(), text_step(), ask("a0"), ask(answer={"kind": "open"})]),
        "moments[0].steps[3].answer.accepted",
        "is missing",
    ),
    "no accepted answer": (answer("open", accepted=[]), f"{S0}.answer.accepted", "at least 1 items, found 0"),
    "blank accepted answer": (answer("open", accepted=["  "]), f"{S0}.answer.accepted[0]", "at least 1 character"),
    "no accepted definition": (
        answer("definition", term="t", accepted=[]),
        f"{S0}.answer.accepted",
        "at least 1",
    ),
    "no items in a list": (answer("list", items=[]), f"{S0}.answer.items", "at least 1"),
    "item without phrases": (answer("list", items=[["x"], []]), f"{S0}.answer.items[1]", "at least 1"),
    "more required than there is": (answer("list", items=[["x"]], required=2), f"{S0}.answer", "only 1 items"),
    "procedure of one step": (answer("procedure", steps=[["x"]]), f"{S0}.answer.steps", "at least 2 items, found 1"),
    "no right choice": (
        answer("multi_choice", choices=[c | {"correct": False} for c in CHOICES]),
        f"{S0}.answer",
        "no accepted answer",
    ),
    "two right choices": (
        answer("choice", choices=[c | {"correct": True} for c in CHOICES]),
        f"{S0}.answer",
        "use multi_choice",
    ),
    "one choice": (answer("choice", choices=CHOICES[:1]), f"{S0}.answer.choices", "at least 2 items, found 1"),
    "choice code twice": (answer("choice", choices=[CHOICES[0], CHOICES[0]]), f"{S0}.answer", "a is used twice"),
    "number that is none": (answer("numeric", value="many"), f"{S0}.answer.value", 'found "many"'),
    "number missing": (answer("numeric"), f"{S0}.answer.value", "is missing"),
    "number as object": (answer("numeric", value={}), f"{S0}.answer.value", ""),
    "division by zero": (answer("numeric", value="1/0"), f"{S0}.answer.value", ""),
    "number too big to compute with": (answer("numeric", value="1e999999999"), f"{S0}.answer.value", "below 1e30"),
    "number too fine": (answer("numeric", value=1, tolerance="1e-999999999"), f"{S0}.answer.tolerance", "decimals"),
    "negative tolerance": (answer("numeric", value=1, tolerance=-1), f"{S0}.answer.tolerance", "greater"),
    "infinite number": (answer("numeric", value="Infinity"), f"{S0}.answer.value", "finite"),
    "text for a number": (lesson([ask(difficulty="3")]), f"{S0}.difficulty", 'valid integer, found "3"'),
    "true for a number": (lesson([ask(difficulty=True)]), f"{S0}.difficulty", "found true"),
    "number for a text": (lesson([ask(question=5)]), f"{S0}.question", "valid string, found 5"),
    "text for a truth": (
        answer("choice", choices=[CHOICES[0] | {"correct": "yes"}, CHOICES[1]]),
        f"{S0}.answer.choices[0].correct",
        'boolean, found "yes"',
    ),
    "text for a list": (lesson([ask(hints="x")]), f"{S0}.hints", "found"),
    "list for a text": (lesson([text_step() | {"body": ["x"]}, ask()]), f"{S0}.body", "valid string"),
    "null for a text": (lesson([ask() | {"code": None}]), f"{S0}.code", "found null"),
    "out of range": (lesson([ask(difficulty=6)]), f"{S0}.difficulty", "less than or equal to 5, found 6"),
    "bad code": (lesson([ask("1 a")]), f"{S0}.code", 'found "1 a"'),
    "bad slug": (lesson(meta=lesson()["meta"] | {"slug": "No Slug"}), "meta.slug", "pattern"),
    "bad language": (lesson(meta=lesson()["meta"] | {"language": "Spanish"}), "meta.language", "pattern"),
    "unknown operation": (lesson(policy={"operations": ["teleport"]}), "policy.operations[0]", "'reask'"),
    "no attempts": (lesson(policy={"attempts": 0}), "policy.attempts", "greater than or equal to 1"),
    "no moments": (lesson(moments=[]), "moments", "at least 1 items, found 0"),
    "no steps": (lesson([]), "moments[0].steps", "at least 1"),
    "no items": (lesson([item_step() | {"items": []}, ask()]), f"{S0}.items", "at least 1"),
    "no question": (lesson([text_step()]), "moments", "at least one question"),
    "text too long": (lesson([ask(question="x" * 20_001)]), f"{S0}.question", "at most 20000 characters"),
    "code twice": (
        lesson([ask("x")], [text_step(), ask("x")]),
        "moments[1].steps[1].code",
        f"the code 'x' is already used at {S0}",
    ),
    "unknown skill": (lesson([ask(skills=["gases", "magic"])]), f"{S0}.skills[1]", "'magic'"),
    "skill twice": (
        lesson(meta=lesson()["meta"] | {"skills": [{"code": "s", "title": "S"}] * 2}),
        "meta.skills[1].code",
        "used twice",
    ),
    "micro-step twice": (
        lesson([ask(micro_steps=[{"code": "m", "body": "x"}] * 2)]),
        f"{S0}.micro_steps[1].code",
        "used twice",
    ),
    "control character": (lesson([ask(question="a\x00b")]), f"{S0}.question", "control character"),
    "half a surrogate pair": (lesson([ask(question="a\ud800")]), f"{S0}.question", "surrogate"),
    "surrogate in a name": (lesson(**{"a\udfff": 1}), r'["a\udfff"]', "surrogate"),
}


@each("name", FAULTS)
def test_a_fault_is_named_by_its_path_and_what_is_expected(name: str) -> None:
    value, path, expected = FAULTS[name]
    found = faults(value)
    assert path in found, found
    assert expected in found[path]
    for text in (*found, *found.values()):
        text.encode()  # every message can be printed and stored
        assert len(text) < 500


@each("path", [path for _, path, _ in FAULTS.values() if path.startswith("moments")])
def test_no_union_member_stands_in_a_path(path: str) -> None:
    assert not any(f".{tag}." in path for tag in ("ASK", "open", "numeric", "choice", "CONTENT"))


@pytest.mark.parametrize(
    ("goto", "says"),
    [("a2", None), ("a1", "'a1' is not another ASK"), ("b1", "possible here: a2"), ("nowhere", "possible here: a2")],
)
def test_a_goto_leads_to_another_ask_of_its_cycle(goto: str, says: str | None) -> None:
    first = ask("a1", misconceptions=[{"code": "m", "examples": ["x"], "feedback": "f", "goto": goto}])
    value = lesson([text_step(), first, text_step("NARRATION"), ask("a2"), text_step(), ask("b1")])
    if says is None:
        read(value)
        return
    assert says in faults(value)["moments[0].steps[1].misconceptions[0].goto"]


def test_a_misconception_names_a_micro_step_of_its_own_ask() -> None:
    wrong = {"code": "m", "examples": ["x"], "feedback": "f", "micro_step": "elsewhere"}
    value = lesson([ask(misconceptions=[wrong]), ask("a2", micro_steps=[{"code": "elsewhere", "body": "b"}])])
    assert "elsewhere" in faults(value)[f"{S0}.misconceptions[0].micro_step"]


def test_all_faults_are_told_at_once() -> None:
    value = lesson([ask("1"), ask("2", difficulty=9)], [text_step(body="")], policy={"attempts": "x"})
    assert len(faults(value)) == 5


def test_at_most_a_hundred_faults_are_told() -> None:
    assert len(faults(lesson([ask(f"{n}") for n in range(300)]))) == 100


def test_a_lesson_may_be_good_in_every_part() -> None:
    value = lesson(
        [text_step("NARRATION"), item_step("TOPICS"), ask("a1"), text_step("CASE"), ask("a2")],
        [ask("b1", answer={"kind": "numeric", "value": "3/4"}), item_step("REFLECTION_AREAS")],
        [ask("c1", answer={"kind": "choice", "choices": CHOICES}), item_step("EXPECTED_LEARNING")],
        [
            ask("d1", answer={"kind": "numeric", "value": 2.5, "tolerance": 0.1, "unit": "kg"}),
            item_step("KEY_ELEMENTS"),
        ],
    )
    read(copy.deepcopy(value))
