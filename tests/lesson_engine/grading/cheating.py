"""What a cheat can make out of a question: the words that the rows of `tests/data/cheating.json` leave open."""

import base64
import codecs
import random
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from lesson_engine.contracts import (
    Ask,
    ChoiceAnswer,
    DefinitionAnswer,
    Lesson,
    ListAnswer,
    MultiChoiceAnswer,
    NumericAnswer,
    OpenAnswer,
    ProcedureAnswer,
    TextStep,
)

CONTRADICTING = {"bigger_half": 1, "divide_why": 1, "leo": 2}
"""Places of the misconceptions that speak against the right answer, where the first one is merely beside the point."""
FEW_WORDS = 6
"""Up to so many words, what is strung together may be an answer in telegram style."""
SLOT = re.compile(r"\{([a-z_0-9]+)\}")
_ASKING = "qué|cuál|cuáles|cómo|quiénes|cuánt[oa]s?|por qué|what|which|why|how (?:many|much)|how|who"
_QUESTION_START = re.compile(
    rf"^(?:de |en |a |con |por )?(?:{_ASKING}) (?:is |are |does |do |es |son )?", re.IGNORECASE
)
_LOOKALIKES = str.maketrans("aeopcxyAEOPCTH", "аеорсхуАЕОРСТН")
_FUNCTION_WORDS = """
porque nosotros entonces cuando otra otras otro otros ahora cada todo todos sobre para misma mismo aunque había
esta este esto ella ellas hace hacen tiene entre cuánta cuánto hacia hasta desde como cual cuál
because what which there every from that with than they does only where them then when will would into between
just about also same could
"""
_SMALL = frozenset(_FUNCTION_WORDS.split())
_PADDING = {
    "es": ("tierra", "piedra", "energía", "madera", "viento", "fuego", "sal", "tiempo", "color", "peso", "forma"),
    "en": ("earth", "stone", "energy", "wood", "wind", "fire", "salt", "time", "colour", "weight", "shape"),
}


def filled(reply: str, slots: dict[str, str]) -> str | None:
    """The reply for one question; None when the question has nothing for one of the slots."""
    if any(name not in slots for name in SLOT.findall(reply)):
        return None
    return SLOT.sub(lambda found: slots[found[1]], reply)


@lru_cache(maxsize=256)
def slots_of(ask: Ask, language: str, lesson: Lesson | None) -> dict[str, str]:
    """What each slot stands for. A slot that a question has nothing for is left out."""
    found = {"question": ask.question, **_of_kind(ask, language)}
    sentences = re.split(r"(?<=[.?!])\s+", ask.question.replace("*", ""))
    asked = next((one for one in reversed(sentences) if "?" in one), sentences[-1])
    said = _QUESTION_START.sub("", asked.strip(" ¿?.")).strip(" ?¿.")
    found["statement"] = said[:1].lower() + said[1:]
    words = _content(ask.question, 4)
    found["question_words"] = " ".join(words)
    found["question_shuffled"] = " ".join(_shuffled(ask.question.split()))
    if "right" in found:
        found |= _disguised(found["right"])
    if isinstance(ask.answer, OpenAnswer | DefinitionAnswer):
        found |= _of_wording(ask, ask.answer, words)
        if lesson is not None:
            found |= _dumps(lesson)
    return found


def names_the_answer(ask: Ask) -> bool:
    """Whether a word or three are all that the author asks for, so that naming them is worth something."""
    accepted = getattr(ask.answer, "accepted", ())
    return any(len(re.findall(r"[^\W\d_]{4,}|\d", text)) <= 3 for text in accepted)


def _of_kind(ask: Ask, language: str) -> dict[str, str]:
    idea = ask.misconceptions[CONTRADICTING.get(ask.code, 0)] if ask.misconceptions else None
    wrong = {"wrong": idea.examples[0]} if idea else {}
    match ask.answer:
        case OpenAnswer() | DefinitionAnswer() as answer:
            return wrong | {"right": answer.accepted[0]}
        case ListAnswer(items=items):
            named = [item[0] for item in items]
            others = [f"{n}/{n + 2}" for n in range(20, 29)] if named[0][0].isdigit() else _PADDING[language]
            return wrong | {"right": ", ".join(named), "items_and_more": ", ".join([*named, *others])}
        case ProcedureAnswer(steps=steps):
            named = [step[0] for step in steps]
            orders = [named, named[::-1], named[1:] + named[:1], _shuffled(named)]
            return wrong | {"right": ", ".join(named), "orders": "\n".join(", ".join(one) for one in orders)}
        case NumericAnswer() as answer:
            return wrong | _numbers(answer)
        case ChoiceAnswer(choices=choices) | MultiChoiceAnswer(choices=choices):
            texts, joint = [choice.text for choice in choices], " o " if language == "es" else " or "
            return {
                "choice_texts": "\n".join(texts),
                "choice_texts_or": joint.join(texts),
                "choice_codes": ", ".join(choice.code for choice in choices),
                "all_ticked": "",
            }


