"""Signals of accounts to the layers above."""

from django.dispatch import Signal

guest_absorbed = Signal()
"""Sent inside the transaction, with `guest` and `account`: move what the guest owns; the guest is deleted next."""

learner_erased = Signal()
"""Sent inside the transaction that erases `user`, with the row's lock: erase what is theirs in your layer."""

tokens_revoked = Signal()
"""Sent inside the transaction that ended `count` tokens of `user` at once; `why` as in `tokens_revoke`."""
