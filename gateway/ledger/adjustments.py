"""What staff change: an account's limit, and an unverified charge. Both are entries with a reason."""

import uuid

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from gateway.errors import AdjustmentRefused
from gateway.events import CHAIN
from gateway.ledger.accounts import accounts_locked, money_move
from gateway.ledger.chaining import AccountEnd, Movement, link_next
from gateway.models import Account, Entry, Hold
from telemetry.contracts import EventDraft, EventName
from telemetry.services import events_append


def adjust(*, account_id: int, by: User, reason: str, limit: int) -> Entry:
    """Give an account another limit, in micro-cents, with the reason. Raises `AdjustmentRefused`."""
    _require_reason(reason)
    with transaction.atomic():
        account = Account.objects.select_for_update(no_key=True).get(pk=account_id)
        if limit < account.spent + account.held:
            raise AdjustmentRefused(_("The limit cannot be below what is spent and held."))
        more = limit - account.limit
        if more == 0:
            raise AdjustmentRefused(_("This is the account's limit already."))
        now = timezone.now()
        end = AccountEnd(account.pk, account.scope, account.key, account.length, account.head_hash, account.signature)
        link = link_next(end, Movement.of_limit(Entry.Kind.ADJUST, more, now, by.pk, reason))
        head = {"length": link.seq, "head_hash": link.hash, "signature": link.signature}
        Account.objects.filter(pk=account.pk).update(limit=limit, **head)
        entry = Entry.objects.create(
            account=account,
            kind=Entry.Kind.ADJUST,
            granted=-more,
            available=more,
            at=now,
            by=by,
            reason=reason,
            seq=link.seq,
            previous_hash=link.previous,
            hash=link.hash,
        )
        data = {"scope": account.scope, "limitMicrocents": limit, "byMicrocents": more, "by": by.pk}
        chain = account.key if account.scope == Account.Scope.SESSION else CHAIN
        draft = EventDraft(event=EventName.BUDGET_ADJUSTED, data=data)
        events_append(chain=chain, course="", mode="", drafts=[draft])
    return entry


def correct(*, hold_id: uuid.UUID, by: User, reason: str, cost: int) -> None:
    """Put the cost that the provider's bill says, in micro-cents, in place of an unverified charge, in all accounts.

    Raises `AdjustmentRefused` when the charge is not unverified (any more), or an account cannot bear a higher one.
    """
    _require_reason(reason)
    with transaction.atomic():
        hold = Hold.objects.select_for_update(no_key=True).get(pk=hold_id)
        if hold.state != Hold.State.SETTLED or not hold.unverified or hold.cost is None or cost < 0:
            raise AdjustmentRefused(_("Only a charge that is unverified can be corrected, to a cost from zero on."))
        more = cost - hold.cost
        accounts = accounts_locked(hold.pk, Account.Scope.values)
        if any(left < more for _end, left in accounts):
            raise AdjustmentRefused(_("An account that would pay has not enough left."))
        now = timezone.now()
        money_move(hold, accounts, Entry.Kind.CORRECT, more, now, amount=0, by=by.pk, reason=reason)
        Hold.objects.filter(pk=hold.pk).update(cost=cost, unverified=False)
        data = {"hold": str(hold.pk), "costMicrocents": cost, "byMicrocents": more, "by": by.pk}
        draft = EventDraft(event=EventName.CHARGE_CORRECTED, data=data)
        events_append(chain=hold.chain, course=hold.course, mode=hold.mode, drafts=[draft])


def _require_reason(reason: str) -> None:
    if not reason.strip():
        raise AdjustmentRefused(_("An adjustment needs a reason."))