def _numbers(answer: NumericAnswer) -> dict[str, str]:
    unit = f" {answer.unit}" if answer.unit else ""
    value = answer.exact

    def shown(number: Fraction) -> str:
        text = str(number) if isinstance(answer.value, str) else f"{float(number):g}"
        return text + unit

    others = {"other": value * 3, "third": value / 3, "low": value / 10, "high": value * 10, "wide": value}
    found = {"right": shown(value), "value": shown(value), **{name: shown(one) for name, one in others.items()}}
    return found | {"numbers": ", ".join(found[name] for name in ("low", "third", "value", "other", "high"))}


def _disguised(right: str) -> dict[str, str]:
    """The right answer as it can be hidden or encoded. The last ones say nothing any more."""
    ascii_only = codecs.encode(right, "ascii", "ignore").decode()
    bits = "".join(f"{byte:08b}" for byte in right.encode()).translate(str.maketrans("01", "\u200b\u200c"))
    return {
        "right_in_tags": "".join(chr(0xE0000 + ord(char)) for char in ascii_only if char.isprintable()),
        "right_in_bits": bits,
        "right_zero_width": "\u200b".join(right),
        "right_fullwidth": "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in right),
        "right_homoglyphs": right.translate(_LOOKALIKES),
        "right_spaced": " ".join(right),
        "right_mirrored": "\u202e" + right[::-1],
        "right_backwards": right[::-1],
        "right_base64": base64.b64encode(right.encode()).decode(),
        "right_rot13": codecs.encode(right, "rot13"),
        "right_hex": right.encode().hex(),
        "right_initials": " ".join(word[0] for word in right.split()),
    }


def _of_wording(ask: Ask, answer: OpenAnswer | DefinitionAnswer, asked: Sequence[str]) -> dict[str, str]:
    longest = max(answer.accepted, key=len)
    content = [word for text in answer.accepted for word in _content(text)]
    first, second = _two_keywords(answer, content)
    wrong = [word for one in ask.misconceptions for word in _content(one.examples[0])]
    strung = _shuffled(dict.fromkeys([first, second, *wrong[:4], *asked[-3:], *content[-2:]]))
    pool = [word for group in answer.keyword_groups for word in group][:40] or content
    found = {"k1": first} | ({"k2": second} if second != first else {})
    found["stuffed"] = " ".join(f"{first} {second}" for _ in range(60))
    if len(set(strung)) >= FEW_WORDS:
        found |= {
            "keywords": " ".join(strung),
            "keywords_commas": ", ".join(strung),
            "keywords_lines": "\n".join(strung),
            "keywords_plus": " + ".join(strung),
        }
    if len(set(pool)) >= FEW_WORDS:
        found["keyword_pool"] = " ".join(_shuffled(pool))
    if ask.misconceptions:
        found["claims_and_wrong"] = " ".join(_statements(ask))
    if len(longest.split()) >= 9:
        found["right_scrambled"] = " ".join(longest.strip(".").split()[::-1])
        found["right_shuffled"] = " ".join(_shuffled(longest.strip(".").split()))
        found["right_swapped_nouns"] = _swapped(longest)
    return found


def _two_keywords(answer: OpenAnswer | DefinitionAnswer, content: Sequence[str]) -> tuple[str, str]:
    firsts = [group[0] for group in answer.keyword_groups]
    named = [*dict.fromkeys(firsts), *dict.fromkeys(content)]
    return named[0], named[1] if len(named) > 1 else named[0]


def _statements(ask: Ask) -> Iterator[str]:
    """Everything right and everything wrong that the author wrote down, as sentences."""
    for text in (*getattr(ask.answer, "accepted", ()), *(text for one in ask.misconceptions for text in one.examples)):
        yield text if text.endswith(".") else f"{text}."


@lru_cache(maxsize=8)
def _dumps(lesson: Lesson) -> dict[str, str]:
    steps = [step for moment in lesson.moments for step in moment.steps]
    said = [text for step in steps if isinstance(step, Ask) for text in _statements(step)]
    bodies = [step.body for step in steps if isinstance(step, TextStep) and step.body]
    return {"all_answers": " ".join(_shuffled(said)), "lesson_text": "\n\n".join(bodies)}


def _content(text: str, letters: int = 5) -> list[str]:
    words = re.findall(rf"[^\W\d_]{{{letters},}}", text)
    return [word for word in words if word.lower() not in _SMALL]


def _swapped(text: str) -> str:
    """The same small words, with the long ones in reverse order: it reads like a sentence and says nothing."""
    long = re.findall(r"[^\W\d_]{4,}", text)[::-1]
    return re.sub(r"[^\W\d_]{4,}", lambda _: long.pop(0), text)


def _shuffled(words: Sequence[str] | dict[str, None]) -> list[str]:
    mixed = list(words)
    random.Random(7).shuffle(mixed)
    return mixed
