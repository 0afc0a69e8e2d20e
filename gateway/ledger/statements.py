"""The statements that move money. What must not be overspent is decided here, in the statement that takes it."""

LOOK = """
SELECT scope, key, account.id, account."limit" - account.spent - account.held FROM gateway_account AS account
JOIN unnest(%(scopes)s::text[], %(keys)s::text[]) AS wanted (scope, key) USING (scope, key)
"""
OPEN = """
WITH wanted AS (
    SELECT * FROM unnest(%(scopes)s::text[], %(keys)s::text[], %(limits)s::bigint[], %(previous)s::text[],
                         %(hashes)s::text[], %(signatures)s::text[]) AS w (scope, key, most, previous, hash, signature)
), opened AS (
    INSERT INTO gateway_account (scope, key, "limit", spent, spent_cheap, spent_embed, spent_thinker, held,
                                 thinker_floor, economy_floor, escalations_limit, escalations_used, opened_at,
                                 length, head_hash, signature)
    SELECT scope, key, most, 0, 0, 0, 0, 0, %(thinker_floor)s, %(economy_floor)s, %(escalations)s, 0, %(now)s,
           1, hash, signature
    FROM wanted ORDER BY scope, key
    ON CONFLICT (scope, key) DO NOTHING
    RETURNING id, scope, key, "limit"
)
INSERT INTO gateway_entry (account_id, kind, granted, available, held, spent, at, reason, seq, previous_hash, hash)
SELECT id, 'open', -"limit", "limit", 0, 0, %(now)s, '', 1, previous, hash FROM opened JOIN wanted USING (scope, key)
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
RETURNING id, scope, key, length, head_hash, signature
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
), link AS (
    SELECT * FROM unnest(%(accounts)s::bigint[], %(seqs)s::int[], %(previous)s::text[], %(hashes)s::text[],
                         %(signatures)s::text[]) AS l (account, seq, previous, hash, signature)
), head AS (
    UPDATE gateway_account AS account SET length = link.seq, head_hash = link.hash, signature = link.signature
    FROM link WHERE account.id = link.account AND link.seq IS NOT NULL
)
INSERT INTO gateway_entry (account_id, hold_id, kind, granted, available, held, spent, at, reason,
                           seq, previous_hash, hash)
SELECT account, new.id, 'reserve', 0, -%(amount)s, %(amount)s, 0, %(now)s, '', seq, previous, hash
FROM new, (SELECT account, seq, previous, hash FROM link UNION ALL SELECT id, NULL, '', '' FROM taken) AS paying
"""
"""Accounts that many share are taken from here, last and with the commit: `account_never_overspent` refuses. Their
entries get their numbers once they are locked, so that those of an account are in the order of the commits."""
LOCK_ACCOUNTS = """
SELECT account.id, account.scope, account.key, account.length, account.head_hash, account.signature,
       account."limit" - account.spent - account.held
FROM gateway_account AS account
JOIN gateway_entry AS entry ON entry.account_id = account.id
WHERE entry.hold_id = %(hold)s AND entry.kind = 'reserve' AND account.scope = ANY(%(scopes)s::text[])
ORDER BY array_position(%(scopes)s::text[], account.scope::text), account.key COLLATE "C"
FOR NO KEY UPDATE OF account
"""
CLOSE = """
WITH link AS (
    SELECT * FROM unnest(%(accounts)s::bigint[], %(seqs)s::int[], %(previous)s::text[], %(hashes)s::text[],
                         %(signatures)s::text[]) AS l (account, seq, previous, hash, signature)
), moved AS (
    UPDATE gateway_account AS account SET
        held = held - %(amount)s, spent = spent + %(cost)s,
        spent_cheap = spent_cheap + %(cheap)s, spent_embed = spent_embed + %(embed)s,
        spent_thinker = spent_thinker + %(thinker)s,
        escalations_used = escalations_used - CASE WHEN scope = 'session' THEN %(given_back)s ELSE 0 END,
        length = coalesce(link.seq, length), head_hash = CASE WHEN link.seq IS NULL THEN head_hash ELSE link.hash END,
        signature = CASE WHEN link.seq IS NULL THEN account.signature ELSE link.signature END
    FROM link WHERE id = link.account
    RETURNING id, scope, "limit", spent, held, escalations_limit, escalations_used, thinker_floor, economy_floor,
              spent_cheap, spent_embed, spent_thinker, link.seq, link.previous, link.hash
), entries AS (
    INSERT INTO gateway_entry (account_id, hold_id, kind, granted, available, held, spent, at, by_id, reason,
                               seq, previous_hash, hash)
    SELECT id, %(hold)s, %(kind)s, 0, %(amount)s - %(cost)s, -%(amount)s, %(cost)s, %(now)s, %(by)s, %(reason)s,
           seq, previous, hash FROM moved
)
SELECT * FROM moved
"""
CLOSE_SHARED = """
WITH locked AS (
    SELECT account.id FROM gateway_account AS account JOIN gateway_entry AS entry ON entry.account_id = account.id
    WHERE entry.hold_id = %(hold)s AND entry.kind = 'reserve' AND account.scope = ANY(%(scopes)s::text[])
    ORDER BY array_position(%(scopes)s::text[], account.scope::text), account.key COLLATE "C"
    FOR NO KEY UPDATE OF account
), moved AS (
    UPDATE gateway_account AS account SET
        held = held - %(amount)s, spent = spent + %(cost)s,
        spent_cheap = spent_cheap + %(cheap)s, spent_embed = spent_embed + %(embed)s,
        spent_thinker = spent_thinker + %(thinker)s
    FROM locked WHERE account.id = locked.id
    RETURNING account.id
)
INSERT INTO gateway_entry (account_id, hold_id, kind, granted, available, held, spent, at, reason)
SELECT id, %(hold)s, %(kind)s, 0, %(amount)s - %(cost)s, -%(amount)s, %(cost)s, %(now)s, '' FROM moved
"""
