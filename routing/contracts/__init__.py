"""The contracts of a consult: a question becomes a plan, then a decision, then an answer. Source: spec/4, 9."""

from routing.contracts.decision import GovernorDecision, Risk, RiskProfile
from routing.contracts.output import (
    NO_EVIDENCE,
    Answer,
    Evidence,
    EvidenceItem,
    OutputMeta,
    PlanView,
    RiskSummary,
    SynthesizerOutput,
    Trace,
)
from routing.contracts.plan import LabPolicy, QueryPlan, validate_query_plan
from routing.contracts.values import (
    DOMAIN_KEYS,
    DOMAINS_AT_MOST,
    RATIONALE_LINES,
    Confidence,
    DomainHint,
    DomainKey,
    Mode,
    lines_of,
)

__all__ = (
    "DOMAINS_AT_MOST",
    "DOMAIN_KEYS",
    "NO_EVIDENCE",
    "RATIONALE_LINES",
    "SCHEMA_VERSIONS",
    "Answer",
    "Confidence",
    "DomainHint",
    "DomainKey",
    "Evidence",
    "EvidenceItem",
    "GovernorDecision",
    "LabPolicy",
    "Mode",
    "OutputMeta",
    "PlanView",
    "QueryPlan",
    "Risk",
    "RiskProfile",
    "RiskSummary",
    "SynthesizerOutput",
    "Trace",
    "lines_of",
    "validate_query_plan",
)

SCHEMA_VERSIONS = {
    "query_plan": "query-plan/1",
    "governor_decision": "governor-decision/1",
    "synthesizer_output": "synthesizer-output/1",
}
