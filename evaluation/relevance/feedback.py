"""What the user said of a result: ratings, yes and no, and words. Between 0 (rejected) and 1 (all that was wanted)."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gateway.services import texts_embed_locally
from language.word_lists import entries_of, word_set

from .words import DATA, phrases, plain_text, words_and_numbers

_FILE: Final = DATA / "feedback.txt"
_RATING: Final = re.compile(r"^\D{0,12}(\d+(?:[.,]\d+)?)\s*(?:/|of|out of|de|sobre|over)\s*(\d+)")
_STARS: Final = re.compile(r"^\D{0,6}(\d(?:[.,]\d)?)\s*(?:stars?|estrellas?)\b")
_PERCENT: Final = re.compile(r"^\D{0,6}(\d{1,3}(?:[.,]\d+)?)\s*%")
_NUMBER: Final = re.compile(r"^\s*(\d+(?:[.,]\d+)?)\s*$")
_CLAUSE: Final = re.compile(r"[.,;:!?¡¿\n()–—]+|\s-\s")
_REACH: Final = 3
_WORDS: Final = 400
_SOUND: Final = 300
_NAME: Final = 40
_UNHEARD: Final = 0.015
REJECTED: Final = 0.4
"""Below it the user did not want what they got."""
CONFIRMED: Final = 0.75

Value = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Feedback:
    """`satisfaction` None: the user said nothing, or nothing that can be understood."""

    satisfaction: float | None = None

    @property
    def is_rejected(self) -> bool:
        return self.satisfaction is not None and self.satisfaction < REJECTED

    @property
    def is_confirmed(self) -> bool:
        return self.satisfaction is not None and self.satisfaction >= CONFIRMED


def is_feedback(above: Sequence[str], keys: Sequence[str], value: Value) -> bool:
    """Whether a field is the user's word. A rating or a comment is theirs only where its names say whose it is."""
    if any(word in word_set(_FILE, "says") for word in above):
        return True
    if not may_be_feedback(keys):
        return False
    if any(word in word_set(_FILE, "who") for word in above):
        return True
    return (
        isinstance(value, str)
        and bool(keys)
        and keys[0] in ("comment", "comentario")
        and satisfaction_of(value) is not None
    )


def may_be_feedback(keys: Sequence[str]) -> bool:
    """Whether a field is the user's word if the user said it."""
    return any(word in word_set(_FILE, "may_say") for word in keys)


def is_person(text: str) -> bool:
    """Whether this names the person for which the result is."""
    return len(text) < _NAME and any(word in word_set(_FILE, "who") for word in words_and_numbers(text))


def feedback_of(statements: Sequence[tuple[tuple[str, ...], Value]]) -> Feedback:
    """Everything that the user said, taken together: a plain yes or no outweighs everything else."""
    decisions = [_decided(keys, value=value) for keys, value in statements if isinstance(value, bool)]
    if decisions:
        return Feedback(min(decisions))
    ratings = [rating for keys, value in statements if (rating := _understood(keys, value)) is not None]
    if not ratings:
        return Feedback()
    if min(ratings) < REJECTED and max(ratings) < CONFIRMED:
        return Feedback(min(ratings))
    return Feedback(sum(ratings) / len(ratings))


def _decided(keys: tuple[str, ...], *, value: bool) -> float:
    is_negative = any(word in word_set(_FILE, "negative_key") for word in keys)
    return 0.05 if value is is_negative else 1.0


def _understood(keys: tuple[str, ...], value: Value) -> float | None:
    if isinstance(value, str):
        return _rated_in_words(keys, value)
    if not _is_number_key(keys):
        return None
    return _rated(float(value), whole=isinstance(value, int), top=10 if "nps" in keys else None)


def _rated(value: float, *, whole: bool, top: float | None = None) -> float | None:
    """A rating without its scale: up to 1 a share, up to 5 stars, up to 10 points, up to 100 percent."""
    if value < 0 or value > 100:
        return None
    if top is None and value <= 1 and not whole:
        return value
    top = top or (5 if value <= 5 else 10 if value <= 10 else 100)
    least = 1 if top == 5 else 0
    return max(0.0, min(1.0, (value - least) / (top - least)))


