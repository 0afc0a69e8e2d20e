"""Whatever is done with the ledger in whatever order: it says what a model of twenty lines says. Simulated time."""

import itertools
import uuid
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import ClassVar

import pytest
from django.db import connection
from django.db.models import Sum
from hypothesis import HealthCheck, Phase, assume
from hypothesis import settings as steps
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from pytest_django import Settings

from accounts.models import User
from gateway.contracts import CallReport, Limits, OperationRun, Outcome, Payer, Tier, TokenPrices, Usage
from gateway.errors import AdjustmentRefused, HoldNotOpen, MetacognitionCostExceeded
from gateway.ledger import Reserved, account_open, adjust, correct, dispatch, expire, release, reserve, settle
from gateway.ledger.pricing import price_of, price_set
from gateway.models import Account, Price
from tests.gateway.ledger_helpers import DEADLINE, MODELS, assert_books_right, cents
from tests.gateway.ledger_model import Call, Key, Model

LIMITS = Limits(cents=20, escalations=2, thinker_floor_cents=4, economy_floor_cents=2)
USER_DAY, GUESTS_DAY, MONTH, CAP = 30, 25, 45, cents(6)  # so close together that each is the short one at times
SHARES = USER_SHARE, INTEGRATOR_SHARE, GUESTS_SHARE = 60, 70, 50  # per cent
USER_MONTH, INTEGRATOR_MONTH, GUESTS_MONTH = (cents(MONTH) * share // 100 for share in SHARES)
FLOORS = {Tier.THINKER: cents(4), Tier.CHEAP: cents(2), Tier.EMBED: 0}
UNSENT, SENT = timedelta(seconds=60), DEADLINE + timedelta(seconds=30)
STEPS = partial(
    steps,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.reuse, Phase.generate, Phase.shrink],
)
amounts = st.one_of(st.integers(0, 9).map(cents), st.integers(0, cents(9)))
beside = st.sampled_from([-1, 0, 1])
"""A micro-cent under, at or over what is just possible."""
tiers = st.sampled_from(Tier)
prices = st.one_of(st.just(500_000), st.integers(0, 3_000_000))


