"""The consult in the administration."""

from routing.admin.entries import AuditChainAdmin, AuditEntryAdmin
from routing.admin.examples import LabelledExampleAdmin
from routing.admin.packs import PackVersionAdmin
from routing.admin.plans import QueryPlanAdmin

__all__ = ("AuditChainAdmin", "AuditEntryAdmin", "LabelledExampleAdmin", "PackVersionAdmin", "QueryPlanAdmin")
