"""Settings of strategy that an adjustment may change. Layers above register theirs in `AppConfig.ready()`."""

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeGuard

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from memory.contracts import Adjustment, AdjustmentOperation

VALUE_LENGTH = 500
_ADDING = (AdjustmentOperation.ADD_CONSTRAINT, AdjustmentOperation.FILTER)
_GIVING = (AdjustmentOperation.CHANGE, AdjustmentOperation.SET)
_MOVING = (AdjustmentOperation.INCREASE, AdjustmentOperation.DECREASE)


class SettingType(StrEnum):
    """What values a setting has. A constraint has many, which are added and removed; all others have one."""

    NUMBER = "number"
    CHOICE = "choice"
    TEXT = "text"
    CONSTRAINT = "constraint"
    FLAG = "flag"


@dataclass(frozen=True, slots=True)
class StrategySetting:
    """A setting: `label` is for people. `minimum` and `maximum` are allowed values themselves, None: no such limit.

    `is_family`: its name is how those of its settings begin ("min_" for "min_quality").
    """

    name: str
    label: str | Promise
    type: SettingType
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    unit: str | Promise = ""
    is_family: bool = False


_settings: dict[str, StrategySetting] = {}
_task_types: dict[str, None] = {}


def setting_register(setting: StrategySetting) -> None:
    """Add a setting; for `AppConfig.ready()`. Raises `ValueError` for a name that means another, or for no setting."""
    if (setting.type is SettingType.CHOICE) != bool(setting.choices):
        raise ValueError(f"the setting {setting.name!r} needs choices if it is a choice, and only then")
    if _settings.setdefault(setting.name, setting) != setting:
        raise ValueError(f"there is another setting {setting.name!r}")


def setting_named(name: str) -> StrategySetting:
    """The setting. Raises `KeyError` for one that is not registered."""
    return _settings[name]


def setting_found(name: str) -> StrategySetting | None:
    """The setting, or the one of this name in a family; None where there is none."""
    setting = _settings.get(name)
    if setting is not None:
        return None if setting.is_family else setting
    families = (member for member in _settings.values() if member.is_family and name.startswith(member.name))
    family = next(families, None)
    return replace(family, name=name, is_family=False) if family else None


def settings_all() -> tuple[StrategySetting, ...]:
    """All settings, in the order in which they were registered."""
    return tuple(_settings.values())


def task_types_register(*names: str) -> None:
    """Add task types that people may choose from; for `AppConfig.ready()`. Others can be stored all the same."""
    _task_types.update(dict.fromkeys(names))


def task_types_all() -> tuple[str, ...]:
    """The registered task types, in order."""
    return tuple(sorted(_task_types))


def adjustment_judge(adjustment: Adjustment) -> str | None:
    """Why an adjustment cannot be executed, in words; None where it can. Source: design.md, "Settled", 4."""
    setting = setting_found(adjustment.setting)
    if setting is None:
        return _("There is no setting %(name)s.") % {"name": adjustment.setting}
    if adjustment.operation in _MOVING:
        return _movement_fault(setting, adjustment)
    if adjustment.operation in _ADDING and setting.type is not SettingType.CONSTRAINT:
        return _("%(name)s is no list of constraints, so nothing can be added to it.") % {"name": setting.name}
    if adjustment.operation in _GIVING and setting.type is SettingType.CONSTRAINT:
        return _("Constraints are added and removed, not set.")
    if adjustment.operation is AdjustmentOperation.REMOVE and setting.type in (SettingType.NUMBER, SettingType.FLAG):
        return _("%(name)s has a value that can be set, not removed.") % {"name": setting.name}
    return _value_fault(setting, adjustment.value)


def _movement_fault(setting: StrategySetting, adjustment: Adjustment) -> str | None:
    value, name = adjustment.value, setting.name
    if setting.type is not SettingType.NUMBER:
        return _("%(name)s is no number, so it cannot be increased or decreased.") % {"name": name}
    if not _is_number(value):
        return _("It does not say by how much, or to what number, %(name)s is to change.") % {"name": name}
    if not adjustment.relative:
        return _value_fault(setting, value)
    if value <= 0:
        return _("The amount by which %(name)s is to change must be over 0.") % {"name": name}
    if setting.minimum is not None and setting.maximum is not None and value > setting.maximum - setting.minimum:
        return _("%(value)s is more than %(name)s can change: it lies between %(minimum)s and %(maximum)s.") % {
            **_range(setting),
            "value": value,
        }
    return None


def _value_fault(setting: StrategySetting, value: object) -> str | None:
    name = setting.name
    if setting.type is SettingType.NUMBER:
        return _number_fault(setting, value)
    if setting.type is SettingType.FLAG:
        return None if isinstance(value, bool) else _("%(name)s is either on or off.") % {"name": name}
    if not isinstance(value, str) or not value.strip():
        return _("%(name)s needs a text, and there is none.") % {"name": name}
    if len(value) > VALUE_LENGTH:
        return _("The text for %(name)s has more than %(most)s characters.") % {"name": name, "most": VALUE_LENGTH}
    if setting.type is SettingType.CHOICE and value not in setting.choices:
        names = {"name": name, "value": value[:80], "choices": ", ".join(setting.choices)}
        return _("%(name)s cannot be %(value)s: it is one of %(choices)s.") % names
    return None


def _number_fault(setting: StrategySetting, value: object) -> str | None:
    if not _is_number(value):
        return _("%(name)s is a number.") % {"name": setting.name}
    too_low = setting.minimum is not None and value < setting.minimum
    too_high = setting.maximum is not None and value > setting.maximum
    if not (too_low or too_high):
        return None
    return _("%(name)s cannot be %(value)s: it lies between %(minimum)s and %(maximum)s.") % {
        **_range(setting),
        "value": value,
    }


def _range(setting: StrategySetting) -> dict[str, object]:
    """An open end is written as an ellipsis."""
    ends = {"minimum": setting.minimum, "maximum": setting.maximum}
    return {"name": setting.name, **{end: "…" if value is None else f"{value:g}" for end, value in ends.items()}}


def _is_number(value: object) -> TypeGuard[int | float]:
    """Finite; a flag is none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