class LedgerMachine(RuleBasedStateMachine):
    """Each example has an agent, sessions and days of its own, so that nothing need be undone between them."""

    users: ClassVar[list[User]]
    staff: ClassVar[User]
    worlds = itertools.count()

    @initialize(first=st.tuples(prices, prices, prices))
    def begin(self, first: tuple[int, ...]) -> None:
        self.world = next(LedgerMachine.worlds)
        if self.world % 20 == 0:
            # Autovacuum sees no row of an open transaction: plans would stay those of empty tables.
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE gateway_account, gateway_entry, gateway_hold")
        self.agent = "agent_" + "".join(chr(ord("a") + int(digit)) for digit in str(self.world))
        self.now = datetime(2001 + self.world, 3, 31, 23, 57, tzinfo=UTC)  # the same calendar, without leap days
        self.model, self.holds = Model(), dict[uuid.UUID, Reserved]()
        for number in range(2):
            account_open(scope="session", key=f"session-{self.world}-{number}", limits=LIMITS)
            self.model.limits["session", f"session-{self.world}-{number}"] = cents(20)
        for tier, price in zip(Tier, first, strict=True):
            self._change_price(tier, price)

    # Few rules, as Hypothesis leaves some out of each example.

    @rule(data=st.data(), goes=st.sampled_from([True, True, False]))
    def call(self, data: st.DataObject, goes: bool) -> None:
        name = self._reserve(data)
        if name is not None and goes:
            self._dispatch(name)

    @rule(data=st.data(), how=st.sampled_from(["counted", "counted", "counted", "lost", "no", "released", "goes"]))
    def close(self, data: st.DataObject, how: str) -> None:
        if not any(call.state == "dispatched" for call in self.model.calls.values()):
            self.call(data=data, goes=True)
        if how == "goes":
            self._dispatch(self._one(data, "held"))
        elif how == "released":
            self._release(self._one(data, "held", "dispatched"))
        else:
            self._settle(self._one(data, "dispatched"), data.draw(st.integers(0, 30_000), label="tokens"), how)

    @rule(data=st.data(), what=st.sampled_from(["time", "time", "time", "limit", "limit", "charge", "charge", "price"]))
    def change(self, data: st.DataObject, what: str) -> None:
        if what == "time":
            self.now += timedelta(seconds=data.draw(st.sampled_from([0, 1, 50, 60, 61, 120, 86_400]), label="seconds"))
            self._expire()
        elif what == "price":
            self._change_price(data.draw(tiers, label="tier"), data.draw(prices, label="price"))
        elif what == "limit":
            self._adjust(data)
        else:
            self._correct(data)

    def _reserve(self, data: st.DataObject) -> uuid.UUID | None:
        """The call, or None when the model says that it is refused."""
        tier, escalation, capped = data.draw(st.tuples(tiers, st.booleans(), st.booleans()), label="tier, more")
        number, who = data.draw(st.integers(0, 1), label="session"), data.draw(st.integers(0, 2), label="user")
        session, user, is_guest = f"session-{self.world}-{number}", self.users[who], who > 0
        payer = Payer(
            chain=session,
            session=session,
            user_id=user.pk,
            is_guest=is_guest,
            managed_by=self.users[2].pk if who < 2 else None,
            agent=self.agent,
        )
        run = OperationRun(operation="create_plan", run=f"plan:{self.world}", cap=CAP if capped else None)
        keys = self._pay(payer, run)
        price = price_of(tier, MODELS[tier])
        each = price.tokens.embedding if tier == Tier.EMBED else price.tokens.input
        most, over_floor = self.model.left(*keys), self.model.left(keys[0]) - FLOORS[Tier.CHEAP]
        just = st.sampled_from([most, over_floor])
        amount = max(0, data.draw(amounts | st.builds(int.__add__, just, beside), label="amount"))
        call = Call(keys, tier, amount, escalation, each, self.now + UNSENT)
        admitted = self.model.admits(call, keys[0], FLOORS[tier], LIMITS.escalations)
        ask = partial(reserve, payer=payer, price=price, run=run, now=self.now)
        if not admitted:
            with pytest.raises(MetacognitionCostExceeded):
                ask(amount=amount, escalation=escalation)
            return None
        hold = ask(amount=amount, escalation=escalation)
        self.model.calls[hold.id], self.holds[hold.id] = call, hold
        return hold.id

    def _pay(self, payer: Payer, run: OperationRun) -> tuple[Key, ...]:
        """The accounts that pay, the session's first; the model learns of those that this call opens."""
        day, month = f"{self.now:%Y-%m-%d}", f"{self.now:%Y-%m}"
        opened = {
            ("user_day", f"{payer.user_id}:{day}"): cents(USER_DAY),
            ("user_month", f"{payer.user_id}:{self.agent}:{month}"): USER_MONTH,
            ("agent_month", f"{self.agent}:{month}"): cents(MONTH),
            **({("guests_day", day): cents(GUESTS_DAY)} if payer.is_guest else {}),
            **({("guests_month", f"{self.agent}:{month}"): GUESTS_MONTH} if payer.is_guest else {}),
            **({("operation", run.run): CAP} if run.cap is not None else {}),
        }
        if payer.managed_by:
            opened["integrator_month", f"{payer.managed_by}:{self.agent}:{month}"] = INTEGRATOR_MONTH
        for account, limit in opened.items():
            self.model.limits.setdefault(account, limit)
        return ("session", payer.session or ""), *opened

    def _dispatch(self, name: uuid.UUID) -> None:
        call = self.model.calls[name]
        go = partial(dispatch, self.holds[name], deadline=DEADLINE, prompt_digest="", prompt_bytes=0, now=self.now)
        if call.state != "held":
            with pytest.raises(HoldNotOpen):
                go()
            return
        go()
        self.model.calls[name] = replace(call, state="dispatched", expires=self.now + SENT)

    def _one(self, data: st.DataObject, *states: str) -> uuid.UUID:
        """A call in one of these states, or any where there is none: then it is refused."""
        assume(self.holds)
        fitting = [name for name, call in self.model.calls.items() if call.state in states]
        return data.draw(st.sampled_from(fitting or list(self.holds)), label="call")

    def _settle(self, name: uuid.UUID, tokens: int, outcome: str) -> None:
        call, usage = self.model.calls[name], Usage(input=tokens) if outcome == "counted" else None
        report = CallReport(outcome=Outcome.REFUSED if outcome == "no" else Outcome.ANSWERED, usage=usage)
        if call.state != "dispatched":
            with pytest.raises(HoldNotOpen):
                settle(name, report, now=self.now)
            return
        real = {"counted": -(-tokens * call.price // 1000), "lost": call.amount, "no": 0}[outcome]
        self.model.close(name, "settled", real, unverified=outcome == "lost")
        settled = settle(name, report, now=self.now)
        assert settled.cost == self.model.calls[name].cost
        assert settled.overrun == real - settled.cost

    def _release(self, name: uuid.UUID) -> None:
        if self.model.calls[name].cost is not None:
            with pytest.raises(HoldNotOpen):
                release(name, now=self.now)
            return
        self.model.close(name, "released", 0)
        release(name, now=self.now)

    def _expire(self) -> None:
        due = {name: c for name, c in self.model.calls.items() if c.cost is None and c.expires < self.now}
        for name, call in due.items():
            sent = call.state == "dispatched"
            self.model.close(name, "settled" if sent else "expired", call.amount if sent else 0, unverified=sent)
        assert expire(now=self.now) == len(due)

    def _change_price(self, tier: Tier, price: int) -> None:
        newest = Price.objects.filter(tier=tier).order_by("-version")[0]
        figures = TokenPrices(input=price, cached=0, output=newest.version, reasoning=0, embedding=price)
        change = partial(price_set, tier=tier, model=MODELS[tier], reason="a test", by=self.staff)
        change(prices=figures, after=newest.version)

    def _adjust(self, data: st.DataObject) -> None:
        there = Account.objects.filter(key__in={key for _scope, key in self.model.limits}).order_by("pk")
        row = data.draw(st.sampled_from(list(there)), label="account")
        key = (row.scope, row.key)
        least = self.model.limits[key] - self.model.left(key)
        limit = max(0, data.draw(st.integers(0, 80).map(cents) | beside.map(lambda more: least + more), label="limit"))
        change = partial(adjust, account_id=row.pk, by=self.staff, reason="a test", limit=limit)
        if limit == self.model.limits[key] or limit < least:
            with pytest.raises(AdjustmentRefused):
                change()
            return
        change()
        self.model.limits[key] = limit

    def _correct(self, data: st.DataObject) -> None:
        assume(self.holds)
        unverified = [name for name, call in self.model.calls.items() if call.unverified]
        name = data.draw(st.sampled_from(unverified or list(self.holds)), label="call")
        call = self.model.calls[name]
        most = (call.cost or 0) + self.model.left(*call.keys)
        cost = max(0, data.draw(amounts | beside.map(lambda more: most + more), label="cost"))
        change = partial(correct, hold_id=name, by=self.staff, reason="a test", cost=cost)
        if not call.unverified or cost > most:
            with pytest.raises(AdjustmentRefused):
                change()
            return
        change()
        self.model.calls[name] = replace(call, cost=cost, unverified=False)

    @invariant()
    def the_ledger_says_what_the_model_says(self) -> None:
        names = ("granted", "available", "held", "spent")
        sums = {f"entries_{name}": Sum(f"entries__{name}") for name in names}
        for row in Account.objects.filter(key__in={key for _scope, key in self.model.limits}).annotate(**sums):
            key = (row.scope, row.key)
            limit, spent, held = self.model.limits[key], self.model.spent(key), self.model.held(key)
            assert (row.limit, row.spent, row.held) == (limit, spent, held)
            assert spent + held <= limit
            entries = [getattr(row, f"entries_{name}") for name in names]
            assert entries == [-limit, limit - spent - held, held, spent]
            used = self.model.escalations(key) if row.scope == "session" else 0
            assert row.escalations_used == used <= LIMITS.escalations

    def teardown(self) -> None:
        if hasattr(self, "world"):
            self.now += timedelta(days=1)
            self._expire()
            self.the_ledger_says_what_the_model_says()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("examples", "length"), [(8, 25), pytest.param(100, 60, marks=pytest.mark.hard)], ids=["few", "many"]
)
def test_the_ledger_is_its_model(
    learner: User, stranger: User, staff: User, settings: Settings, examples: int, length: int
) -> None:
    settings.USER_DAY_BUDGET_CENTS, settings.GUESTS_DAY_BUDGET_CENTS = USER_DAY, GUESTS_DAY
    settings.AGENT_MONTH_BUDGET_CENTS = MONTH
    settings.USER_MONTH_SHARE, settings.INTEGRATOR_MONTH_SHARE, settings.GUESTS_MONTH_SHARE = SHARES
    LedgerMachine.users, LedgerMachine.staff = [learner, stranger, staff], staff
    run_state_machine_as_test(LedgerMachine, settings=STEPS(max_examples=examples, stateful_step_count=length))
    assert_books_right(open_holds=0)
