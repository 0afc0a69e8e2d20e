"""Writes of accounts."""

from accounts.services.attempts import attempts_purge
from accounts.services.erasing import learner_erase, managed_learner_erase
from accounts.services.people import (
    account_change,
    account_sign_up,
    demo_accounts_ensure,
    guest_absorb,
    guest_create,
    learner_of,
    person_stays,
)
from accounts.services.second_factor import (
    recovery_codes_renew,
    second_factor_check,
    second_factor_key,
    second_factor_reset,
    second_factor_set_up,
)
from accounts.services.tokens import token_issue, token_revoke, tokens_revoke
