"""Causes that show in what the result lists: options that were there, and parts of a sum."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from evaluation.checks import criterion_check
from planning.grammar import amount_read
from planning.learning import better_side, field_key, folded
from reflection.causes.contracts import Cause, CauseKind, Fact
from reflection.causes.groups import group_of, pull_apart
from reflection.causes.making import cause
from reflection.causes.reading import Check, Seen
from reflection.causes.strategy import priority_said
from reflection.causes.wording import cues, data_read, number_shown, shown

_ITEMS: Final = 12
_LISTS: Final = 4
_NODES: Final = 300


@dataclass(frozen=True)
class _Option:
    path: str
    value: dict[str, Any]
    meets: bool | None


def passed_over(seen: Seen) -> Iterator[Cause]:
    """An option that met what failed was there, or none was."""
    check = seen.failed[0] if seen.failed else None
    if check is None or not check.result.path:
        return
    options = [one for one in _options(seen, check) if one.meets is not None]
    if len(options) < 2:
        return
    good = next((one for one in options if one.meets and _meets_rest(seen, one, check)), None)
    if good is not None:
        kind = CauseKind.PRIORITY_AGAINST if _decided_by_priority(seen, good, check) else CauseKind.PASSED_OVER
        yield cause(
            kind,
            seen,
            check,
            0.93,
            [Fact(f"result.{good.path}", _named(good.value))],
            better=_named(good.value),
            better_value=_value_of(good.value, check),
            count=str(len(options)),
            priority=priority_said(seen),
        )
    elif not any(one.meets for one in options):
        best = _best(options, check)
        yield cause(
            CauseKind.NONE_FIT,
            seen,
            check,
            0.9,
            [Fact(f"result.{options[0].path.rpartition('[')[0]}", f"{len(options)}, none {check.result.criterion}")],
            count=str(len(options)),
            best=best[0],
            best_value=best[1],
        )


def _decided_by_priority(seen: Seen, good: _Option, check: Check) -> bool:
    """Whether what was chosen beats the option that met it in what the plan sorts by."""
    priority = seen.plan.config.priority
    if not priority or not pull_apart(priority, check.name):
        return False
    near = (check.result.path or "").rpartition(".")[0]
    chosen = {leaf.key: leaf.value for leaf in seen.leaves if leaf.path.rpartition(".")[0] == near}
    for key, value in list(good.value.items())[:40]:
        if field_key(str(key).replace("_", " ")) == field_key(priority) and folded(str(key)) in chosen:
            ours, theirs = _number(chosen[folded(str(key))]), _number(value)
            if ours is not None and theirs is not None:
                return ours < theirs if better_side(str(key)) == "low" else ours > theirs
    return False


def _options(seen: Seen, check: Check) -> list[_Option]:
    found: list[_Option] = []
    for path, items in _lists(seen.failure.result):
        if not _are_options(seen, path, items):
            continue
        read = [_Option(f"{path}[{place}]", one, None) for place, one in enumerate(items)]
        judged = [_Option(one.path, one.value, criterion_check(check.criterion, one.value).met) for one in read]
        if sum(one.meets is not None for one in judged) >= 2:
            found += judged
    return found


def _are_options(seen: Seen, path: str, items: list[dict[str, Any]]) -> bool:
    """Whether the list is of things to choose from, and not of parts of one."""
    if cues("options keys").search(folded(path.rpartition(".")[2]).replace("_", " ")):
        return True
    return bool(seen.option) and any(_named(item) == seen.option for item in items)


def _lists(result: object) -> list[tuple[str, list[dict[str, Any]]]]:
    """Lists of at least two things with names for their values; at most four."""
    left: list[tuple[str, Any, int]] = [("", result, 0)]
    found: list[tuple[str, list[dict[str, Any]]]] = []
    seen = 0
    while left and seen < _NODES and len(found) < _LISTS:
        path, value, depth = left.pop(0)
        seen += 1
        if isinstance(value, dict) and depth < 5:
            left += [(f"{path}.{str(key)[:40]}".lstrip("."), one, depth + 1) for key, one in list(value.items())[:40]]
        elif isinstance(value, list):
            items = [one for one in value[:_ITEMS] if isinstance(one, dict) and len(one) <= 40]
            if len(items) >= 2:
                found.append((path, items))
    return found


def _meets_rest(seen: Seen, option: _Option, failed: Check) -> bool:
    """Whether the option breaks nothing else that it says something of."""
    others = [one for one in seen.checks if one is not failed and not one.is_verdict][:6]
    return all(criterion_check(one.criterion, option.value).met is not False for one in others)


def _named(value: dict[str, Any]) -> str:
    names = data_read("words.json")["name keys"]
    return next(
        (shown(one, 40) for key, one in list(value.items())[:40] if folded(str(key)) in names and shown(one)), ""
    )


def _value_of(value: dict[str, Any], check: Check) -> str:
    return shown(criterion_check(check.criterion, value).actual, 20)


def _best(options: list[_Option], check: Check) -> tuple[str, str]:
    """Name and value of the one that came nearest."""
    sign = 1 if check.side == "high" else -1
    read = [(amount_read(criterion_check(check.criterion, one.value).actual), one) for one in options]
    numbers = [
        (sign * float(amount.value), one)
        for amount, one in read
        if amount and isinstance(amount.value, int | float) and not isinstance(amount.value, bool)
    ]
    if not numbers or not check.side:
        return "", ""
    number, one = min(numbers, key=lambda pair: pair[0])
    return _named(one.value), number_shown(sign * number)


# Parts of a sum


def part_overran(seen: Seen) -> Iterator[Cause]:
    """One part of a sum took what all may take."""
    check = seen.failed[0] if seen.failed else None
    if check is None or check.side != "high" or check.found is None or check.wanted is None:
        return
    for path, parts in _sums(seen, check):
        total = sum(amount for _, amount in parts)
        if any(amount == check.found for _, amount in parts):  # the whole is no part of itself
            continue
        if len(parts) < 2 or total <= 0 or abs(total - check.found) > 0.02 * check.found:
            continue
        name, amount = max(parts, key=lambda part: part[1])
        extra = [part for part in parts if cues("extras").search(folded(part[0]).replace("_", " "))]
        over = check.found - check.wanted
        if extra and sum(one for _, one in extra) >= over:
            name, amount = max(extra, key=lambda part: part[1])
        elif amount < over or amount < 1.15 * total / len(parts):
            continue
        rest = total - amount
        yield cause(
            CauseKind.PART_OVERRAN,
            seen,
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


def _sums(seen: Seen, check: Check) -> Iterator[tuple[str, list[tuple[str, float]]]]:
    """Amounts of what the criterion counts that stand side by side: the values of a mapping, or of one name in a list
    of mappings; without the whole.
    """
    beside: dict[str, list[tuple[str, float]]] = {}
    for leaf in seen.leaves:
        number = _amount(leaf.value, leaf.key, check)
        if number is None or leaf.path == check.result.path or cues("total keys").fullmatch(leaf.key.replace("_", " ")):
            continue
        parent = leaf.path.rpartition(".")[0]
        if not parent.endswith("]"):
            beside.setdefault(parent, []).append((leaf.key, number))
    yield from beside.items()
    for path, items in _lists(seen.failure.result):
        for key in list(items[0])[:10]:
            numbers = [(_named(one) or _first_text(one), _amount(one.get(key), str(key), check)) for one in items]
            known = [(name, number) for name, number in numbers if number is not None and name]
            if len(known) == len(items):
                yield path, known


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
    words = " ".join(re.findall(r"[^\W_]+", folded(key[:60])))
    other = cues("measures").search(words)
    same = group_of(other[0]) == group_of(check.name) if other and group_of(other[0]) else False
    return None if other and not same and other[0] not in folded(check.name) else number


def _first_text(item: dict[str, Any]) -> str:
    return next((shown(one, 40) for one in list(item.values())[:10] if isinstance(one, str) and shown(one)), "")


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value) if abs(value) < 1e12 else None
    amount = amount_read(value) if isinstance(value, str) and any(letter.isdigit() for letter in value[:20]) else None
    found = amount.value if amount else None
    return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else None
