"""Rules about the texts of one ASK, read as the grader reads them. Source: design.md, "Lesson JSON v1".

All of them take time in proportion to the length of the texts: a file may have a hundred thousand.
"""

import unicodedata
from collections.abc import Callable, Iterator, Sequence

from lesson_engine.contracts import (
    Ask,
    Choice,
    ChoiceAnswer,
    DefinitionAnswer,
    ListAnswer,
    MultiChoiceAnswer,
    NumericAnswer,
    OpenAnswer,
    ProcedureAnswer,
    VerdictResult,
)
from lesson_engine.errors import Fault
from lesson_engine.grading.lexicon import base
from lesson_engine.grading.matching import matcher
from lesson_engine.grading.normalise import read
from lesson_engine.grading.numeric import grade_numeric
from lesson_engine.grading.segments import at_conjunctions, parts

_EMPTY = "has no letter and no digit, so that no answer could ever match it"
_ACCEPTED = "says the same as an accepted answer of this ASK; an answer cannot be right and a misconception"


def answer_faults(path: str, ask: Ask, language: str) -> Iterator[Fault]:
    """Texts that no reply could match, wrong ideas that are right, and choices that nobody could tell apart."""
    language = base(language)
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
    return read(text, language).key


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
        found: list[int | None] = []
        for part in parts(text):
            whole = places.get(_key(part, language))
            pieces = at_conjunctions(part, language) if whole is None else ()
            found += [places.get(_key(piece, language)) for piece in pieces] or [whole]
        return found

    return named


def _same_choices(path: str, choices: Sequence[Choice]) -> Iterator[Fault]:
    """As they look: "mW" and "MW", or "-3" and "3", are two."""
    seen: dict[str, str] = {}
    for at, choice in enumerate(choices):
        looks = " ".join(unicodedata.normalize("NFC", choice.text).split())
        if first := seen.get(looks):
            yield Fault(path=f"{path}[{at}].text", message=f"the choice {first!r} has the same text")
        seen.setdefault(looks, choice.code)
