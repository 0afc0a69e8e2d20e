"""What must have an audit entry and has none, in SQL: see `telemetry.chained.ChainedTable`.

Whatever was asked, understood, decided and said is committed with an entry or not at all. So what has none shows that
the end of a chain was cut off with its head, that all of it was, or that a row was put in past the triggers.
"""

from typing import Final

# The chain is that of whoever had the question when it came about: a guest who signed in is told of by `query.moved`.
# An event's time is cut to the millisecond. Of several what others follow from comes first.
UNTOLD: Final = """
WITH moved AS (
    SELECT DISTINCT ON (m.chain_id) m.chain_id, m.data ->> 'from' AS giver, m.timestamp + interval '1 ms' AS until
    FROM telemetry_event AS m WHERE m.event = 'query.moved' ORDER BY m.chain_id, m.seq
), wanted AS (
    SELECT substr(key, length('consult:') + 1) AS who FROM unnest(%(only)s::text[]) AS wanted (key)
    WHERE key ~ '^consult:[0-9]{1,18}$'
), asked AS (
    SELECT q.id, q.created_at, q.user_id::text AS owner, moved.giver, moved.until
    FROM routing_question AS q LEFT JOIN moved ON moved.chain_id = 'query:' || q.id
    WHERE %(only)s::text[] IS NULL OR q.user_id = ANY(ARRAY(SELECT who::bigint FROM wanted))
        OR q.id = ANY(ARRAY(
            SELECT CASE WHEN chain_id ~ '^query:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
                THEN substr(chain_id, length('query:') + 1)::uuid END
            FROM moved JOIN wanted ON wanted.who = moved.giver))
), planned AS (
    SELECT p.id, p.created_at, asked.owner, asked.giver, asked.until
    FROM asked JOIN routing_queryplan AS p ON p.question_id = asked.id
), decided AS (
    SELECT d.id, d.created_at, planned.owner, planned.giver, planned.until
    FROM planned JOIN routing_governordecision AS d ON d.query_plan_id = planned.id
), untold AS (
    SELECT 1 AS place, 'query plan ' || id AS what, created_at, owner, giver, until FROM planned
    WHERE NOT EXISTS (SELECT FROM routing_auditentry AS e WHERE e.query_plan_id = planned.id)
    UNION ALL
    SELECT 2, 'question ' || id, created_at, owner, giver, until FROM asked
    WHERE NOT EXISTS (SELECT FROM routing_auditentry AS e WHERE e.question_id = asked.id)
    UNION ALL
    SELECT 3, 'decision ' || id, created_at, owner, giver, until FROM decided
    WHERE NOT EXISTS (SELECT FROM routing_auditentry AS e WHERE e.governor_decision_id = decided.id)
    UNION ALL
    SELECT 4, 'output ' || o.id, o.created_at, owner, giver, until
    FROM decided JOIN routing_synthesizeroutput AS o ON o.decision_id = decided.id
    WHERE NOT EXISTS (SELECT FROM routing_auditentry AS e WHERE e.synthesizer_output_id = o.id)
), named AS (
    SELECT 'consult:' || CASE WHEN created_at < until THEN COALESCE(giver, owner) ELSE owner END AS key, place, what
    FROM untold
)
SELECT key, place, what FROM named WHERE %(only)s::text[] IS NULL OR key = ANY(%(only)s::text[])
"""
