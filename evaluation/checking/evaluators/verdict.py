"""What people say of a result: "User confirms", "learner finishes", "manager approves".

A person's own words count more than flags, and flags more than a status. The state of a booking is the system's word,
not the user's, and is not read for it.
"""

import re
from dataclasses import dataclass
from datetime import date, time
from typing import Final

from evaluation.checking.concepts import lists
from evaluation.checking.decisions import Decision, decision_of
from evaluation.checking.evaluators.base import GrammarEvaluator
from evaluation.checking.lexicon import words
from evaluation.checking.naming import Name, has_phrase, name_read
from evaluation.checking.outcome import MISSING, Outcome, agreed, decided, unknown
from evaluation.checking.speakers import Action, action_of, person_of, speakers
from evaluation.checking.values import is_missing
from evaluation.checking.walk import Group, Listing, Node, ResultReading
from evaluation.checking.words import name_stems, plain_text
from evaluation.contracts import Reason
from planning.criteria import CriterionKind, CriterionParse

_PERCENT: Final = re.compile(r"(\d{1,3}(?:\.\d{1,3})?) ?(?:%|percent|por ciento)")
_OWN, _FLAG, _STATUS = 3, 2, 1
_SERVED: Final = 0
_ENDS: Final = frozenset({"at", "by", "on", "el", "por", "date", "fecha"})


@dataclass(frozen=True, slots=True)
class _Word:
    """A node that may be a person's word: how much it counts, and whether its name denies ("rejected": true)."""

    node: Node
    rank: int
    anti: bool


@dataclass(frozen=True, slots=True)
class _Question:
    """Who is asked to do what, and `about` what."""

    action: Action
    person: int | None
    subject: str
    about: frozenset[str]


class UserVerdict(GrammarEvaluator):
    """What a person says or does: "user confirms", "learner finishes", "manager approves"."""

    name, version = "user-verdict", 1
    kinds = frozenset({CriterionKind.VERDICT})

    def outcome(self, text: str, parse: CriterionParse, reading: ResultReading) -> Outcome:
        return verdict_read(reading, parse)


def verdict_read(reading: ResultReading, parse: CriterionParse) -> Outcome:
    """Whether they do what is asked of them."""
    action = action_of(parse.field)
    if action is None:
        return Outcome(None, Reason.NOT_UNDERSTOOD)
    person = person_of(name_read(parse.subject)) if parse.subject else _SERVED
    question = _Question(action, person, parse.subject or "", frozenset(name_stems(str(parse.value or ""))))
    statements = [word for node in reading.nodes if (word := _word(node, question)) is not None]
    is_silent = any(word.rank == _OWN and is_missing(word.node.value) for word in statements)
    for rank in (_OWN, _FLAG) if is_silent else (_OWN, _FLAG, _STATUS):  # who was asked and said nothing
        outcomes = [_of_word(word, action) for word in statements if word.rank == rank]
        if deciding := [outcome for outcome in outcomes if outcome is not None]:
            return agreed(deciding)
    if not statements:
        return MISSING
    node = statements[0].node
    return unknown(Reason.DATA_MISSING, node, "" if is_missing(node.value) else "no_stand")


def _word(node: Node, question: _Question) -> _Word | None:
    action, person, subject = question.action, question.person, question.subject
    if not node.names or isinstance(node.value, Group):
        return None
    keys = tuple(map(name_read, node.names))
    whose = next((group for key in reversed(keys) if (group := person_of(key)) is not None), None)
    named = bool(subject) and _names(subject, keys, node)
    if whose is not None and whose != (person if person is not None else -1) and not named:
        return None
    of_system = any(has_phrase(key, speakers().systems) for key in keys) and whose is None and not named
    rank, anti = _rank(node, keys, question, named or whose is not None)
    if not rank or (of_system and action.persons_only and rank < _OWN):
        return None
    return _Word(node, rank, anti)


def _names(subject: str, keys: tuple[Name, ...], node: Node) -> bool:
    """Whether the place names exactly who the criterion names ("manager_approval", {"role": "manager"})."""
    stems = set(name_stems(subject))
    if any(stems <= set(key.stems) for key in keys):
        return True
    return any(stems <= set(name_stems(value)) for value in node.siblings.values())


