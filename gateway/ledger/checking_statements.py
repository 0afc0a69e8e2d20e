"""Statements of the check. Each row is a finding: what it is about, its kind, what is there and what should be."""

ENTRIES = """
SELECT 'entry ' || entry.id || ' of account ' || account.scope || ' ' || account.key, 'sum',
       entry.granted::numeric + entry.available + entry.held + entry.spent, 0
FROM gateway_entry AS entry JOIN gateway_account AS account ON account.id = entry.account_id
WHERE entry.granted::numeric + entry.available + entry.held + entry.spent <> 0
ORDER BY entry.id
"""
ACCOUNTS = """
WITH moved AS (
    SELECT account_id, -sum(granted) AS granted, sum(held) AS held, sum(spent) AS spent
    FROM gateway_entry GROUP BY account_id
), called AS (
    SELECT entry.account_id,
           sum(hold.amount) FILTER (WHERE hold.state IN ('held', 'dispatched')) AS held,
           sum(hold.cost) FILTER (WHERE hold.state = 'settled' AND hold.tier = 'cheap') AS cheap,
           sum(hold.cost) FILTER (WHERE hold.state = 'settled' AND hold.tier = 'embed') AS embed,
           sum(hold.cost) FILTER (WHERE hold.state = 'settled' AND hold.tier = 'thinker') AS thinker,
           count(*) FILTER (WHERE hold.escalation AND hold.state NOT IN ('released', 'expired')) AS escalations
    FROM gateway_entry AS entry JOIN gateway_hold AS hold ON hold.id = entry.hold_id
    WHERE entry.kind = 'reserve' GROUP BY entry.account_id
)
SELECT 'account ' || account.scope || ' ' || account.key, figure.kind, figure.has, figure.should
FROM gateway_account AS account
LEFT JOIN moved ON moved.account_id = account.id
LEFT JOIN called ON called.account_id = account.id
CROSS JOIN LATERAL (VALUES
    ('limit', account."limit"::numeric, coalesce(moved.granted, 0)),
    ('held_entries', account.held, coalesce(moved.held, 0)),
    ('held_calls', account.held, coalesce(called.held, 0)),
    ('spent_entries', account.spent, coalesce(moved.spent, 0)),
    ('spent_tiers', account.spent, account.spent_cheap::numeric + account.spent_embed + account.spent_thinker),
    ('cheap', account.spent_cheap, coalesce(called.cheap, 0)),
    ('embed', account.spent_embed, coalesce(called.embed, 0)),
    ('thinker', account.spent_thinker, coalesce(called.thinker, 0)),
    ('escalations', account.escalations_used,
     CASE WHEN account.scope = 'session' THEN coalesce(called.escalations, 0) ELSE 0 END)
) AS figure (kind, has, should)
WHERE figure.has <> figure.should
ORDER BY account.id, figure.kind
"""
LIMITS = """
SELECT 'account ' || scope || ' ' || key, figure.kind, figure.has, figure.should
FROM gateway_account
CROSS JOIN LATERAL (VALUES
    ('overspent', spent::numeric + held, "limit"::numeric, spent::numeric + held > "limit"),
    ('below_zero', least("limit", held, spent, spent_cheap, spent_embed, spent_thinker), 0,
     least("limit", held, spent, spent_cheap, spent_embed, spent_thinker) < 0),
    ('escalations_limit', escalations_used, escalations_limit, escalations_used > escalations_limit)
) AS figure (kind, has, should, is_wrong)
WHERE figure.is_wrong
ORDER BY id, figure.kind
"""
# One row for each call and account that pays it; for a call that nobody pays one without an account.
CALLS = """
WITH paid AS (
    SELECT hold_id, account_id,
           coalesce(sum(held) FILTER (WHERE kind = 'reserve'), 0) AS reserved,
           sum(held) AS held,
           sum(spent) AS spent,
           count(*) FILTER (WHERE kind = 'settle') AS settled,
           count(*) FILTER (WHERE kind = 'release') AS released,
           count(*) FILTER (WHERE kind = 'expire') AS expired,
           count(*) FILTER (WHERE kind = 'correct') AS corrected
    FROM gateway_entry WHERE hold_id IS NOT NULL GROUP BY hold_id, account_id
), compared AS (
    SELECT hold.id, hold.state, hold.amount, coalesce(hold.cost, 0) AS cost, paid.*,
           CASE WHEN hold.state IN ('held', 'dispatched') THEN hold.amount ELSE 0 END AS open,
           max(paid.corrected) OVER (PARTITION BY hold.id) AS corrections
    FROM gateway_hold AS hold LEFT JOIN paid ON paid.hold_id = hold.id
), wrong AS (
    SELECT * FROM compared
    WHERE account_id IS NULL OR reserved <> amount OR held <> open OR spent <> cost OR corrected <> corrections
       OR settled <> CASE state WHEN 'settled' THEN 1 ELSE 0 END
       OR released <> CASE state WHEN 'released' THEN 1 ELSE 0 END
       OR expired <> CASE state WHEN 'expired' THEN 1 ELSE 0 END
)
SELECT 'call ' || wrong.id || coalesce(' in account ' || account.scope || ' ' || account.key, ''),
       figure.kind, figure.has, figure.should
FROM wrong
LEFT JOIN gateway_account AS account ON account.id = wrong.account_id
CROSS JOIN LATERAL (VALUES
    ('nobody_pays', CASE WHEN account_id IS NULL THEN '0' ELSE '1' END, '1'),
    ('reserved', reserved::text, amount::text),
    ('still_held', wrong.held::text, open::text),
    ('charged', wrong.spent::text, cost::text),
    ('corrected', corrected::text, corrections::text),
    ('closed',
     CASE WHEN account_id IS NOT NULL THEN coalesce(nullif(concat_ws(' and ',
         CASE WHEN settled > 0 THEN 'settle' END,
         CASE WHEN released > 0 THEN 'release' END,
         CASE WHEN expired > 0 THEN 'expire' END), ''), 'nothing') END,
     CASE state WHEN 'settled' THEN 'settle' WHEN 'released' THEN 'release' WHEN 'expired' THEN 'expire'
                ELSE 'nothing' END)
) AS figure (kind, has, should)
WHERE figure.has <> figure.should
ORDER BY wrong.id, wrong.account_id, figure.kind
"""
FAULTS = (ENTRIES, ACCOUNTS, LIMITS, CALLS)
LATE = """
SELECT 'call ' || id, 'late', to_char(reserved_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
       to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
FROM gateway_hold WHERE state IN ('held', 'dispatched') AND expires_at < %(before)s
ORDER BY expires_at
"""
GONE = """
SELECT wanted.key FROM unnest(%(keys)s::text[]) AS wanted (key)
WHERE NOT EXISTS (SELECT FROM gateway_account AS account
                  WHERE account.scope = split_part(wanted.key, ':', 1)
                    AND account.key = substr(wanted.key, position(':' IN wanted.key) + 1))
ORDER BY wanted.key
"""
COUNTS = """
SELECT (SELECT count(*) FROM gateway_account), (SELECT count(*) FROM gateway_hold),
       (SELECT count(*) FROM gateway_entry)
"""
