"""Whether a chain is signed, in words for staff."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from telemetry.chains.signatures import Head, signature_fault, signature_of
from telemetry.contracts import FaultKind


def signed_text(heads: str, key: str, head: Head) -> str | Promise:
    """Of the head alone: no row is read, so one that was signed up to an earlier row is not verified."""
    signature = signature_of(head.signature)
    if signature is None:
        return _("Not signed")
    if signature.length < head.length:
        return _("Signed up to %(signed)s of %(length)s") % {"signed": signature.length, "length": head.length}
    fault = signature_fault(heads, key, signature, head.hash)
    if fault is None and signature.length == head.length:
        return _("Signed with the key %(key)s") % {"key": signature.key_id}
    if fault and fault[0] == FaultKind.UNKNOWN_KEY:
        return _("Signed with the key %(key)s, which is unknown") % {"key": signature.key_id}
    return _("The signature is forged")
