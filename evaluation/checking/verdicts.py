"""What people say of a result: "User confirms", "learner finishes", "manager approves".

Somebody's own words count more than flags, and flags more than a status. The state of a booking is the system's word,
not the user's, and is not read for it.
"""

import re
from dataclasses import dataclass
from datetime import date, time
from typing import Final

from evaluation.contracts import Reason
from planning.grammar import CriterionParse

from .lexicon import words
from .naming import Name, has_phrase, name_read
from .outcome import MISSING, Outcome, decided, unknown
from .stance import Stance, stance_of
from .things import lists
from .values import is_missing, shown
from .voices import Action, action_of, person_of, voices
from .walk import Group, Listing, Node, ResultReading
from .words import folded, name_stems

_PERCENT: Final = re.compile(r"(\d{1,3}(?:\.\d{1,3})?) ?(?:%|percent|por ciento)")
_OWN, _FLAG, _STATUS = 3, 2, 1
_SERVED: Final = 0
_ENDS: Final = frozenset({"at", "by", "on", "el", "por", "date", "fecha"})


@dataclass(frozen=True, slots=True)
class _Word:
    """A node that may be somebody's word: how much it counts, and whether its name denies ("rejected": true)."""

    node: Node
    rank: int
    anti: bool


@dataclass(frozen=True, slots=True)
class _Asked:
    """Who is asked to do what, and `about` what."""

    action: Action
    person: int | None
    subject: str
    about: frozenset[str]


def verdict_read(reading: ResultReading, parse: CriterionParse) -> Outcome:
    """Whether they do what is asked of them."""
    action = action_of(parse.field)
    if action is None:
        return Outcome(None, Reason.NOT_UNDERSTOOD)
    person = person_of(name_read(parse.subject)) if parse.subject else _SERVED
    asked = _Asked(action, person, parse.subject or "", frozenset(name_stems(str(parse.value or ""))))
    heard = [word for node in reading.nodes if (word := _word(node, asked)) is not None]
    is_silent = any(word.rank == _OWN and is_missing(word.node.value) for word in heard)
    for rank in (_OWN, _FLAG) if is_silent else (_OWN, _FLAG, _STATUS):  # who was asked and said nothing
        outcome = _agreed([_of_word(word, action) for word in heard if word.rank == rank])
        if outcome is not None:
            return outcome
    return _silent(heard[0].node) if heard else MISSING


def _silent(node: Node) -> Outcome:
    note = "" if is_missing(node.value) else "no_stand"
    return unknown(Reason.DATA_MISSING, node, shown(node), note)


def _agreed(outcomes: list[Outcome | None]) -> Outcome | None:
    """What words of the same weight come to; None where none of them takes a stand."""
    said = [one for one in outcomes if one is not None]
    if not said:
        return None
    other = next((one for one in said if one.met is not said[0].met), None)
    if other is None:
        return said[0]
    return Outcome(None, Reason.AMBIGUOUS, None, (*said[0].paths, *other.paths))


def _word(node: Node, asked: _Asked) -> _Word | None:
    action, person, subject = asked.action, asked.person, asked.subject
    if not node.names or isinstance(node.value, Group):
        return None
    keys = tuple(map(name_read, node.names))
    whose = next((found for one in reversed(keys) if (found := person_of(one)) is not None), None)
    named = bool(subject) and _names(subject, keys, node)
    if whose is not None and whose != (person if person is not None else -1) and not named:
        return None
    of_system = any(has_phrase(one, voices().systems) for one in keys) and whose is None and not named
    rank, anti = _rank(node, keys, asked, named or whose is not None)
    if not rank or (of_system and action.persons_only and rank < _OWN):
        return None
    return _Word(node, rank, anti)


def _names(subject: str, keys: tuple[Name, ...], node: Node) -> bool:
    """Whether the place names exactly who the criterion names ("manager_approval", {"role": "manager"})."""
    stems = set(name_stems(subject))
    if any(stems <= set(one.stems) for one in keys):
        return True
    return any(stems <= set(name_stems(value)) for value in node.beside.values())


