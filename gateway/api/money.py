"""Money for programs: budgets with every entry, unverified charges, and prices."""

from functools import partial
from uuid import UUID

from django.db.models import OuterRef, QuerySet
from django.db.models.expressions import Exists
from django.http import Http404, HttpResponse
from rest_framework.request import Request

from accounts.api.sender import sender_of, staff_asks
from accounts.models import Scope
from core.api.base import ApiView, Page, PageQuery, operation
from core.api.idempotency import idempotent
from gateway.api.contracts import (
    AdjustmentBody,
    AdjustmentMade,
    BudgetItem,
    BudgetsQuery,
    ChargeItem,
    CorrectionBody,
    EntryItem,
    PriceBody,
    PriceItem,
    PricesQuery,
)
from gateway.api.values import EXAMPLES, budget_item, entry_item, price_item
from gateway.contracts import TokenPrices
from gateway.errors import AdjustmentRefused, PriceRefused
from gateway.ledger.owners import accounts_of
from gateway.models import Account, Entry, Hold, Price
from gateway.services import adjust, correct, price_set

TAG = "Money"


class BudgetsView(ApiView):
    """Budgets by page."""

    required_scopes = {"GET": Scope.BUDGETS_READ}

    @operation(
        id="budget_list",
        summary="List budgets",
        tag=TAG,
        response=Page[BudgetItem],
        query=BudgetsQuery,
        example={"items": [EXAMPLES["budget"]], "next": None},
    )
    def get(self, request: Request) -> HttpResponse:
        """The budgets of the sessions that you may see, and of each day of yours and of the learners whom you manage,
        the latest opened first.

        Staff see all of them: also those of single operations, of all guests' day and of an agent's month. From a
        browser they do after their second factor; before it they see what a learner sees.
        """
        query = self.query(BudgetsQuery)
        filters = {"scope": query.scope, "key": query.key}
        rows = _seen(request).filter(**{name: value for name, value in filters.items() if value is not None})
        if query.session is not None:
            rows = rows.filter(scope=Account.Scope.SESSION, key=str(query.session))
        return self.page(query, rows, budget_item, ordering="-id")


class BudgetView(ApiView):
    """One budget."""

    required_scopes = {"GET": Scope.BUDGETS_READ}

    @operation(id="budget_read", summary="Read a budget", tag=TAG, response=BudgetItem, example=EXAMPLES["budget"])
    def get(self, request: Request, budget_id: int) -> HttpResponse:
        """A limit, and what is spent, held and left of it at this moment."""
        return self.answer(budget_item(_account(request, budget_id)))


class EntriesView(ApiView):
    """What moved a budget's money."""

    required_scopes = {"GET": Scope.BUDGETS_READ}

    @operation(
        id="budget_entries",
        summary="List the entries of a budget",
        tag=TAG,
        response=Page[EntryItem],
        query=PageQuery,
        example={"items": [EXAMPLES["entry"]], "next": None},
    )
    def get(self, request: Request, budget_id: int) -> HttpResponse:
        """Every movement of the budget's money, the latest first: opened, reserved for a call, settled, released or
        expired, adjusted by staff, corrected by the provider's bill.
        """
        query = self.query(PageQuery)
        entries = Entry.objects.filter(account=_account(request, budget_id)).select_related("hold", "by")
        return self.page(query, entries, partial(entry_item, to_staff=staff_asks(request)), ordering="-id")


class AdjustmentsView(ApiView):
    """Another limit for a budget."""

    required_scopes = {"POST": Scope.BUDGETS_WRITE}

    @operation(
        id="budget_adjust",
        summary="Change a budget's limit",
        tag=TAG,
        request=AdjustmentBody,
        response=AdjustmentMade,
        status=201,
        problems=(AdjustmentRefused.code,),
        request_example={"limit_microcents": 150_000_000, "reason": "A long lesson, agreed with the school."},
        example=EXAMPLES["adjustment"],
    )
    @idempotent
    def post(self, request: Request, budget_id: int) -> HttpResponse:
        """Give a budget another limit, with the reason, as an entry. Calls that are under way keep what they hold.

        409 when the limit would be below what is spent and held, or is that already.
        """
        body = self.read(AdjustmentBody)
        account = _account(request, budget_id)
        entry = adjust(account_id=account.pk, by=sender_of(request), reason=body.reason, limit=body.limit_microcents)
        account.refresh_from_db()
        made = AdjustmentMade(entry=entry_item(entry, to_staff=True), budget=budget_item(account))
        return self.answer(made, status=201)


