"""Turns held against the events that tell of them, for `audit_verify`: a verdict that people read is in its turn."""

from typing import Final

from telemetry.chains.tables import Witness

# Each turn has an event with its number, in its own transaction; a verdict, also the learner's own, comes one or two
# events later. Reviews and withdrawals change no turn: they are turns and events of their own, and of an answer's
# reviews the last one counts, unless it was taken back. Erasing takes a verdict's details.
_TURNS: Final = """
WITH wanted AS (
    SELECT key::uuid AS id FROM unnest(%(only)s::text[]) AS wanted (key)
    WHERE key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
), turn AS (
    SELECT *, session_id::text AS chain, version::text AS number FROM lesson_engine_turn
    WHERE %(only)s::text[] IS NULL OR session_id = ANY(ARRAY(SELECT id FROM wanted))
), told AS (
    SELECT chain_id, seq, event, data, data ->> 'turn' AS number FROM telemetry_event
    WHERE event IN ('engine.turn.start', 'question.voided', 'verdict.reviewed') AND data ? 'turn'
      AND (%(only)s::text[] IS NULL OR chain_id = ANY(%(only)s::text[]))
), begun AS (
    SELECT told.chain_id, told.seq, told.number, turn.kind, turn.ask_code, turn.result, turn.deviation,
           turn.verdict, (turn.kind = told.data ->> 'kind' AND turn.ask_code = coalesce(told.data ->> 'askCode', ''))
               IS TRUE AS is_same
    FROM told LEFT JOIN turn ON turn.chain = told.chain_id AND turn.number = told.number
    WHERE told.event = 'engine.turn.start'
), reviewed AS (
    SELECT DISTINCT ON (chain_id, answer) chain_id, seq, data, data ->> 'answer' AS answer FROM telemetry_event
    WHERE event = 'verdict.reviewed' AND (%(only)s::text[] IS NULL OR chain_id = ANY(%(only)s::text[]))
    ORDER BY chain_id, answer, seq DESC
), counting AS (
    SELECT * FROM reviewed WHERE NOT data ? 'takenBack'
), review AS (
    SELECT turn.chain, turn.number, review.result, review.graded, review.by_id::text
    FROM lesson_engine_verdictreview AS review JOIN turn ON turn.id = review.turn_id WHERE review.current
)
SELECT turn.chain, turn.version::bigint, 'turn ' || turn.number, NULL::int FROM turn
WHERE turn.state = 'done' AND NOT EXISTS (
    SELECT FROM told WHERE told.chain_id = turn.chain AND told.number = turn.number)
UNION ALL
SELECT chain_id, seq, 'turn ' || number, seq FROM begun WHERE NOT is_same
UNION ALL
SELECT begun.chain_id, judged.seq, 'verdict of turn ' || begun.number, judged.seq
FROM begun JOIN telemetry_event AS judged
  ON judged.chain_id = begun.chain_id AND judged.seq IN (begun.seq + 1, begun.seq + 2)
     AND judged.event = 'evaluation.result'
WHERE begun.is_same AND begun.kind IN ('answer', 'self_assessment') AND (
    begun.result = judged.data ->> 'result' AND begun.verdict ->> 'result' = judged.data ->> 'result'
    AND begun.verdict ->> 'rule' = judged.data ->> 'rule' AND begun.verdict ->> 'grader' = judged.data ->> 'grader'
    AND CASE WHEN jsonb_typeof(begun.verdict -> 'score') = 'number' AND jsonb_typeof(judged.data -> 'score') = 'number'
             THEN abs((begun.verdict ->> 'score')::numeric - (judged.data ->> 'score')::numeric) <= 0.00005 END
    AND begun.deviation = coalesce(judged.data ->> 'deviation', '')
    AND coalesce(begun.verdict -> 'doubtful', 'false') = judged.data -> 'doubtful'
    AND coalesce(begun.verdict ->> 'misconception', '') = coalesce(judged.data ->> 'misconception', '')
    AND coalesce(begun.verdict ->> 'provenance', '') = coalesce(judged.data ->> 'provenance', '')
) IS NOT TRUE
UNION ALL
SELECT coalesce(chain_id, chain), coalesce(number, answer)::bigint, 'review of turn ' || coalesce(number, answer), seq
FROM counting FULL JOIN review ON chain = chain_id AND number = answer
WHERE (result = data ->> 'result' AND graded = data ->> 'graded' AND by_id = data ->> 'by') IS NOT TRUE
"""

TURNS: Final = Witness(table="event", sql=_TURNS)
