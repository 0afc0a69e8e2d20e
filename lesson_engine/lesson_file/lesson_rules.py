"""Rules of a lesson file beyond its schema, held at import only. Source: design.md, "Lesson JSON v1".

Texts of an ASK are read as the grader reads them, in time in proportion to their length: a file may have many.
"""

from collections.abc import Callable, Iterator, Sequence

from language import language_base
from language.fold import compose
from lesson_engine.contracts import (
    Ask,
    Choice,
    ChoiceAnswer,
    DefinitionAnswer,
    Lesson,
    ListAnswer,
    MultiChoiceAnswer,
    NumericAnswer,
    OpenAnswer,
    ProcedureAnswer,
    VerdictResult,
)
from lesson_engine.errors import Fault
from lesson_engine.grading.matching import matcher
from lesson_engine.grading.normalise import read_authored
from lesson_engine.grading.numeric import grade_numeric
from lesson_engine.grading.segments import at_conjunctions, parts
from lesson_engine.outcomes.goals import goal_fault
from lesson_engine.player.outline import Outline, Place

_EMPTY = "has no letter and no digit, so that no answer could ever match it"
_ACCEPTED = "says the same as an accepted answer of this ASK; an answer cannot be right and a misconception"


def answer_faults(path: str, ask: Ask, language: str) -> Iterator[Fault]:
    """Texts that no reply could match, misconceptions that are right answers, and choices that look the same."""
    language = language_base(language)
    for place, text in _wordings(ask):
        if not _key(text, language):
            yield Fault(path=f"{path}.answer.{place}", message=_EMPTY)
    accepts = _accepts(ask, language)
    for m, misconception in enumerate(ask.misconceptions):
        for e, example in enumerate(misconception.examples):
            empty = not _key(example, language)
            if empty or accepts(example):
                place = f"{path}.misconceptions[{m}].examples[{e}]"
                yield Fault(path=place, message=_EMPTY if empty else _ACCEPTED)
    if isinstance(ask.answer, ChoiceAnswer | MultiChoiceAnswer):
        yield from _same_choices(f"{path}.answer.choices", ask.answer.choices)


def _key(text: str, language: str) -> str:
    return read_authored(text, language).key


def _wordings(ask: Ask) -> Iterator[tuple[str, str]]:
    """The texts that a written answer is compared with, each with its place in the answer."""
    match ask.answer:
        case OpenAnswer() | DefinitionAnswer() as answer:
            yield from ((f"accepted[{at}]", text) for at, text in enumerate(answer.accepted))
            yield from _grouped("keyword_groups", answer.keyword_groups)
        case ListAnswer(items=groups):
            yield from _grouped("items", groups)
        case ProcedureAnswer(steps=groups):
            yield from _grouped("steps", groups)


def _grouped(name: str, groups: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    for g, group in enumerate(groups):
        yield from ((f"{name}[{g}][{at}]", text) for at, text in enumerate(group))


def _accepts(ask: Ask, language: str) -> Callable[[str], bool]:
    """Whether a text is an accepted answer but for case, accents, articles and punctuation."""
    match ask.answer:
        case OpenAnswer(accepted=texts) | DefinitionAnswer(accepted=texts):
            return _one_of(texts, language)
        case ChoiceAnswer(choices=choices):
            return _one_of([choice.text for choice in choices if choice.correct], language)
        case ListAnswer(items=groups) as answer:
            needed = answer.required or len(groups)
            items = _reader(groups, language)
            return lambda text: None not in (named := items(text)) and len(set(named)) >= needed
        case ProcedureAnswer(steps=groups):
            steps, in_order = _reader(groups, language), [*range(len(groups))]
            return lambda text: steps(text) == in_order
        case NumericAnswer() as answer:
            bare = ask.model_copy(update={"misconceptions": ()})
            words = matcher(bare, language)
            return lambda text: grade_numeric(bare, answer, text, words).result is VerdictResult.ACCEPT
        case MultiChoiceAnswer():
            return lambda _: False


def _one_of(texts: Sequence[str], language: str) -> Callable[[str], bool]:
    keys = {_key(text, language) for text in texts}
    return lambda text: _key(text, language) in keys


def _reader(groups: Sequence[Sequence[str]], language: str) -> Callable[[str], list[int | None]]:
    """From an enumeration to the places of what it names; None for a part that is none of the groups."""
    places = {_key(text, language): at for at, group in reversed([*enumerate(groups)]) for text in group}

    def named(text: str) -> list[int | None]:
        items: list[int | None] = []
        for part in parts(text):
            item = places.get(_key(part, language))
            pieces = at_conjunctions(part, language) if item is None else ()
            items += [places.get(_key(piece, language)) for piece in pieces] or [item]
        return items

    return named


def _same_choices(path: str, choices: Sequence[Choice]) -> Iterator[Fault]:
    """As they look: "mW" and "MW", or "-3" and "3", are two."""
    codes: dict[str, str] = {}
    for at, choice in enumerate(choices):
        looks = " ".join(compose(choice.text).split())
        if first := codes.get(looks):
            yield Fault(path=f"{path}[{at}].text", message=f"the choice {first!r} has the same text")
        codes.setdefault(looks, choice.code)


def rule_faults(lesson: Lesson) -> Iterator[Fault]:
    """Every reference that leads nowhere, code used twice and answer that could not be graded, each with its path."""
    outline = Outline(lesson)
    codes: dict[str, str] = {}
    skills = {skill.code for skill in lesson.meta.skills}
    for place in outline.places:
        if not isinstance(place.step, Ask):
            continue
        if first := codes.get(place.step.code):
            yield Fault(path=f"{place.path}.code", message=f"the code {place.step.code!r} is already used at {first}")
        codes.setdefault(place.step.code, place.path)
        yield from _ask_faults(place, place.step, outline, skills)
        yield from answer_faults(place.path, place.step, lesson.meta.language)
    yield from _repeated("meta.skills", [skill.code for skill in lesson.meta.skills])
    for index, criterion in enumerate(lesson.policy.success_criteria):
        if fault := goal_fault(criterion, max(1, len(codes))):
            yield Fault(path=f"policy.success_criteria[{index}]", message=fault)
    if not codes:
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
