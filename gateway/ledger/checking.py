"""Is the ledger whole? What accounts say is added up anew from their entries and from their calls.

Everything is read in one snapshot, and nothing is locked: what calls do meanwhile is in it whole or not at all.
"""

from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone

from core.contracts import Contract
from core.operations.snapshots import snapshot
from gateway.ledger import checking_statements
from gateway.ledger.anchoring import ACCOUNTS
from gateway.ledger.checking_chains import entry_faults
from telemetry.anchors.files import AnchorFault, AnchorFile, AnchorReading, anchor_files

LATE = timedelta(minutes=5)
"""Beat expires holds every quarter of a minute; one that is open so long after its time has no beat, or no worker."""
_KEYS_AT_ONCE = 5000
_WORDS = {
    # of an entry
    "sum": "its four amounts sum to {has}, not to {should}",
    # of an account
    "limit": "its limit is {has}, its entries grant {should}",
    "held_entries": "{has} is held, by its entries {should}",
    "held_calls": "{has} is held, its open calls hold {should}",
    "spent_entries": "{has} is spent, by its entries {should}",
    "spent_tiers": "{has} is spent, by tier together {should}",
    "cheap": "{has} is spent on the cheap tier, its settled calls cost {should}",
    "embed": "{has} is spent on the embed tier, its settled calls cost {should}",
    "thinker": "{has} is spent on the thinker tier, its settled calls cost {should}",
    "overspent": "{has} is spent and held, its limit is {should}",
    "below_zero": "{has} is its least amount, none may be under {should}",
    "escalations": "{has} escalations are used, its calls make {should}",
    "escalations_limit": "{has} escalations are used, {should} are allowed",
    # of a call in an account
    "nobody_pays": "{has} accounts pay for it, at least {should} must",
    "reserved": "its entries reserve {has}, it sets aside {should}",
    "closed": "it is closed there by {has}, its state asks for {should}",
    "still_held": "its entries leave {has} held, its state asks for {should}",
    "charged": "its entries charge {has}, it cost {should}",
    "corrected": "it has {has} corrections there, {should} in another account",
    "gone": "{has} knew it, and it is not there any more",
    # of a call that nobody closes
    "late": "it is open since {has} and should have been closed by {should}",
}
"""What each kind of finding says. Amounts are micro-cents."""


class LedgerFinding(Contract):
    """Something that does not add up. `about` names the account or the call, `detail` has both figures.

    A `warning` says that something is slow to happen; the figures are right.
    """

    kind: str
    about: str
    detail: str
    warning: bool = False


class LedgerCheck(Contract):
    """What was looked at, and what was found. `anchored`: how many accounts the last anchor knew, None without one."""

    accounts: int
    calls: int
    entries: int
    anchored: int | None
    anchor: str
    findings: tuple[LedgerFinding, ...]

    @property
    def faults(self) -> tuple[LedgerFinding, ...]:
        """Findings that are more than warnings."""
        return tuple(finding for finding in self.findings if not finding.warning)


def ledger_check(*, now: datetime | None = None) -> LedgerCheck:
    """Prove that entries sum to zero, held equals open calls, spent equals settled ones, and nothing is over its limit.

    Safe while calls are made. In a transaction of the caller's, which must have its snapshot already, it is that one's.
    """
    # Before the snapshot: what a later anchor knows may not be in it.
    anchor = next(reversed(anchor_files(settings.AUDIT_ANCHORS)), None)
    with snapshot():
        return _check(now or timezone.now(), anchor)


def _check(now: datetime, last_anchor: AnchorFile | None) -> LedgerCheck:
    findings = [_finding(*row) for sql in checking_statements.FAULTS for row in _rows(sql)]
    findings += [LedgerFinding(kind=kind, about=about, detail=detail) for _id, about, kind, detail in entry_faults()]
    late = [_finding(*row) for row in _rows(checking_statements.LATE, {"before": now - LATE})]
    accounts, calls, entries = _rows(checking_statements.COUNTS)[0]
    anchored, missing = _anchored(last_anchor) if last_anchor else (None, [])
    return LedgerCheck(
        accounts=accounts,
        calls=calls,
        entries=entries,
        anchored=anchored,
        anchor=str(last_anchor or ""),
        findings=(*findings, *missing, *(finding.model_copy(update={"warning": True}) for finding in late)),
    )


def _anchored(file: AnchorFile) -> tuple[int, list[LedgerFinding]]:
    """How many accounts an anchor knew, and those that are not there any more."""
    keys = (key for source, key, _number, _text in AnchorReading(file).ends() if source == ACCOUNTS.name)
    findings, anchored = list[LedgerFinding](), 0
    try:
        while block := list(islice(keys, _KEYS_AT_ONCE)):
            anchored += len(block)
            gone = _rows(checking_statements.GONE, {"keys": block})
            findings += [_finding(f"account {key.replace(':', ' ', 1)}", "gone", str(file), "") for (key,) in gone]
    except AnchorFault as fault:
        findings.append(LedgerFinding(kind="anchor", about=str(file), detail=str(fault)))
    return anchored, findings


def _finding(about: str, kind: str, has: Any, should: Any) -> LedgerFinding:
    return LedgerFinding(kind=kind, about=about, detail=_WORDS[kind].format(has=has, should=should))


def _rows(sql: str, values: dict[str, Any] | None = None) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return list(cursor.fetchall())
