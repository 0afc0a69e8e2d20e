"""Whether an answer has to rest on evidence. Source: the table in spec/4, 3.5.

Decisions on work, and taxes and rules, do; brand and pure strategy do not: that is the pack's word, by domain and fine
label. Who asks to have data checked needs it whatever the domain: `data/validation.txt`.
"""

from collections.abc import Iterable

from routing.pack import Pack
from routing.phrases import phrases_in
from routing.reading import Reading


def needs_evidence(reading: Reading, domains: Iterable[str], pack: Pack, message: str) -> bool:
    """Whether the message, understood as being about `domains`, wants evidence. A phase may forbid it all the same."""
    return validation_asked(message) or any(_rests(domain, reading, pack) for domain in domains)


def validation_asked(message: str) -> bool:
    """Whether a message asks to check data: "can you verify these figures", "¿son correctos estos datos?"."""
    return phrases_in("validation.txt").ask(message)


def _rests(domain: str, reading: Reading, pack: Pack) -> bool:
    if domain not in pack.keys:
        return False
    return pack.domain(domain).rests_on_evidence(reading.label if domain == reading.first else "")
