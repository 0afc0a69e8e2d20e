"""Rules of a lesson file beyond its schema, held at import only. Source: design.md, "Lesson JSON v1"."""

from collections.abc import Iterator

from lesson_engine.answer_rules import answer_faults
from lesson_engine.contracts import Ask, Lesson
from lesson_engine.errors import Fault
from lesson_engine.goals import goal_fault
from lesson_engine.player.outline import Outline, Place


def rule_faults(lesson: Lesson) -> Iterator[Fault]:
    """Every reference that leads nowhere, code used twice and answer that could not be graded, each with its path."""
    outline = Outline(lesson)
    seen: dict[str, str] = {}
    skills = {skill.code for skill in lesson.meta.skills}
    for place in outline.places:
        if not isinstance(place.step, Ask):
            continue
        if first := seen.get(place.step.code):
            yield Fault(path=f"{place.path}.code", message=f"the code {place.step.code!r} is already used at {first}")
        seen.setdefault(place.step.code, place.path)
        yield from _ask_faults(place, place.step, outline, skills)
        yield from answer_faults(place.path, place.step, lesson.meta.language)
    yield from _repeated("meta.skills", [skill.code for skill in lesson.meta.skills])
    for index, criterion in enumerate(lesson.policy.success_criteria):
        if fault := goal_fault(criterion, max(1, len(seen))):
            yield Fault(path=f"policy.success_criteria[{index}]", message=fault)
    if not seen:
        yield Fault(path="moments", message="a lesson asks at least one question; no step has type ASK")


def _repeated(path: str, codes: list[str]) -> Iterator[Fault]:
    for index, code in enumerate(codes):
        if code in codes[:index]:
            yield Fault(path=f"{path}[{index}].code", message=f"the code {code!r} is used twice")


def _ask_faults(place: Place, ask: Ask, outline: Outline, skills: set[str]) -> Iterator[Fault]:
    for index, skill in enumerate(ask.skills):
        if skill not in skills:
            yield Fault(
                path=f"{place.path}.skills[{index}]", message=f"meta.skills has no skill with the code {skill!r}"
            )
    yield from _repeated(f"{place.path}.misconceptions", [m.code for m in ask.misconceptions])
    yield from _repeated(f"{place.path}.micro_steps", [m.code for m in ask.micro_steps])
    neighbours = {other.code for other in outline.asks_of_cycle(place.cycle)} - {ask.code}
    micro_steps = {micro.code for micro in ask.micro_steps}
    for index, misconception in enumerate(ask.misconceptions):
        path = f"{place.path}.misconceptions[{index}]"
        if misconception.goto is not None and misconception.goto not in neighbours:
            yield Fault(
                path=f"{path}.goto",
                message=f"{misconception.goto!r} is not another ASK of the same cycle; possible here: "
                f"{', '.join(sorted(neighbours)) or 'none'}",
            )
        if misconception.micro_step is not None and misconception.micro_step not in micro_steps:
            yield Fault(path=f"{path}.micro_step", message=f"this ASK has no micro-step {misconception.micro_step!r}")
