"""Plans of similar tasks, shared within an hour. Sources: RF-007, scenario 5; RT-009; design.md, "Settled", 1."""

from .adjusting import plan_adjusted
from .contracts import Addition, Conflict, Nomination, Relation
from .guard import relation_of
from .nominating import nominate
from .store import circumstances_of, entries_purge, entry_hit, entry_store, evict, quarantine

__all__ = (
    "Addition",
    "Conflict",
    "Nomination",
    "Relation",
    "circumstances_of",
    "entries_purge",
    "entry_hit",
    "entry_store",
    "evict",
    "nominate",
    "plan_adjusted",
    "quarantine",
    "relation_of",
)
