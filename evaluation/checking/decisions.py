"""What a person's words come to: yes, no, or not yet. English and Spanish, linear in the text."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from evaluation.checking.lexicon import Phrase, Spoken, longest_parts, places_of
from evaluation.checking.speakers import Action, speakers
from evaluation.checking.words import plain_text

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
_ASKS: Final = frozenset("?")
_NEGATIVE: Final = frozenset({"no", "nope", "nah"})
_AFFIRMATIVE: Final = frozenset({"si", "yes"})
_REACH, _TOKENS, _LONGEST, _REFUSED = 4, 3_000, 5, 2
_TEXT: Final = 20_000


class Decision(StrEnum):
    YES = "yes"
    NO = "no"
    PENDING = "pending"


@dataclass(frozen=True, slots=True)
class _Span:
    decision: Decision
    start: int
    end: int
    firm: bool


@lru_cache(64)
def _phrases(action: Action) -> dict[tuple[str, ...], tuple[Decision, bool]]:
    """What each phrase says and whether it is a word for the action itself; the later lists win."""
    lists = speakers()
    decisions: dict[tuple[str, ...], tuple[Decision, bool]] = {}
    general: list[tuple[Spoken, Decision, bool]] = [(lists.yes, Decision.YES, False)] if action.general else []
    own = [(action.yes, Decision.YES, True), (lists.pending, Decision.PENDING, True), (action.no, Decision.NO, True)]
    refused = [(lists.no, Decision.NO, True)] if action.general else []
    for phrases, decision, firm in (*general, *own, *refused):
        decisions |= dict.fromkeys(phrases, (decision, firm))
    return decisions


def decision_of(text: str, action: Action) -> Decision | None:
    """The last word counts: "yes, but cancel it" is a no. None: the text says nothing of it."""
    spans = _decisions(_clauses(text), action)
    if not spans:
        return None
    decided = [span for span in spans if span.decision is not Decision.PENDING]
    if not decided or (spans[-1].decision is Decision.PENDING and not decided[-1].firm):
        return Decision.PENDING
    return decided[-1].decision


def _decisions(clauses: list[tuple[tuple[str, ...], bool]], action: Action) -> list[_Span]:
    """What each clause comes to; with a condition nothing is settled ("if it were cheaper, yes")."""
    spans = [_of_clause(clause, asks, action) for clause, asks in clauses]
    spans = [None if _is_if(clause, span) else span for (clause, _), span in zip(clauses, spans, strict=True)]
    opens = [_opens_condition(clause, span) for (clause, _), span in zip(clauses, spans, strict=True)]
    settled = []
    for at, span in enumerate(spans):
        previous = spans[at - 1]
        before = at > 0 and opens[at - 1] and (previous is None or previous.decision is Decision.PENDING)
        after = at + 1 < len(spans) and opens[at + 1] and spans[at + 1] is None
        if span is None:
            continue
        hangs = opens[at] or before or (after and span.decision is Decision.YES)
        settled.append(_Span(Decision.PENDING, span.start, span.end, span.firm) if hangs else span)
    return settled


def _is_if(clause: tuple[str, ...], span: _Span | None) -> bool:
    """Whether the yes that was read is the Spanish word for if: "si bajan el precio"."""
    if span is None or clause[0] != "si" or (span.start, span.end) != (0, 1) or len(clause) < 3:
        return False
    return any((word,) not in speakers().after_yes for word in clause[1:])


def _opens_condition(clause: tuple[str, ...], span: _Span | None) -> bool:
    """Whether a clause begins with a condition; "si" is also a yes that has lost its accent ("si lo confirmo")."""
    size = next((n for n in (3, 2, 1) if clause[:n] in speakers().condition_openers), 0)
    if (
        not size
        or len(clause) == size
        or (span is not None and span.start < size and span.decision is not Decision.PENDING)
    ):
        return False
    if clause[0] != "si":
        return True
    between = clause[1 : span.start] if span is not None else clause[1:]
    return any((word,) not in speakers().after_yes for word in between)


def _clauses(text: str) -> list[tuple[tuple[str, ...], bool]]:
    """Tokens up to a stop or a turn, and whether they ask something."""
    clauses: list[tuple[tuple[str, ...], bool]] = []
    tokens: list[str] = []
    written = text[:_TEXT].replace("Sí", "yes").replace("sí", "yes")  # folded, it is the word for if
    for token in _TOKEN.findall(_SAID_NO.sub(r"not \1, no", _SAID_YES.sub(r"\1, yes", plain_text(written))))[:_TOKENS]:
        if token in _STOPS or token in speakers().turns:
            if tokens:
                clauses.append((tuple(tokens), token in _ASKS))
            tokens = []
        elif token.isalnum() or "'" in token or not token.isascii() or "_" in token or token.endswith("1"):
            tokens.append(token)
    return [*clauses, (tuple(tokens), False)] if tokens else clauses


def _of_clause(clause: tuple[str, ...], asks: bool, action: Action) -> _Span | None:
    bare = [token for token in clause if token not in speakers().courtesies]
    if len(bare) == 1 and bare[0] in _NEGATIVE:
        return _Span(Decision.NO, 0, 1, firm=False)
    if len(bare) == 1 and bare[0] in _AFFIRMATIVE:
        return _Span(Decision.YES, 0, 1, firm=False)
    spans = _spans(clause, action)
    taken = {at for span in spans for at in range(span.start, span.end)}
    weighed = [weighed_span for span in spans if (weighed_span := _weighed(span, clause, taken, asks)) is not None]
    pending = next((span for span in weighed if span.decision is Decision.PENDING), None)
    if (
        pending
        and weighed[-1].decision is Decision.YES
        and weighed[-1].firm
        and _is_denied(clause[pending.start : pending.end])
    ):
        return _Span(Decision.NO, pending.start, weighed[-1].end, firm=True)  # "not yet confirmed"
    if pending and weighed[-1].decision is Decision.NO and clause[pending.start : pending.end] in _LATER:
        return weighed[-1]  # "later cancelled"
    return pending or (_last(weighed) if weighed else None)


def _last(spans: list[_Span]) -> _Span:
    """The last word, unless one just before it refuses it: "declined to confirm"."""
    last = spans[-1]
    refused = last.decision is Decision.YES and len(spans) > 1 and spans[-2].decision is Decision.NO
    return spans[-2] if refused and last.start - spans[-2].end <= _REFUSED else last


def _spans(clause: tuple[str, ...], action: Action) -> list[_Span]:
    decisions, spans, at = _phrases(action), [], 0
    for part in longest_parts(clause, _LONGEST, decisions.__contains__):
        if part in decisions:
            decision, firm = decisions[part]
            spans.append(_Span(decision, at, at + len(part), firm))
        at += len(part)
    return spans


def _weighed(span: _Span, clause: tuple[str, ...], taken: set[int], asks: bool) -> _Span | None:
    """A span in the light of the words before and after it."""
    if span.decision is Decision.PENDING:
        return span
    before = [clause[at] if at not in taken else "" for at in range(max(0, span.start - _REACH), span.start)]
    denied = _is_denied(tuple(before))
    if span.decision is Decision.NO:
        return None if denied or speakers().conditional.intersection(before) else span
    if denied or any((word,) in speakers().nothing_after for word in clause[span.end : span.end + 1]):
        return _Span(Decision.NO, span.start, span.end, span.firm)
    if any((word,) in speakers().doubts for word in before):
        return _Span(Decision.PENDING, span.start, span.end, span.firm)
    if (
        asks
        or speakers().conditional.intersection(before)
        or speakers().conditions_after.intersection(clause[span.end : span.end + 2])
    ):
        return _Span(Decision.PENDING, span.start, span.end, span.firm)
    return span


def _is_denied(before: Phrase) -> bool:
    return any(places_of(before, speakers().denials, 3))
