"""What somebody's words come to: yes, no, or not yet. English and Spanish, linear in the text."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from .voices import Action, Spoken, voices
from .words import folded

_TOKEN: Final = re.compile(r"[a-z]+(?:['_][a-z]+)*|[+-]1\b|[^\w\s]|\n")
_STOPS: Final = frozenset('.;!\n,:()-?/"')
_TURNS: Final = frozenset(
    {"but", "pero", "however", "although", "though", "aunque", "sino", "then", "luego", "so", "and", "y"}
)
_ASKS: Final = frozenset("?")
_NEGATIVE: Final = frozenset({"no", "nope", "nah"})
_AFFIRMATIVE: Final = frozenset({"si", "yes"})
_SOFT: Final = frozenset(
    {"please", "thanks", "gracias", "sorry", "perdon", "oh", "well", "bueno", "thank", "you", "sir", "muchas"}
)
_CONDITIONAL: Final = frozenset(
    {
        "would",
        "could",
        "might",
        "if",
        "when",
        "cuando",
        "until",
        "hasta",
        "before",
        "antes",
        "will",
        "should",
        "podria",
        "unless",
    }
)
_CONDITIONS: Final = frozenset({"if", "si", "when", "cuando", "once", "unless", "provided", "subject", "siempre"})
_REACH, _TOKENS, _LONGEST, _REFUSED = 4, 3_000, 5, 2
_TEXT: Final = 20_000


class Stance(StrEnum):
    """How somebody stands."""

    YES = "yes"
    NO = "no"
    PENDING = "pending"


@dataclass(frozen=True, slots=True)
class _Span:
    stance: Stance
    start: int
    end: int
    firm: bool


@lru_cache(64)
def _phrases(action: Action) -> dict[tuple[str, ...], tuple[Stance, bool]]:
    """What each phrase says and whether it is a word for the action itself; the later lists win."""
    said = voices()
    found: dict[tuple[str, ...], tuple[Stance, bool]] = {}
    general: list[tuple[Spoken, Stance, bool]] = [(said.yes, Stance.YES, False)] if action.general else []
    own = [(action.yes, Stance.YES, True), (said.pending, Stance.PENDING, True), (action.no, Stance.NO, True)]
    refused = [(said.no, Stance.NO, True)] if action.general else []
    for phrases, stance, firm in (*general, *own, *refused):
        found |= dict.fromkeys(phrases, (stance, firm))
    return found


def stance_of(text: str, action: Action) -> Stance | None:
    """The last word counts: "yes, but cancel it" is a no. None: the text takes no stand."""
    said = [span for clause, asks in _clauses(text) if (span := _of_clause(clause, asks, action)) is not None]
    if not said:
        return None
    decided = [span for span in said if span.stance is not Stance.PENDING]
    if not decided or (said[-1].stance is Stance.PENDING and not decided[-1].firm):
        return Stance.PENDING
    return decided[-1].stance


def _clauses(text: str) -> list[tuple[tuple[str, ...], bool]]:
    """Tokens up to a stop or a turn, and whether they ask something."""
    found: list[tuple[tuple[str, ...], bool]] = []
    tokens: list[str] = []
    written = text[:_TEXT].replace("Sí", "yes").replace("sí", "yes")  # folded, it is the word for if
    for token in _TOKEN.findall(folded(written))[:_TOKENS]:
        if token in _STOPS or token in _TURNS:
            if tokens:
                found.append((tuple(tokens), token in _ASKS))
            tokens = []
        elif token.isalnum() or "'" in token or not token.isascii() or "_" in token or token.endswith("1"):
            tokens.append(token)
    return [*found, (tuple(tokens), False)] if tokens else found


def _of_clause(clause: tuple[str, ...], asks: bool, action: Action) -> _Span | None:
    bare = [token for token in clause if token not in _SOFT]
    if len(bare) == 1 and bare[0] in _NEGATIVE:
        return _Span(Stance.NO, 0, 1, firm=False)
    if len(bare) == 1 and bare[0] in _AFFIRMATIVE:
        return _Span(Stance.YES, 0, 1, firm=False)
    spans = _spans(clause, action)
    taken = {at for span in spans for at in range(span.start, span.end)}
    said = [one for span in spans if (one := _weighed(span, clause, taken, asks)) is not None]
    pending = next((one for one in said if one.stance is Stance.PENDING), None)
    if (
        pending
        and said[-1].stance is Stance.YES
        and said[-1].firm
        and _is_denied(list(clause[pending.start : pending.end]))
    ):
        return _Span(Stance.NO, pending.start, said[-1].end, firm=True)  # "not yet confirmed"
    return pending or (_last(said) if said else None)


def _last(said: list[_Span]) -> _Span:
    """The last word, unless one just before it refuses it: "declined to confirm"."""
    last = said[-1]
    refused = last.stance is Stance.YES and len(said) > 1 and said[-2].stance is Stance.NO
    return said[-2] if refused and last.start - said[-2].end <= _REFUSED else last


def _spans(clause: tuple[str, ...], action: Action) -> list[_Span]:
    known, found, at = _phrases(action), [], 0
    while at < len(clause):
        size = next((n for n in range(_LONGEST, 0, -1) if clause[at : at + n] in known and at + n <= len(clause)), 0)
        if size:
            stance, firm = known[clause[at : at + size]]
            found.append(_Span(stance, at, at + size, firm))
        at += size or 1
    return found


def _weighed(span: _Span, clause: tuple[str, ...], taken: set[int], asks: bool) -> _Span | None:
    """A span with what stands before and after it."""
    if span.stance is Stance.PENDING:
        return span
    before = [clause[at] if at not in taken else "" for at in range(max(0, span.start - _REACH), span.start)]
    denied = _is_denied(before)
    if span.stance is Stance.NO:
        return None if denied or _CONDITIONAL.intersection(before) else span
    if denied:
        return _Span(Stance.NO, span.start, span.end, span.firm)
    if asks or _CONDITIONAL.intersection(before) or _CONDITIONS.intersection(clause[span.end : span.end + 2]):
        return _Span(Stance.PENDING, span.start, span.end, span.firm)
    return span


def _is_denied(before: list[str]) -> bool:
    denials = voices().denials
    sizes = (1, 2, 3)
    return any(tuple(before[at : at + size]) in denials for size in sizes for at in range(len(before) - size + 1))
