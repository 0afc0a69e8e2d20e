"""Questions, domains, flags and JSON as the consult's pages of the administration show them."""

import json
from typing import Any

from django.db.models import BinaryField, F, Func, Value
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from routing.models import DOMAIN_LABELS
from routing.understanding.flags import flag_meaning, flag_title

_BYTES_READ, _CHARACTERS = 400, 90
ERASED = pgettext_lazy("question", "erased")
_BLANK = pgettext_lazy("question", "blank")


def beginning() -> Func:
    """The first bytes of a plan's question, for lists: the whole may have ten thousand characters."""
    return Func(F("question__message"), Value(1), Value(_BYTES_READ), function="SUBSTRING", output_field=BinaryField())


def words_shown(message: bytes | memoryview | None, characters: int = _CHARACTERS) -> str:
    """The first words of a message, on one line; a word of ours where it is erased or blank."""
    if message is None:
        return str(ERASED)
    text = " ".join(bytes(message).decode("utf-8", "replace").replace("\0", "\ufffd").split())
    cut = text.removesuffix("\ufffd") if len(message) >= _BYTES_READ else text  # a character cut in two
    return Truncator(cut).chars(characters) or str(_BLANK)


def domain_name(key: str) -> str | Promise:
    """A domain in the reader's language; the key where it is not known."""
    return DOMAIN_LABELS.get(key, key)


def domains_named(keys: list[str]) -> str:
    """Domains one after the other, the first one first."""
    return ", ".join(str(domain_name(key)) for key in keys)


def flags_tagged(flags: list[str]) -> SafeString:
    """Each flag by its title, with its meaning on hover."""
    return format_html_join(
        " ", '<span class="flag" title="{}">{}</span>', ((flag_meaning(flag), flag_title(flag)) for flag in flags)
    )


def share_shown(share: float) -> str:
    """A probability or a share in hundredths, to a tenth where it is near to one end."""
    hundredths = 100 * share
    digits = 1 if 0 < hundredths < 1 or 99 < hundredths < 100 else 0
    return _("%(n)s %%") % {"n": number_format(round(hundredths, digits), digits, use_l10n=True)}


def pretty(value: Any) -> str:
    """JSON with line breaks, not escaped."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def page_url(model: str, pk: Any) -> str:
    return reverse(f"admin:routing_{model}_change", args=[pk])


def list_url(model: str) -> str:
    return reverse(f"admin:routing_{model}_changelist")
