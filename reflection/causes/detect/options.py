"""Causes that show in what the result lists: options that were there, and parts of a sum."""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from evaluation.checking.check import criterion_check
from evaluation.contracts import CriterionResult
from planning.criteria import amount_read
from planning.experience import better_side, field_key, normalised
from reflection.causes.contracts import Cause, CauseKind, Fact
from reflection.causes.detect.checks import Check, parent_of
from reflection.causes.detect.groups import group_of, pull_apart
from reflection.causes.detect.reading import Case
from reflection.causes.detect.strategy import priority_said
from reflection.causes.texts import cues, data_read, number_in, number_shown, shown

_ITEMS: Final = 12
_LISTS: Final = 4
_NODES: Final = 300


class _Option(NamedTuple):
    """Something that could have been chosen, held against the criterion."""

    path: str
    value: dict[str, Any]
    result: CriterionResult


def passed_over(case: Case) -> Iterator[Cause]:
    """An option that met what failed was there, or none was."""
    check = case.worst
    if check is None or not check.result.path:
        return
    options = [option for option in _options(case, check) if option.result.met is not None]
    if len(options) < 2:
        return
    count = str(len(options))
    good = next((option for option in options if option.result.met and _meets_rest(case, option, check)), None)
    if good is not None:
        name = _named(good.value)
        yield case.cause(
            CauseKind.PRIORITY_AGAINST if _decided_by_priority(case, good, check) else CauseKind.PASSED_OVER,
            check,
            0.93,
            [Fact(f"result.{good.path}", name)],
            better=name,
            better_value=shown(good.result.actual, 20),
            count=count,
            priority=priority_said(case),
        )
    elif not any(option.result.met for option in options):
        best, best_value = _best(options, check)
        facts = [Fact(f"result.{options[0].path.rpartition('[')[0]}", f"{count}, none {check.result.criterion}")]
        yield case.cause(CauseKind.NONE_FIT, check, 0.9, facts, count=count, best=best, best_value=best_value)


def _decided_by_priority(case: Case, good: _Option, check: Check) -> bool:
    """Whether what was chosen beats the option that met it in what the plan sorts by."""
    if not case.priority or not pull_apart(case.priority, check.name):
        return False
    near = parent_of(check.result.path)
    chosen = {leaf.key: leaf.value for leaf in case.leaves if parent_of(leaf.path) == near}
    for key, value in list(good.value.items())[:40]:
        if field_key(str(key).replace("_", " ")) == field_key(case.priority) and normalised(str(key)) in chosen:
            ours, theirs = _number(chosen[normalised(str(key))]), _number(value)
            if ours is not None and theirs is not None:
                return ours < theirs if better_side(str(key)) == "low" else ours > theirs
    return False


def _options(case: Case, check: Check) -> list[_Option]:
    options: list[_Option] = []
    for path, items in _lists(case.failure.result):
        if _are_options(case, path, items):
            judged = [
                _Option(f"{path}[{place}]", item, criterion_check(check.criterion, item))
                for place, item in enumerate(items)
            ]
            options += judged if sum(option.result.met is not None for option in judged) >= 2 else []
    return options


def _are_options(case: Case, path: str, items: list[dict[str, Any]]) -> bool:
    """Whether the list is of things to choose from, and not of parts of one."""
    if cues("options keys").search(normalised(path.rpartition(".")[2]).replace("_", " ")):
        return True
    return bool(case.option) and any(_named(item) == case.option for item in items)


def _lists(result: object) -> list[tuple[str, list[dict[str, Any]]]]:
    """Lists of at least two things with names for their values; at most four."""
    left: list[tuple[str, Any, int]] = [("", result, 0)]
    lists: list[tuple[str, list[dict[str, Any]]]] = []
    visited = 0
    while left and visited < _NODES and len(lists) < _LISTS:
        path, value, depth = left.pop(0)
        visited += 1
        if isinstance(value, dict) and depth < 5:
            left += [(f"{path}.{str(key)[:40]}".lstrip("."), item, depth + 1) for key, item in list(value.items())[:40]]
        elif isinstance(value, list):
            items = [item for item in value[:_ITEMS] if isinstance(item, dict) and len(item) <= 40]
            if len(items) >= 2:
                lists.append((path, items))
    return lists


def _meets_rest(case: Case, option: _Option, failed: Check) -> bool:
    """Whether the option breaks nothing else that it says something of."""
    others = [check for check in case.counted if check is not failed][:6]
    return all(criterion_check(other.criterion, option.value).met is not False for other in others)


