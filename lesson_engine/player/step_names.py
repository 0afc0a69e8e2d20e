"""What each kind of step is called on the page."""

from django.utils.translation import gettext_lazy as _

_NAMES = {
    "NARRATION": _("Story"),
    "CONTENT": _("Reading"),
    "ASK": _("Question"),
    "CASE": _("Case"),
    "KEY_CONTENT": _("The essentials"),
    "KEY_POINTS": _("Key points"),
    "KEY_ELEMENTS": _("Key elements"),
    "TOPICS": _("Topics"),
    "EXPECTED_LEARNING": _("What you will learn"),
    "REFLECTION_AREAS": _("To think about"),
}


def step_name(step_type: str) -> str:
    """The name of a step type in the reader's language; of one that only old records know, the type itself."""
    return str(_NAMES.get(step_type, step_type))
