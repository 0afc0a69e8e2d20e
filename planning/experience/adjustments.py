"""The closed grammar of adjustments: from a sentence to one change of a strategy. The forms are in
`data/adjustments.txt`.
"""

import re
from functools import cache
from typing import Any, Final

from language.fold import visible
from language.word_lists import sections_of
from memory.contracts import Adjustment, AdjustmentOperation
from planning.criteria import CriterionKind
from planning.experience.conditions import absence_of, negated, parsed, said
from planning.experience.fields import bound_named, field_meant
from planning.experience.naming import PLAIN, amount_said, condition_said, setting_key, setting_named
from planning.experience.sayings import phrase_of
from planning.experience.words import DATA, normalised, speaks_to_a_model

TEXT_AT_MOST: Final = 500
_SLOTS: Final = {
    "setting": r"(?P<setting>[^<>=,;]{1,60}?)",
    "old": r"(?P<old>[^;]{1,120}?)",
    "new": r"(?P<new>[^;]{1,120})",
    "value": r"(?P<value>[^;]{1,200})",
    "value_before": r"(?P<value>[^;]{1,200}?)",
}
_NEW_FIRST: Final = re.compile(r"\{new\}(?=.)")
_QUOTED: Final = re.compile(r"""(?<!\w)'([^']{1,200})'(?!\w)|(?<!\w)"([^"]{1,200})"(?!\w)|`([^`]{1,200})`""")
_QUOTES: Final = str.maketrans(dict.fromkeys("‘’‚‛´", "'") | dict.fromkeys("“”„‟«»", '"'))
_KEPT: Final = re.compile("\ue000(\\d+)\ue001")
_SPACE: Final = re.compile(r" (?=\(?(?:[a-z]))")
_NO_OPERATIONS: Final = frozenset({"scope", "sure_scope", "whole"})
_BULLET: Final = re.compile(r"^(?:[-*•·–]|\(?\d{1,2}[.)])\s+")


def adjustment_parse(text: str) -> Adjustment | None:
    """The change that the sentence asks for; None for what is no adjustment, or does not say what to change to what.

    "Change priority from 'price' to 'quality'" changes a setting, "Add constraint: quality >= 7" and "Filter results
    where ..." add a condition that the grammar of criteria reads, "Increase minimum quality by 1" moves `min_quality`.
    Names become snake_case; a bound is `min_...` or `max_...`. A value with a unit stays text ("2 km").
    """
    if len(text) > TEXT_AT_MOST or speaks_to_a_model(text):
        return None
    plain = _BULLET.sub("", visible(text)).translate(_QUOTES).strip(" .!;")
    quoted: list[str] = []
    marked = _QUOTED.sub(lambda match: _keep(match, quoted), plain)
    small = normalised(marked)
    end = _scope_begins(small)
    if end is None:
        return _read(small, len(small), marked, quoted, text)
    within = _read(small, end, marked, quoted, text)
    if within is not None and _is_whole(within, small[:end]):
        return within
    is_sure = any(pattern.fullmatch(small, end) for pattern in _sections()["sure_scope"])
    is_condition = is_sure and within is not None and within.setting == "constraint"
    return _read(small, len(small), marked, quoted, text) or (within if is_condition else None)


def _read(small: str, end: int, marked: str, quoted: list[str], text: str) -> Adjustment | None:
    """Read the text before `end` by the first form that fits."""
    for operation, patterns in forms().items():
        for pattern in patterns:
            match = pattern.fullmatch(small, 0, end)
            adjustment = _made(operation, _Slots(match, marked, quoted), text.strip()) if match else None
            if adjustment is not None:
                return adjustment
    return None


def _scope_begins(small: str) -> int | None:
    """Where an end begins that only says in what the adjustment holds: "in hotel search"."""
    for place in (match.start() for match in _SPACE.finditer(small)):
        start = place - 1 if place and small[place - 1] == "," else place
        if any(pattern.fullmatch(small, start) for pattern in _sections()["scope"]):
            return start
    return None