def _rank(node: Node, keys: tuple[Name, ...], question: _Question, of_person: bool) -> tuple[int, bool]:
    key, action = keys[-1], question.action
    is_own = has_phrase(key, speakers().opinions) or (
        len(keys) > 1 and has_phrase(keys[-2], speakers().strong_opinions)
    )
    flag, anti = (_is_flag(key, listed, question.about) for listed in (action.keys, action.anti_keys))
    if has_phrase(key, speakers().statuses | action.statuses) and not has_phrase(key, speakers().strong_opinions):
        progress = key.stems in action.progress
        return (_FLAG if of_person or progress else _STATUS) if not flag else _FLAG, False
    if flag or anti:
        return (_OWN if is_own or (of_person and action.persons_only) else _FLAG), anti and not flag
    if key.stems in action.progress:
        return _FLAG, False
    if is_own and (node.value is None or isinstance(node.value, (str, bool, Listing))):
        return (_OWN if of_person or has_phrase(key, speakers().strong_opinions) else _FLAG), False
    is_bare = person_of(key) is not None and len(key.stems) == 1  # {"user": "confirmed"}: the person is the whole key
    return (_FLAG, False) if of_person and is_bare else (0, False)


def _is_flag(key: Name, listed: frozenset[tuple[str, ...]], about: frozenset[str]) -> bool:
    """confirmed, is_confirmed, user_confirmed, confirmed_at; not confirmed_price."""
    if not has_phrase(key, listed):
        return False
    others = set(key.stems) - {stem for phrase in listed if set(phrase) <= set(key.stems) for stem in phrase}
    fine = {stem for stem in others if stem in _ENDS or (stem,) in words().fillers or (stem,) in speakers().people}
    entities = {stem for stem in others if (stem,) in words().entities or (stem,) in speakers().opinions}
    return others <= fine | entities | about


def _of_word(word: _Word, action: Action) -> Outcome | None:
    """What one word comes to; None where it decides nothing."""
    decision = _decision(word, action)
    if decision is None:
        return None
    if decision is Decision.PENDING:
        return unknown(Reason.DATA_MISSING, word.node, "pending")
    met = (decision is Decision.YES) is not action.inverted
    return decided(met, word.node)


def _decision(word: _Word, action: Action) -> Decision | None:
    node, key = word.node, name_read(word.node.name)
    denied = word.anti is not key.negated
    value = node.value
    if isinstance(value, bool) or (isinstance(value, int) and value in (0, 1) and key.stems not in action.progress):
        return Decision.YES if bool(value) is not (denied is not (word.anti and action.inverted)) else Decision.NO
    if isinstance(value, (int, float)):
        return _of_progress(float(value), key, action)
    if isinstance(value, (date, time)):
        return Decision.NO if denied else Decision.YES
    if isinstance(value, Listing):
        decisions = {decision for text in value.texts[:20] if (decision := decision_of(text, action)) is not None}
        return decisions.pop() if len(decisions) == 1 else None
    return _of_text(value, key, action, denied) if isinstance(value, str) else None


def _of_progress(value: float, key: Name, action: Action) -> Decision | None:
    """A share of what is to be done: 1 and 100 are all of it."""
    if key.stems not in action.progress:
        return None
    return Decision.YES if value in (1.0, 100.0) else Decision.NO


def _of_text(value: str, key: Name, action: Action, denied: bool) -> Decision | None:
    text = plain_text(value[:60]).strip(" .!")
    if text in {"true", "yes", "false", "no", "si", "y", "n"}:
        return Decision.YES if (text in {"true", "yes", "si", "y"}) is not denied else Decision.NO
    if action.progress and (parts := _PERCENT.findall(text)):
        return Decision.YES if float(parts[-1]) >= 100 else Decision.NO
    decision = decision_of(value, action)
    if decision is not None:
        if not denied or decision is Decision.PENDING:
            return decision
        return Decision.NO if decision is Decision.YES else Decision.YES
    # Whatever is written under confirmed_at or approved_by, it was done.
    is_mark = _ENDS.intersection(key.stems[-1:]) and len(value) < 80 and plain_text(value) not in lists().no_texts
    if is_missing(value) or not is_mark:
        return None
    return Decision.NO if denied else Decision.YES