def _named(item: dict[str, Any]) -> str:
    names = data_read("words.json")["name keys"]
    values = (shown(value, 40) for key, value in list(item.items())[:40] if normalised(str(key)) in names)
    return next(filter(None, values), "")


def _best(options: list[_Option], check: Check) -> tuple[str, str]:
    """Name and value of the one that came nearest."""
    sign = 1 if check.side == "high" else -1
    read = [(amount_read(option.result.actual), option) for option in options]
    numbers = [
        (sign * number, option) for amount, option in read if amount and (number := number_in(amount.value)) is not None
    ]
    if not numbers or not check.side:
        return "", ""
    number, nearest = min(numbers, key=lambda pair: pair[0])
    return _named(nearest.value), number_shown(sign * number)


# Parts of a sum


def part_overran(case: Case) -> Iterator[Cause]:
    """One part of a sum took what all may take."""
    check = case.worst
    if check is None or check.side != "high" or check.found is None or check.wanted is None:
        return
    over = check.found - check.wanted
    for path, parts in _sums(case, check):
        total = sum(amount for _, amount in parts)
        if any(amount == check.found for _, amount in parts):  # the whole is no part of itself
            continue
        if len(parts) < 2 or total <= 0 or abs(total - check.found) > 0.02 * check.found:
            continue
        extra = [part for part in parts if cues("extras").search(normalised(part[0]).replace("_", " "))]
        is_extra = bool(extra) and sum(amount for _, amount in extra) >= over
        name, amount = max(extra if is_extra else parts, key=lambda part: part[1])
        if not is_extra and (amount < over or amount < 1.15 * total / len(parts)):
            continue
        rest = total - amount
        yield case.cause(
            CauseKind.PART_OVERRAN,
            check,
            0.9,
            [Fact(f"result.{path}", f"{shown(name, 40)}: {number_shown(amount)}")],
            part=shown(name.replace("_", " "), 40),
            part_value=number_shown(amount),
            part_share=number_shown(round(100 * amount / total)),
            rest=number_shown(rest),
            most=number_shown(max(check.wanted - rest, 0.0)),
            count=str(len(parts)),
            total=number_shown(check.found),
        )
        return


def _sums(case: Case, check: Check) -> Iterator[tuple[str, list[tuple[str, float]]]]:
    """Amounts of what the criterion counts, side by side: the values of a mapping, or of one name in a list
    of mappings; without the whole.
    """
    siblings: dict[str, list[tuple[str, float]]] = {}
    for leaf in case.leaves:
        number = _amount(leaf.value, leaf.key, check)
        if number is None or leaf.path == check.result.path or cues("total keys").fullmatch(leaf.key.replace("_", " ")):
            continue
        if not parent_of(leaf.path).endswith("]"):
            siblings.setdefault(parent_of(leaf.path), []).append((leaf.key, number))
    yield from siblings.items()
    for path, items in _lists(case.failure.result):
        for key in list(items[0])[:10]:
            numbers = [(_named(item) or _first_text(item), _amount(item.get(key), str(key), check)) for item in items]
            named = [(name, number) for name, number in numbers if number is not None and name]
            if len(named) == len(items):
                yield path, named


def _amount(value: object, key: str, check: Check) -> float | None:
    """The number, where it counts what the criterion counts: its unit and currency, no other measure by its name."""
    number, parse = _number(value), check.parse
    if number is None or parse is None:
        return None
    amount = amount_read(value) if isinstance(value, str) else None
    if amount is not None and amount.unit and amount.unit != parse.unit:
        return None
    if amount is not None and amount.currency and amount.currency != (parse.currency or amount.currency):
        return None
    words = " ".join(re.findall(r"[^\W_]+", normalised(key[:60])))
    other = cues("measures").search(words)
    same = group_of(other[0]) == group_of(check.name) if other and group_of(other[0]) else False
    return None if other and not same and other[0] not in normalised(check.name) else number


def _first_text(item: dict[str, Any]) -> str:
    return next(filter(None, (shown(value, 40) for value in list(item.values())[:10] if isinstance(value, str))), "")


def _number(value: object) -> float | None:
    if isinstance(value, str) and any(letter.isdigit() for letter in value[:20]):
        amount = amount_read(value)
        return number_in(amount.value) if amount else None
    number = number_in(value)
    return number if number is not None and abs(number) < 1e12 else None