def _rank(node: Node, keys: tuple[Name, ...], asked: _Asked, of_person: bool) -> tuple[int, bool]:
    key, action = keys[-1], asked.action
    is_own = has_phrase(key, voices().voices) or (len(keys) > 1 and has_phrase(keys[-2], voices().strong))
    flag, anti = (_is_flag(key, listed, asked.about) for listed in (action.keys, action.anti_keys))
    if has_phrase(key, voices().statuses | action.statuses) and not has_phrase(key, voices().strong):
        progress = key.stems in action.progress
        return (_FLAG if of_person or progress else _STATUS) if not flag else _FLAG, False
    if flag or anti:
        return (_OWN if is_own or (of_person and action.persons_only) else _FLAG), anti and not flag
    if key.stems in action.progress:
        return _FLAG, False
    if is_own and (node.value is None or isinstance(node.value, (str, bool, Listing))):
        return (_OWN if of_person or has_phrase(key, voices().strong) else _FLAG), False
    return (_FLAG, False) if of_person and len(keys) > 0 and _is_bare(keys) else (0, False)


def _is_bare(keys: tuple[Name, ...]) -> bool:
    """{"approvals": {"manager": true}}, {"user": "confirmed"}: the person is the whole key."""
    return person_of(keys[-1]) is not None and len(keys[-1].stems) == 1


def _is_flag(key: Name, listed: frozenset[tuple[str, ...]], about: frozenset[str]) -> bool:
    """confirmed, is_confirmed, user_confirmed, confirmed_at; not confirmed_price."""
    if not has_phrase(key, listed):
        return False
    rest = set(key.stems) - {stem for phrase in listed if set(phrase) <= set(key.stems) for stem in phrase}
    fine = {stem for stem in rest if stem in _ENDS or (stem,) in words().fillers or (stem,) in voices().people}
    entities = {stem for stem in rest if (stem,) in words().entities or (stem,) in voices().voices}
    return rest <= fine | entities | about


def _of_word(word: _Word, action: Action) -> Outcome | None:
    """What one word comes to; None where it takes no stand."""
    stance = _stance(word, action)
    if stance is None:
        return None
    if stance is Stance.PENDING:
        return unknown(Reason.DATA_MISSING, word.node, shown(word.node), "pending")
    met = (stance is Stance.YES) is not action.inverted
    return decided(met, word.node, shown(word.node))


def _stance(word: _Word, action: Action) -> Stance | None:
    node, key = word.node, name_read(word.node.name)
    denied = word.anti is not key.negated
    value = node.value
    if isinstance(value, bool) or (isinstance(value, int) and value in (0, 1) and key.stems not in action.progress):
        return Stance.YES if bool(value) is not (denied is not (word.anti and action.inverted)) else Stance.NO
    if isinstance(value, (int, float)):
        return _of_progress(float(value), key, action)
    if isinstance(value, (date, time)):
        return Stance.NO if denied else Stance.YES
    if isinstance(value, Listing):
        stances = {stance for text in value.texts[:20] if (stance := stance_of(text, action)) is not None}
        return stances.pop() if len(stances) == 1 else None
    return _of_text(value, key, action, denied) if isinstance(value, str) else None


def _of_progress(value: float, key: Name, action: Action) -> Stance | None:
    """A share of what is to be done: 1 and 100 are all of it."""
    if key.stems not in action.progress:
        return None
    return Stance.YES if value in (1.0, 100.0) else Stance.NO


def _of_text(value: str, key: Name, action: Action, denied: bool) -> Stance | None:
    text = folded(value[:60]).strip(" .!")
    if text in {"true", "yes", "false", "no", "si", "y", "n"}:
        return Stance.YES if (text in {"true", "yes", "si", "y"}) is not denied else Stance.NO
    if action.progress and (parts := _PERCENT.findall(text)):
        return Stance.YES if float(parts[-1]) >= 100 else Stance.NO
    stance = stance_of(value, action)
    if stance is not None:
        return _opposite(stance) if denied and stance is not Stance.PENDING else stance
    if is_missing(value):
        return None
    return Stance.YES if _is_mark(key, value) and not denied else Stance.NO if _is_mark(key, value) else None


def _is_mark(key: Name, value: str) -> bool:
    """confirmed_at, approved_by, a signature: whatever is written there, it was done."""
    return bool(_ENDS.intersection(key.stems[-1:])) and len(value) < 80 and folded(value) not in lists().no_texts


def _opposite(stance: Stance) -> Stance:
    return Stance.NO if stance is Stance.YES else Stance.YES
