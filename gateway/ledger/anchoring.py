"""The ledger in the audit's anchors: the end of each account's chain, and the totals of accounts that many share.

Entries of an account are written under the lock of its row, so those up to an id are the same for good.
"""

from typing import Final

from gateway.models import Account
from telemetry.anchors.sources import AnchorSource

_SHARED = f"account.scope IN {tuple(map(str, Account.SHARED))}"
# The account of a key as `chain_key` makes it: scopes have no colon, keys may.
_FIND = """LEFT JOIN gateway_account AS account ON account.scope = split_part(wanted.key, ':', 1)
    AND account.key = substr(wanted.key, position(':' IN wanted.key) + 1)"""
_TOTALS = "concat_ws(' ', count(*), {})".format(
    ", ".join(f"sum(entry.{name})" for name in ("granted", "available", "held", "spent"))
)

ACCOUNTS: Final = AnchorSource(
    name="account",
    ends="SELECT scope || ':' || key, length, head_hash FROM gateway_account",
    then=f"""
        SELECT wanted.key, wanted.number,
               CASE WHEN wanted.number > 0 THEN entry.hash WHEN account.id IS NOT NULL THEN '' END
        FROM wanted {_FIND}
        LEFT JOIN gateway_entry AS entry ON entry.account_id = account.id AND entry.seq = wanted.number""",  # noqa: S608
)
"""How long the chain of each account is, and the hash of its last entry; 0 and nothing for one from before chains."""
TOTALS: Final = AnchorSource(
    name="totals",
    ends=f"""
        SELECT account.scope || ':' || account.key, max(entry.id), {_TOTALS}
        FROM gateway_account AS account JOIN gateway_entry AS entry ON entry.account_id = account.id
        WHERE {_SHARED} GROUP BY account.id""",  # noqa: S608 - names of our own
    then=f"""
        SELECT wanted.key, wanted.number, (
            SELECT {_TOTALS} FROM gateway_entry AS entry
            WHERE entry.account_id = account.id AND entry.id <= wanted.number)
        FROM wanted {_FIND}""",  # noqa: S608
)
"""Of each shared account the id of its last entry; up to it how many there are, and the sums of what they moved."""
