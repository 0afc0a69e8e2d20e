"""Hands that may do what the database refuses everybody else, and what the check says of it."""

import io
from typing import Any

from django.core.management import CommandError, call_command
from django.db import connection

from config.database_roles import OWNER
from routing.audit.canonical import checksum, content_written
from routing.models import AuditEntry
from telemetry.chains.verification import chains_verify
from telemetry.contracts import ChainFault
from tests.hands import as_role, tampering


def tamper(sql: str, *parameters: Any) -> None:
    """Run SQL as somebody would who has lifted the triggers."""
    with tampering(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(sql, parameters)


def checksums_redo(entry: AuditEntry) -> None:
    """Make the checksum of an altered row right again, and the chain after it, as somebody without the key could."""
    rows = list(AuditEntry.objects.filter(chain=entry.chain_id, seq__gte=entry.seq).order_by("seq"))
    previous = rows[0].previous_hash
    for row in rows:
        row.previous_hash = previous
        previous = checksum(content_written(row))
        tamper(
            "UPDATE routing_auditentry SET previous_hash = %s, hash = %s WHERE id = %s",
            row.previous_hash,
            previous,
            row.pk,
        )
    tamper("UPDATE routing_auditchain SET head_hash = %s WHERE key = %s", previous, entry.chain_id)


def faults() -> dict[str, ChainFault]:
    return {check.chain: check.fault for check in chains_verify() if check.fault}


def lines_of(*command: str) -> list[str]:
    """What a command prints, and behind it how it failed, if it did."""
    out = io.StringIO()
    try:
        call_command(*command, stdout=out)
    except CommandError as error:
        return [*out.getvalue().splitlines(), str(error)]
    return out.getvalue().splitlines()


def signed(*arguments: str) -> list[str]:
    """The lines of `audit_sign`, which works as the owner."""
    with as_role(OWNER):
        return lines_of("audit_sign", *arguments)


def verified(*arguments: str) -> list[str]:
    """The lines of `audit_verify`."""
    return lines_of("audit_verify", *arguments)
