"""The consult in the administration."""

from routing.admin_entries import AuditChainAdmin, AuditEntryAdmin
from routing.admin_examples import LabelledExampleAdmin
from routing.admin_packs import PackVersionAdmin
from routing.admin_plans import QueryPlanAdmin

__all__ = ("AuditChainAdmin", "AuditEntryAdmin", "LabelledExampleAdmin", "PackVersionAdmin", "QueryPlanAdmin")
