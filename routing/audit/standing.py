"""Does an entry hold, now? For people who ask of one."""

from dataclasses import dataclass
from datetime import datetime

from routing.models import AuditChain, AuditEntry
from telemetry.contracts import ChainCheck
from telemetry.services import chain_check


@dataclass(frozen=True)
class Standing:
    """What a check of an entry's chain found. `verified_at` is the last good check, this one when the chain is whole.

    `verified_length` is how many entries the chain had then; None and 0 when none was good.
    """

    check: ChainCheck
    entry_holds: bool
    verified_at: datetime | None
    verified_length: int

    @property
    def whole(self) -> bool:
        """Whether all of the chain holds."""
        return self.check.fault is None


def entry_standing(entry: AuditEntry) -> Standing:
    """Check the chain of an entry and store the outcome. An entry before the first fault still holds."""
    check = chain_check(key=entry.chain_id)
    head = AuditChain.objects.filter(key=entry.chain_id).first()
    return Standing(
        check=check,
        entry_holds=check.fault is None or entry.seq < check.fault.seq,
        verified_at=head.verified_at if head else None,
        verified_length=head.verified_length if head else 0,
    )
