"""What somebody's words come to: yes, no, or not yet. English and Spanish, linear in the text."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from .voices import Action, Spoken, voices
from .words import folded

_TOKEN: Final = re.compile(r"[a-z]+(?:['_][a-z]+)*|[+-]1\b|[^\w\s]|\n")
_SAID_NO: Final = re.compile(
    r"\b([a-z]{2,20})[\"']? {0,2}[:=]{1,2} {0,2}[\"']?(?:false|no|0|none|null|falso|never)\b(?! [a-z])"
)
_SAID_YES: Final = re.compile(
    r"\b([a-z]{2,20})[\"']? {0,2}[:=]{1,2} {0,2}[\"']?(?:true|yes|1|si|verdadero)\b(?! [a-z])"
)
"""confirmed: false, confirmed = yes."""
_LATER: Final = frozenset({("later",), ("mas", "tarde")})
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
_CONDITIONS: Final = frozenset(
    {"if", "si", "when", "cuando", "once", "unless", "provided", "subject", "siempre", "condition", "condicion"}
)
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
    said = _said(_clauses(text), action)
    if not said:
        return None
    decided = [span for span in said if span.stance is not Stance.PENDING]
    if not decided or (said[-1].stance is Stance.PENDING and not decided[-1].firm):
        return Stance.PENDING
    return decided[-1].stance


def _said(clauses: list[tuple[tuple[str, ...], bool]], action: Action) -> list[_Span]:
    """What each clause comes to; beside a condition nothing is settled ("if it were cheaper, yes")."""
    spans = [_of_clause(clause, asks, action) for clause, asks in clauses]
    spans = [None if _is_if(clause, span) else span for (clause, _), span in zip(clauses, spans, strict=True)]
    opens = [_opens_condition(clause, span) for (clause, _), span in zip(clauses, spans, strict=True)]
    found = []
    for at, span in enumerate(spans):
        before = at > 0 and opens[at - 1] and not _is_settled(spans[at - 1])
        after = at + 1 < len(spans) and opens[at + 1] and spans[at + 1] is None
        if span is None:
            continue
        hangs = opens[at] or before or (after and span.stance is Stance.YES)
        found.append(_Span(Stance.PENDING, span.start, span.end, span.firm) if hangs else span)
    return found


def _is_settled(span: _Span | None) -> bool:
    return span is not None and span.stance is not Stance.PENDING


def _is_if(clause: tuple[str, ...], span: _Span | None) -> bool:
    """Whether the yes that was read is the Spanish word for if: "si bajan el precio"."""
    if span is None or clause[0] != "si" or (span.start, span.end) != (0, 1) or len(clause) < 3:
        return False
    return any((one,) not in voices().between for one in clause[1:])


def _opens_condition(clause: tuple[str, ...], span: _Span | None) -> bool:
    """Whether a clause begins with a condition; "si" is also a yes that has lost its accent ("si lo confirmo")."""
    size = next((n for n in (3, 2, 1) if clause[:n] in voices().openers), 0)
    if (
        not size
        or len(clause) == size
        or (span is not None and span.start < size and span.stance is not Stance.PENDING)
    ):
        return False
    if clause[0] != "si":
        return True
    between = clause[1 : span.start] if span is not None else clause[1:]
    return any((one,) not in voices().between for one in between)


def _clauses(text: str) -> list[tuple[tuple[str, ...], bool]]:
    """Tokens up to a stop or a turn, and whether they ask something."""
    found: list[tuple[tuple[str, ...], bool]] = []
    tokens: list[str] = []
    written = text[:_TEXT].replace("Sí", "yes").replace("sí", "yes")  # folded, it is the word for if
    for token in _TOKEN.findall(_SAID_NO.sub(r"not \1, no", _SAID_YES.sub(r"\1, yes", folded(written))))[:_TOKENS]:
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
    if pending and said[-1].stance is Stance.NO and clause[pending.start : pending.end] in _LATER:
        return said[-1]  # "later cancelled"
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
    if denied or any((one,) in voices().nothing for one in clause[span.end : span.end + 1]):
        return _Span(Stance.NO, span.start, span.end, span.firm)
    if any((one,) in voices().doubts for one in before):
        return _Span(Stance.PENDING, span.start, span.end, span.firm)
    if asks or _CONDITIONAL.intersection(before) or _CONDITIONS.intersection(clause[span.end : span.end + 2]):
        return _Span(Stance.PENDING, span.start, span.end, span.firm)
    return span


def _is_denied(before: list[str]) -> bool:
    denials = voices().denials
    sizes = (1, 2, 3)
    return any(tuple(before[at : at + size]) in denials for size in sizes for at in range(len(before) - size + 1))
