"""The columns of a plan's row that are not in its plan, as one hash: of a row being written, and of one read back.

An entry has the hash in its versions, under `ROW`; it has the plan whole, and the columns that repeat it are compared.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from routing.models import QueryPlan
from telemetry.chains.tables import moment_column, moment_text
from telemetry.contracts.hashing import canonical_json, data_normalise, timestamp_text

ROW: Final = "row"
PACK_DIGEST: Final = "pack_digest"
_FORMAT = "andamio.audit/row/1"
_NAMES = (
    "question",
    "corrects",
    "correlation",
    "schema",
    "probability",
    "phase",
    "router",
    "model",
    "created",
    "reading",
    "pack",
)
# What `stored_read` reads of the plan that an entry `e` names; its pack's id and digest come last.
STORED = """
(SELECT json_build_array(
    p.question_id, p.corrects_id, p.correlation_id, p.schema_version, p.probability, p.phase, p.router_version,
    p.model_used, {created}, p.reading, v.name || '@' || v.version, v.id, v.digest)::text
FROM routing_queryplan AS p LEFT JOIN routing_packversion AS v ON v.id = p.pack_id WHERE p.id = e.query_plan_id)
""".format(created=moment_column("p.created_at"))


def pack_digest(content: Any) -> str:
    """SHA-256 in hex of a pack's content: the `Pack.digest` of the pack that has it."""
    return hashlib.sha256(canonical_json(content).encode()).hexdigest()


def row_digest(facts: Mapping[str, Any], pack: str) -> str:
    """SHA-256 in hex of the facts that only the row has, and of the digest of its pack.

    Raises `ValueError` for values that no row can have.
    """
    content = {
        **facts,
        "probability": repr(float(facts["probability"])),
        "reading": data_normalise(facts["reading"], "reading"),
        "pack_digest": pack,
    }
    return hashlib.sha256(canonical_json({"format": _FORMAT, **content}).encode()).hexdigest()


def row_digest_written(plan: QueryPlan) -> str:
    """The digest of a row that was just inserted."""
    values = (
        str(plan.question_id),
        None if plan.corrects_id is None else str(plan.corrects_id),
        str(plan.correlation_id),
        plan.schema_version,
        plan.probability,
        plan.phase,
        plan.router_version,
        plan.model_used,
        timestamp_text(plan.created_at),
        plan.reading,
        str(plan.pack),
    )
    return row_digest(dict(zip(_NAMES, values, strict=True)), plan.pack.digest)


def stored_read(text: str) -> tuple[dict[str, Any], int | None, str | None]:
    """The values of `STORED`: the facts of a row, the id of its pack, and the stored digest. Raises `ValueError` or
    `RecursionError` for values that no row can have.
    """
    *values, pack_id, digest = json.loads(text)
    facts = dict(zip(_NAMES, values, strict=True))
    return {**facts, "created": moment_text(facts["created"])}, pack_id, digest
