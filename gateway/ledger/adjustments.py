"""What staff change: an account's limit, and an unverified charge. Both are entries with a reason."""

import uuid

from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from gateway.errors import AdjustmentRefused
from gateway.events import CHAIN
from gateway.ledger.accounts import accounts_locked
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
        Account.objects.filter(pk=account.pk).update(limit=limit)
        entry = Entry.objects.create(
            account=account,
            kind=Entry.Kind.ADJUST,
            granted=-more,
            available=more,
            at=timezone.now(),
            by=by,
            reason=reason,
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
        if any(left < more for _account, left in accounts):
            raise AdjustmentRefused(_("An account that would pay has not enough left."))
        column = f"spent_{hold.tier}"
        ids = [account_id for account_id, _left in accounts]
        with connection.cursor() as cursor:
            cursor.execute(
                f"UPDATE gateway_account SET spent = spent + %s, {column} = {column} + %s WHERE id = ANY(%s)",  # noqa: S608 - a tier
                [more, more, ids],
            )
        now = timezone.now()
        Entry.objects.bulk_create(
            Entry(
                account_id=account_id,
                hold=hold,
                kind=Entry.Kind.CORRECT,
                available=-more,
                spent=more,
                at=now,
                by=by,
                reason=reason,
            )
            for account_id in ids
        )
        Hold.objects.filter(pk=hold.pk).update(cost=cost, unverified=False)
        data = {"hold": str(hold.pk), "costMicrocents": cost, "byMicrocents": more, "by": by.pk}
        draft = EventDraft(event=EventName.CHARGE_CORRECTED, data=data)
        events_append(chain=hold.chain, course=hold.course, mode=hold.mode, drafts=[draft])


def _require_reason(reason: str) -> None:
    if not reason.strip():
        raise AdjustmentRefused(_("An adjustment needs a reason."))