def _is_whole(within: Adjustment, said: str) -> bool:
    """Whether the text before the scope is all of the change, and no step is cut short."""
    if within.setting == "priority":
        return field_meant(str(within.value)) is not None
    return within.setting != "steps" and any(pattern.search(said) for pattern in _sections()["whole"])


def _keep(match: re.Match[str], quoted: list[str]) -> str:
    quoted.append(next(group for group in match.groups() if group is not None))
    return f"\ue000{len(quoted) - 1}\ue001"


def forms() -> dict[str, list[re.Pattern[str]]]:
    return {name: patterns for name, patterns in _sections().items() if name not in _NO_OPERATIONS}


@cache
def _sections() -> dict[str, list[re.Pattern[str]]]:
    return sections_of(DATA / "adjustments.txt", _pattern)


def _pattern(section: str, line: str) -> re.Pattern[str]:
    pattern = _NEW_FIRST.sub(r"(?P<new>[^;]{1,120}?)", line)
    for name, slot in _SLOTS.items():
        pattern = pattern.replace(f"{{{name}}}", slot)
    return re.compile(rf"(?:{pattern})$" if section == "whole" else pattern)


class _Slots:
    """What fills the slots of a form, as it was written and without its quotes."""

    def __init__(self, match: re.Match[str], text: str, quoted: list[str]) -> None:
        self._match, self._text, self._quoted = match, text, quoted

    def __getitem__(self, name: str) -> str:
        """Empty where the form has no such slot."""
        if name not in self._match.re.groupindex or self._match[name] is None:
            return ""
        start, end = self._match.span(name)
        return _KEPT.sub(lambda match: self._quoted[int(match[1])], self._text[start:end]).strip(" '\".")


def _made(operation: str, slots: _Slots, text: str) -> Adjustment | None:
    match operation:
        case "change":
            return _change(slots, text)
        case "priority":
            return _priority(slots["old"], slots["new"], text)
        case "add" | "filter":
            kind = AdjustmentOperation.ADD_CONSTRAINT if operation == "add" else AdjustmentOperation.FILTER
            condition = condition_said(slots["value"])
            return _adjustment(kind, "constraint", condition, text) if condition else None
        case "exclude" | "exclude_es":
            return _exclusion(slots["value"], "es" if operation == "exclude_es" else "en", text)
        case "cap":
            return _setting(AdjustmentOperation.SET, f"max {slots['setting']}", slots["new"], text)
        case "remove":
            return _removal(slots["kind"], slots["value"], text)
        case "increase" | "decrease":
            return _movement(AdjustmentOperation(operation), slots, text)
    return _setting(AdjustmentOperation.SET, slots["setting"], slots["new"] or "on", text)


def _adjustment(operation: AdjustmentOperation, setting: str, value: Any, text: str, **more: Any) -> Adjustment:
    return Adjustment(operation=operation, setting=setting, value=value, text=text, **more)


def _change(slots: _Slots, text: str) -> Adjustment | None:
    old, new, setting = slots["old"], slots["new"], slots["setting"]
    if setting:
        if setting_named(setting) == "priority":
            return _priority(old, new, text)
        if longer := _longer_setting(setting, old):
            return _priority(longer, new, text)
        return _setting(AdjustmentOperation.CHANGE, setting, new, text, previous=old)
    if setting_named(old) == "priority":
        return _priority("", new, text)
    condition, other = condition_said(_unnamed(old)), condition_said(_unnamed(new))
    if condition and other:
        return _adjustment(AdjustmentOperation.ADD_CONSTRAINT, "constraint", other, text, previous=condition)
    if field_meant(old) and field_meant(new) and not PLAIN.fullmatch(new):
        return _priority(old, new, text)
    if setting_named(old.split()[0]) is None and len(old.split()) > 2 and bound_named(old) is None:
        step = phrase_of(new)
        return _adjustment(AdjustmentOperation.CHANGE, "steps", step, text, previous=old) if step else None
    if setting_named(old.split()[0]) and re.search(r"\b(?:from|de|desde)\b", old, re.IGNORECASE):
        return None
    return _setting(AdjustmentOperation.CHANGE, old, new, text)


