"""The statements that move money. What must not be overspent is decided here, in the statement that takes it."""

LOOK = """
SELECT account.scope, account.id, account."limit" - account.spent - account.held FROM gateway_account AS account
JOIN unnest(%(scopes)s::text[], %(keys)s::text[]) AS wanted (scope, key) USING (scope, key)
"""
OPEN = """
WITH wanted AS (
    SELECT * FROM unnest(%(scopes)s::text[], %(keys)s::text[], %(limits)s::bigint[]) AS w (scope, key, most)
), opened AS (
    INSERT INTO gateway_account (scope, key, "limit", spent, spent_cheap, spent_embed, spent_thinker, held,
                                 thinker_floor, economy_floor, escalations_limit, escalations_used, opened_at)
    SELECT scope, key, most, 0, 0, 0, 0, 0, %(thinker_floor)s, %(economy_floor)s, %(escalations)s, 0, %(now)s
    FROM wanted ORDER BY scope, key
    ON CONFLICT (scope, key) DO NOTHING
    RETURNING id, "limit"
)
INSERT INTO gateway_entry (account_id, kind, granted, available, held, spent, at, reason)
SELECT id, 'open', -"limit", "limit", 0, 0, %(now)s, '' FROM opened
"""
USER_STAYS = "SELECT 1 FROM accounts_user WHERE id = %(user)s FOR KEY SHARE"
"""What the hold's foreign key asks for when it is committed. Asked first, so that who waits for a user that another
transaction changes (a guest who signs in) does not hold accounts that everybody shares."""
HOLD_FROM = """
UPDATE gateway_account SET held = held + %(amount)s, escalations_used = escalations_used + %(escalations)s
WHERE scope = %(scope)s AND key = %(key)s
  AND "limit" - spent - held >= greatest(
      %(amount)s, %(least)s,
      CASE %(tier)s WHEN 'thinker' THEN greatest(thinker_floor, economy_floor)
                    WHEN 'cheap' THEN economy_floor ELSE 0 END)
  AND escalations_used + %(escalations)s <= escalations_limit
RETURNING id
"""
INSERT_HOLD = """
WITH shared AS (
    SELECT id FROM gateway_account WHERE id = ANY(%(shared)s)
    ORDER BY array_position(%(shared)s::bigint[], id) FOR NO KEY UPDATE
), taken AS (
    UPDATE gateway_account AS account SET held = held + %(amount)s FROM shared WHERE account.id = shared.id
    RETURNING account.id
), new AS (
    INSERT INTO gateway_hold (id, state, tier, model, price_id, amount, overrun, outcome, unverified, escalation,
        operation, call, attempt, user_id, agent, chain, course, mode, subject, prompt_digest, prompt_bytes,
        reply_digest, reply_bytes, reserved_at, expires_at)
    VALUES (%(id)s, 'held', %(tier)s, %(model)s, %(price)s, %(amount)s, 0, '', false, %(escalation)s, %(operation)s,
        %(call)s, %(attempt)s, %(user_id)s, %(agent)s, %(chain)s, %(course)s, %(mode)s, %(subject)s, '', 0, '', 0,
        %(now)s, %(expires)s)
    RETURNING id
)
INSERT INTO gateway_entry (account_id, hold_id, kind, granted, available, held, spent, at, reason)
SELECT account, new.id, 'reserve', 0, -%(amount)s, %(amount)s, 0, %(now)s, ''
FROM new, (SELECT unnest(%(own)s::bigint[]) UNION ALL SELECT id FROM taken) AS paying (account)
"""
"""An account that many share is taken from here, last and with the commit: `account_never_overspent` refuses."""
LOCK_ACCOUNTS = """
SELECT account.id, account."limit" - account.spent - account.held FROM gateway_account AS account
JOIN gateway_entry AS entry ON entry.account_id = account.id
WHERE entry.hold_id = %(hold)s AND entry.kind = 'reserve' AND account.scope = ANY(%(scopes)s::text[])
ORDER BY array_position(%(scopes)s::text[], account.scope::text), account.key COLLATE "C"
FOR NO KEY UPDATE OF account
"""
CLOSE = f"""
WITH locked AS ({LOCK_ACCOUNTS}), moved AS (
    UPDATE gateway_account AS account SET
        held = held - %(amount)s, spent = spent + %(cost)s,
        spent_cheap = spent_cheap + %(cheap)s, spent_embed = spent_embed + %(embed)s,
        spent_thinker = spent_thinker + %(thinker)s,
        escalations_used = escalations_used - CASE WHEN scope = 'session' THEN %(given_back)s ELSE 0 END
    FROM locked WHERE account.id = locked.id
    RETURNING account.id, scope, "limit", spent, held, escalations_limit, escalations_used, thinker_floor,
              economy_floor, spent_cheap, spent_embed, spent_thinker
), entries AS (
    INSERT INTO gateway_entry (account_id, hold_id, kind, granted, available, held, spent, at, reason)
    SELECT id, %(hold)s, %(kind)s, 0, %(amount)s - %(cost)s, -%(amount)s, %(cost)s, %(now)s, '' FROM moved
)
SELECT * FROM moved
"""  # noqa: S608 - both texts are ours
