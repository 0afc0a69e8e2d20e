"""The settings of planning's strategy, for memory's registry."""

from django.utils.translation import gettext_lazy as _

from memory.strategy.registry import SettingType, StrategySetting, setting_register


def register() -> None:
    """Register the settings that adjustments of plans may change; for `AppConfig.ready()`."""
    setting_register(StrategySetting("priority", _("What options are sorted by"), SettingType.TEXT))
    setting_register(StrategySetting("constraint", _("Conditions that a plan holds to"), SettingType.CONSTRAINT))
    setting_register(StrategySetting("min_", _("The least that a plan takes"), SettingType.NUMBER, is_family=True))
    setting_register(StrategySetting("max_", _("The most that a plan takes"), SettingType.NUMBER, is_family=True))
    setting_register(StrategySetting("steps", _("The steps of a plan"), SettingType.TEXT))
    setting_register(StrategySetting("criterion", _("The success criteria of a plan"), SettingType.CONSTRAINT))