def _longer_setting(setting: str, old: str) -> str:
    """The old value where "de" is part of the setting's name: "el criterio de orden de precio a ..."."""
    words = old.split()
    for place in (1, 2):
        if (
            words[place : place + 1] == ["de"]
            and setting_named(f"{setting} de {' '.join(words[:place])}") == "priority"
        ):
            return " ".join(words[place + 1 :])
    return ""


def _unnamed(text: str) -> str:
    """Without the word for what it is: "constraint quality >= 7"."""
    first, _, rest = text.partition(" ")
    return rest if rest and setting_named(first.rstrip(":")) == "constraint" else text


def _priority(old: str, new: str, text: str) -> Adjustment | None:
    value, previous = _field_of(new), _field_of(old)
    if not value or (old and not previous) or value == previous:
        return None
    return _adjustment(AdjustmentOperation.CHANGE, "priority", value, text, previous=previous or None)


def _field_of(text: str) -> str:
    """A name of something that options are compared by, in small letters."""
    meant = field_meant(text)
    plain = phrase_of(text).lower()
    if plain and len(plain.split()) <= 4 and not any(letter.isdigit() for letter in plain):
        return plain
    return meant[1] if meant else ""


def _setting(
    operation: AdjustmentOperation, name: str, value: str, text: str, previous: str | None = None
) -> Adjustment | None:
    known = setting_named(name)
    if known == "priority":
        return _priority(previous or "", value, text)
    key = setting_key(name)
    amount = amount_said(value, key)
    if known is not None or not key or amount is None:
        return None
    return _adjustment(operation, key, amount, text, previous=previous)


def _exclusion(value: str, language: str, text: str) -> Adjustment | None:
    """What is filtered out turns round: "quality < 7" leaves "quality >= 7", "hostels" leaves "no hostels"."""
    parse = parsed(value)
    measured = parse is not None and parse.kind not in (CriterionKind.PRESENCE, CriterionKind.ABSENCE)
    name = phrase_of(value)
    kept = negated(parse) if parse is not None and measured else absence_of(name, language) if name else None
    return _adjustment(AdjustmentOperation.FILTER, "constraint", said(kept)[:200], text) if kept else None


def _removal(kind: str, value: str, text: str) -> Adjustment | None:
    wanted = setting_named(kind.split()[-1]) if kind else None
    condition = condition_said(value)
    if wanted in (None, "constraint") and condition:
        return _adjustment(AdjustmentOperation.REMOVE, "constraint", condition, text)
    plain = value.strip()
    if not plain or len(plain) > 200 or not re.fullmatch(r"[\w\s'/&.,:()%€$£<>=+-]+", plain):
        return None
    if wanted is None and setting_named(plain) == "priority":
        return _adjustment(AdjustmentOperation.REMOVE, "priority", plain, text)
    if wanted is None and setting_named(plain):
        return None
    return _adjustment(AdjustmentOperation.REMOVE, wanted or "steps", plain, text)


def _movement(operation: AdjustmentOperation, slots: _Slots, text: str) -> Adjustment | None:
    key, relative = setting_key(slots["setting"]), bool(slots["by"])
    amount = amount_said(slots["new"], key)
    if setting_named(slots["setting"]) or not key or amount is None or isinstance(amount, bool):
        return None
    if isinstance(amount, str) and not any(letter.isdigit() for letter in amount):
        return None
    if relative and isinstance(amount, int | float) and amount <= 0:
        return None
    return _adjustment(operation, key, amount, text, relative=relative, previous=slots["old"] or None)