class UnverifiedView(ApiView):
    """Charges that could not be verified."""

    required_scopes = {"GET": Scope.BUDGETS_WRITE}

    @operation(
        id="budget_unverified",
        summary="List unverified charges",
        tag=TAG,
        response=Page[ChargeItem],
        query=PageQuery,
        example={"items": [EXAMPLES["charge"]], "next": None},
    )
    def get(self, request: Request) -> HttpResponse:
        """Calls whose answer, or its count of tokens, was lost: the most they could cost was charged. The latest first.

        Look each up in the provider's bill, and correct its charge.
        """
        unverified = Hold.objects.filter(unverified=True)
        return self.page(self.query(PageQuery), unverified, ChargeItem.from_object, ordering="-reserved_at")


class CorrectionView(ApiView):
    """The true cost of a call."""

    required_scopes = {"POST": Scope.BUDGETS_WRITE}

    @operation(
        id="charge_correct",
        summary="Correct an unverified charge",
        tag=TAG,
        request=CorrectionBody,
        response=ChargeItem,
        status=201,
        problems=(AdjustmentRefused.code,),
        request_example={"cost_microcents": 182_000, "reason": "The provider's bill for January, line 12."},
        example=EXAMPLES["correction"],
    )
    @idempotent
    def post(self, request: Request, hold_id: UUID) -> HttpResponse:
        """Put what the provider's bill says in place of the worst case, once, as an entry in every budget that paid.

        The same cost as charged confirms it. 409 when the charge is verified, was corrected before, or a budget cannot
        bear a higher one.
        """
        body = self.read(CorrectionBody)
        try:
            correct(hold_id=hold_id, by=sender_of(request), reason=body.reason, cost=body.cost_microcents)
        except Hold.DoesNotExist:
            raise Http404("There is no such call.") from None
        return self.answer(ChargeItem.from_object(Hold.objects.get(pk=hold_id)), status=201)


class PricesView(ApiView):
    """What models cost."""

    required_scopes = {"GET": Scope.BUDGETS_READ, "POST": Scope.BUDGETS_WRITE}

    @operation(
        id="price_list",
        summary="List prices",
        tag=TAG,
        response=Page[PriceItem],
        query=PricesQuery,
        example={"items": [EXAMPLES["price"]], "next": None},
    )
    def get(self, request: Request) -> HttpResponse:
        """What calls that begin now are charged by, in the order in which it was set; with `all=true` what calls were
        charged by before, too. A model without a price is not asked.
        """
        query = self.query(PricesQuery)
        filters = {"tier": query.tier, "model": query.model}
        prices = Price.objects.filter(**{name: value for name, value in filters.items() if value is not None})
        if query.all == "false":
            newer = Price.objects.filter(
                tier=OuterRef("tier"), model=OuterRef("model"), version__gt=OuterRef("version")
            )
            prices = prices.filter(~Exists(newer))
        make = partial(price_item, to_staff=staff_asks(request))
        return self.page(query, prices.select_related("by"), make, ordering="id")

    @operation(
        id="price_set",
        summary="Set a price",
        tag=TAG,
        request=PriceBody,
        response=PriceItem,
        status=201,
        problems=(PriceRefused.code,),
        request_example=EXAMPLES["price_body"],
        example=EXAMPLES["price_set"],
    )
    @idempotent
    def post(self, request: Request) -> HttpResponse:
        """Store the next version of a price. Calls that are under way keep the price they began with.

        409 when it follows another version than the one there is, or says what that one says.
        """
        body = self.read(PriceBody)
        price = price_set(
            tier=body.tier,
            model=body.model,
            prices=TokenPrices.from_object(body),
            after=body.after,
            reason=body.reason,
            by=sender_of(request),
        )
        return self.answer(price_item(price, to_staff=True), status=201)


def _seen(request: Request) -> QuerySet[Account]:
    return Account.objects.all() if staff_asks(request) else accounts_of(sender_of(request))


def _account(request: Request, budget_id: int) -> Account:
    """404 for one that the sender may not see, whether it exists or not."""
    account = _seen(request).filter(pk=budget_id).first()
    if account is None:
        raise Http404("There is no such budget, or it is not yours.")
    return account
