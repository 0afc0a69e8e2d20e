"""The ledger: money is set aside before a call and leaves the hold once. Source: design.md, "Money".

Each function is a transaction of its own. Holds are locked before accounts, accounts in the order of `Account.Scope`,
chains of events last.
"""

from .accounts import account_open
from .adjustments import adjust, correct
from .checking import LedgerCheck, LedgerFinding, ledger_check
from .holds import Dispatched, Reserved, dispatch, expire, release, reserve, settle
