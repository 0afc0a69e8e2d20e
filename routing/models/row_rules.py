"""Triggers that refuse a row of the consult which differs from its contract, in SQL.

Contracts refuse it first; these are for writes that bypass them. `IS DISTINCT FROM` since a NULL must not pass.
"""

from typing import Final

PLAN_AGREES: Final = r"""
    IF jsonb_typeof(NEW.plan) <> 'object'
        OR (SELECT array_agg(key ORDER BY key COLLATE "C") FROM jsonb_object_keys(NEW.plan) AS key)
            IS DISTINCT FROM ARRAY[
                'agents_selected', 'confidence', 'domain_hint', 'domains_selected', 'flags', 'lab_policy', 'mode',
                'needs_evidence', 'needs_skills', 'rationale', 'timestamp']
        OR NEW.plan -> 'mode' IS DISTINCT FROM to_jsonb(NEW.mode)
        OR NEW.plan -> 'confidence' IS DISTINCT FROM to_jsonb(NEW.confidence)
        OR NEW.plan -> 'domain_hint' IS DISTINCT FROM to_jsonb(NEW.domain_hint)
        OR NEW.domain_hint NOT IN ('auto', 'market', 'brand', 'tax', 'transition', 'system', 'growth', 'lab')
        OR NEW.plan -> 'domains_selected' IS DISTINCT FROM to_jsonb(NEW.domains)
        OR NEW.plan -> 'flags' IS DISTINCT FROM to_jsonb(NEW.flags)
        OR array_ndims(NEW.domains) IS DISTINCT FROM 1 OR array_lower(NEW.domains, 1) IS DISTINCT FROM 1
        OR (SELECT count(DISTINCT domain) FROM unnest(NEW.domains) AS domain) <> cardinality(NEW.domains)
        OR (CASE jsonb_typeof(NEW.plan -> 'agents_selected')
            WHEN 'array' THEN jsonb_array_length(NEW.plan -> 'agents_selected') > 3 ELSE true END)
        OR jsonb_path_exists(NEW.plan, '$.agents_selected[*] ? (@.type() != "string")')
        OR EXISTS (SELECT FROM unnest(NEW.flags) AS flag WHERE (flag ~ '^[a-z0-9]+(-[a-z0-9]+)*$') IS NOT TRUE)
        OR (SELECT count(DISTINCT flag) FROM unnest(NEW.flags) AS flag) <> cardinality(NEW.flags)
        OR jsonb_typeof(NEW.plan -> 'needs_evidence') <> 'boolean'
        OR jsonb_typeof(NEW.plan -> 'needs_skills') <> 'boolean'
        OR jsonb_typeof(NEW.plan -> 'rationale') <> 'string' OR NEW.plan ->> 'rationale' !~ '\S'
        OR COALESCE(NEW.plan #>> '{lab_policy,status}', '') NOT IN ('denied', 'conditional', 'approved')
        OR NEW.plan #> '{lab_policy,allow_lab}'
            IS DISTINCT FROM to_jsonb(NEW.plan #>> '{lab_policy,status}' <> 'denied')
        OR ('lab' = ANY (NEW.domains) AND NEW.plan #>> '{lab_policy,status}' <> 'approved')
        OR jsonb_typeof(NEW.plan -> 'timestamp') <> 'string'
        OR NEW.plan ->> 'timestamp' !~ '^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*(Z|[+-]\d{2}:\d{2})$' THEN
        RAISE EXCEPTION 'query plan %: its columns are not those of its plan', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.corrects_id IS NOT NULL
        AND NEW.question_id IS DISTINCT FROM (SELECT question_id FROM routing_queryplan WHERE id = NEW.corrects_id) THEN
        RAISE EXCEPTION 'query plan %: corrects a plan of another question', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
"""
"""Before a plan is inserted: it is whole, its columns say what it says, and a correction is of the same question."""