def _rated_in_words(keys: tuple[str, ...], value: str) -> float | None:
    text = plain_text(value).strip()
    if stars := value.count("★") + value.count("⭐"):
        return _rated(stars, whole=True, top=5)
    if "👍" in value or "👎" in value:
        return 0.05 if "👎" in value else 1.0
    for pattern, top in ((_STARS, 5.0), (_PERCENT, 100.0)):
        if match := pattern.match(text):
            return _rated(_number(match[1]), whole=False, top=top)
    if (match := _RATING.match(text)) and float(match[2]) > 0:
        return _rated(_number(match[1]), whole=False, top=float(match[2]))
    if match := _NUMBER.match(text):
        return _rated(_number(match[1]), whole=match[1].isdigit()) if _is_number_key(keys) else None
    satisfaction = satisfaction_of(value)
    return _sounding(value) if satisfaction is None else satisfaction


def _sounding(text: str) -> float | None:
    """How content a text sounds in which no list knows a word: like what content people say, or like what others do."""
    words = words_and_numbers(text)
    if len(words) < 2 or phrases(_FILE, "wait").are_in(words[:8]):
        return None
    happy, unhappy = (
        [line for name, line in entries_of(DATA / "anchors.txt") if name == kind] for kind in ("happy", "unhappy")
    )
    vectors = texts_embed_locally([text[:_SOUND], *happy, *unhappy])
    cosines = vectors[1:] @ vectors[0]
    balance = float(cosines[: len(happy)].mean() - cosines[len(happy) :].mean())
    return None if abs(balance) < _UNHEARD else max(0.1, min(0.95, 0.5 + 5 * balance))


def _is_number_key(keys: tuple[str, ...]) -> bool:
    return any(word in word_set(_FILE, "number_key") for word in keys)


def _number(text: str) -> float:
    return float(text.replace(",", "."))


def satisfaction_of(text: str) -> float | None:
    """How content the writer of this is; None where it is not decided or not clear."""
    clauses = [words for part in _CLAUSE.split(plain_text(text)) if (words := words_and_numbers(part))]
    words = [word for clause in clauses for word in clause][:_WORDS]
    if not words or phrases(_FILE, "wait").are_in(words[:8]):
        return None
    signs = _signs(words, {at for at, _ in _borders(clauses)})
    if not signs:
        return None
    turn = next((begin for begin, _ in phrases(_FILE, "turn").find(words)), None)
    weights = [(2.0 if at == 0 or (turn is not None and at > turn) else 1.0) * sign for at, sign in signs.items()]
    for_it, against = sum(weight for weight in weights if weight > 0), -sum(weight for weight in weights if weight < 0)
    balance = (for_it - against) / (for_it + against)
    return max(0.05, min(1.0, 0.5 + 0.5 * balance))


def _borders(clauses: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
    """The first word of each clause, and the one after its last."""
    at = 0
    for clause in clauses:
        yield at, at + len(clause)
        at += len(clause)


def _signs(words: Sequence[str], beginnings: Collection[int]) -> dict[int, int]:
    """For and against, by the place of its first word; a negation shortly before turns round, and counts no more."""
    negative, positive = ([*phrases(_FILE, name).find(words)] for name in ("negative", "positive"))
    spans = sorted((*((b, e, -1) for b, e in negative), *((b, e, 1) for b, e in positive)), key=lambda s: (s[0], -s[1]))
    signs: dict[int, int] = {}
    taken = 0
    for begin, end, sign in spans:
        if begin < taken:
            continue  # within a longer one
        before = _negations(
            words, max(begin - _REACH, taken if taken and words[taken - 1] not in _negating() else 0), begin, beginnings
        )
        taken = end
        if before and words[begin:end] != ["no"]:
            for at in before:
                signs.pop(at, None)
            sign = -sign
        signs[begin] = sign
    return signs


def _negations(words: Sequence[str], first: int, begin: int, beginnings: Collection[int]) -> list[int]:
    """Where the words before `begin` negate it: in the same clause, no further back than `first`."""
    places = []
    for at in range(begin - 1, first - 1, -1):
        if at + 1 in beginnings:
            break
        if words[at] in _negating():
            places.append(at)
    return places


def _negating() -> frozenset[str]:
    return word_set(_FILE, "negation")