DECISION_FITS: Final = r"""
    IF (SELECT array_agg(key ORDER BY key COLLATE "C") FROM jsonb_object_keys(NEW.decision) AS key)
            IS DISTINCT FROM ARRAY[
                'confidence', 'diagnosis', 'domains_used', 'dont_do', 'flags', 'next_steps', 'recommendation', 'risks',
                'strategic_mode_version', 'timestamp']
        OR (SELECT plan -> 'domains_selected' FROM routing_queryplan WHERE id = NEW.query_plan_id)
            IS DISTINCT FROM NEW.decision -> 'domains_used'
        OR NEW.decision -> 'recommendation' IS DISTINCT FROM to_jsonb(NEW.recommendation)
        OR NEW.decision -> 'confidence' IS DISTINCT FROM to_jsonb(NEW.confidence)
        OR NEW.decision -> 'flags' IS DISTINCT FROM to_jsonb(NEW.flags)
        OR NEW.decision -> 'strategic_mode_version' IS DISTINCT FROM to_jsonb(NEW.strategic_mode_version) THEN
        RAISE EXCEPTION 'decision %: it is not that of its plan and columns', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
"""
"""Before a decision is inserted: it is whole, and on that plan."""

OUTPUT_FITS: Final = r"""
    IF (SELECT array_agg(key ORDER BY key COLLATE "C") FROM jsonb_object_keys(NEW.output) AS key)
            IS DISTINCT FROM ARRAY['answer', 'evidence', 'meta', 'query_plan', 'trace']
        OR NOT EXISTS (
            SELECT FROM routing_governordecision AS source WHERE source.id = NEW.decision_id
            AND NEW.output #> '{meta,recommendation}' = source.decision -> 'recommendation'
            AND NEW.output #> '{query_plan,domains_selected}' = source.decision -> 'domains_used'
            AND NEW.output #> '{meta,risk_summary}' = jsonb_build_object(
                'labor', source.decision #> '{risks,labor,level}', 'tax', source.decision #> '{risks,tax,level}',
                'brand', source.decision #> '{risks,brand,level}',
                'focus', source.decision #> '{risks,focus,level}')) THEN
        RAISE EXCEPTION 'output %: it says something else than its decision', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
"""
"""Before an output is inserted: it says what that decision says."""

ENTRY_FITS: Final = r"""
    IF NEW.plan_snapshot IS DISTINCT FROM (
            SELECT plan FROM routing_queryplan WHERE id = NEW.query_plan_id AND question_id = NEW.question_id)
        OR NEW.decision_snapshot IS DISTINCT FROM (
            SELECT decision FROM routing_governordecision
            WHERE id = NEW.governor_decision_id AND query_plan_id = NEW.query_plan_id)
        OR NEW.output_snapshot IS DISTINCT FROM (
            SELECT output FROM routing_synthesizeroutput
            WHERE id = NEW.synthesizer_output_id AND decision_id = NEW.governor_decision_id)
        OR NEW.message_digest IS DISTINCT FROM (SELECT digest FROM routing_question WHERE id = NEW.question_id)
        OR (NEW.governor_decision_id IS NULL) <> (NEW.decision_snapshot IS NULL)
        OR (NEW.synthesizer_output_id IS NULL) <> (NEW.output_snapshot IS NULL)
        OR (NEW.query_plan_id IS NULL) <> (NEW.plan_snapshot IS NULL) THEN
        RAISE EXCEPTION 'audit entry %: its snapshots are not its rows', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
"""
"""Before an audit entry is inserted: its snapshots are of its rows, and its digest is the question's."""

ONLY_ERASED: Final = r"""
    IF NEW.digest <> OLD.digest OR NEW.created_at <> OLD.created_at
        OR (NEW.message IS DISTINCT FROM OLD.message AND NEW.message IS NOT NULL)
        OR (NEW.salt IS DISTINCT FROM OLD.salt AND NEW.salt IS NOT NULL)
        OR (OLD.erased_at IS NOT NULL AND NEW.erased_at IS DISTINCT FROM OLD.erased_at) THEN
        RAISE EXCEPTION 'question %: it can only be erased', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
"""
"""Before a question is changed: its words may go, and it may change hands, nothing else."""


def _audited(column: str, what: str) -> str:
    return f"""
    IF NOT EXISTS (SELECT FROM routing_auditentry WHERE {column} = NEW.id) THEN
        RAISE EXCEPTION '{what} %: no audit entry has it', NEW.id USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
"""


QUESTION_AUDITED: Final = _audited("question_id", "question")
PLAN_AUDITED: Final = _audited("query_plan_id", "query plan")
DECISION_AUDITED: Final = _audited("governor_decision_id", "decision")
OUTPUT_AUDITED: Final = _audited("synthesizer_output_id", "output")
"""At commit: whatever was asked, understood, decided and said is on record. Source: related-facts, "Audit log v1"."""
