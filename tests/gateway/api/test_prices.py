"""Prices for programs: what models cost now and did before, and how staff change it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import pytest

from accounts.models import Scope, User
from gateway.contracts import Tier, TokenPrices
from gateway.ledger.pricing import price_of, price_set
from gateway.models import Price
from telemetry.models import Event
from tests.api.sessions import Answer, Json, Program
from tests.lesson_engine.services.threads import at_once

Queries = Callable[[int], AbstractContextManager[Any]]
PRICES = "prices/"
WHO = 2
"""1. the token with its user; 2. how often they asked this minute"""
PARTS = {"input": 400_000, "cached": 100_000, "output": 1_600_000, "reasoning": 1_600_001, "embedding": 0}


@pytest.fixture
def office(staff: User) -> Program:
    """The staff's program; its token has been used this minute."""
    program = Program(staff, scopes=(Scope.BUDGETS_READ, Scope.BUDGETS_WRITE))
    program.get(PRICES)
    return program


def listed(program: Program, query: str = "") -> list[Json]:
    """All prices in their order, by pages of two."""
    found, address = [], f"{PRICES}?limit=2&{query}"
    while address:
        page = program.get(address)
        assert page.status == 200, page.text
        found += page.json["items"]
        address = page.json["next"]
    return found


def versions(program: Program, query: str = "") -> list[tuple[str, str, int]]:
    return [(price["tier"], price["model"], price["version"]) for price in listed(program, query)]


def body(**changes: Any) -> Json:
    return {**PARTS, "tier": "cheap", "model": "llama3:8b", "after": 0, "reason": "Our own machine.", **changes}


def refusal(answer: Answer) -> tuple[int, str]:
    return answer.status, answer.json["code"]


def test_the_documented_prices_are_there_from_the_beginning(office: Program) -> None:
    """spec/3 "Tiers de Modelos": US$ 0.005, 0.001 and 0.025 for 1,000 tokens."""
    told = {price["tier"]: price for price in listed(office)}
    assert {tier: price["model"] for tier, price in told.items()} == {
        "cheap": "gpt-4o-mini",
        "embed": "text-embedding-3-small",
        "thinker": "o3-mini",
    }
    assert {price["input"] for price in (told["cheap"], told["thinker"])} == {500_000, 2_500_000}
    assert told["embed"]["embedding"] == 100_000
    assert {price["version"] for price in told.values()} == {1}
    assert {price["by"] for price in told.values()} == {None}


def test_a_price_is_set_and_calls_go_by_it_from_then_on(office: Program, staff: User) -> None:
    answer = office.post(PRICES, body())
    assert answer.status == 201, answer.text
    assert {name: answer.json[name] for name in PARTS} == PARTS
    assert (answer.json["version"], answer.json["by"], answer.json["reason"]) == (
        1,
        staff.username,
        "Our own machine.",
    )
    assert price_of(Tier.CHEAP, "llama3:8b").tokens == TokenPrices(**PARTS)
    event = Event.objects.get(event="price.set")
    assert (event.data["model"], event.data["by"], event.data["output"]) == ("llama3:8b", staff.pk, 1_600_000)


def test_a_change_is_a_new_version_and_the_old_one_stays(office: Program) -> None:
    assert office.post(PRICES, body(model="gpt-4o-mini", after=1)).json["version"] == 2
    assert versions(office, "tier=cheap") == [("cheap", "gpt-4o-mini", 2)]
    assert versions(office, "tier=cheap&all=true") == [("cheap", "gpt-4o-mini", 1), ("cheap", "gpt-4o-mini", 2)]
    assert len(versions(office)) == 3
    assert versions(office, "model=o3-mini") == [("thinker", "o3-mini", 1)]
    assert versions(office, "model=o3-mini&tier=cheap") == []


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"model": "gpt-4o-mini", "after": 0}, "has another version meanwhile"),
        ({"model": "gpt-4o-mini", "after": 2}, "has another version meanwhile"),
        ({"after": 1}, "has another version meanwhile"),
        (
            {"model": "gpt-4o-mini", "after": 1, **dict.fromkeys(("input", "cached", "output", "reasoning"), 500_000)},
            "already",
        ),
    ],
)
def test_a_price_that_follows_nothing_or_changes_nothing_is_refused(office: Program, changes: Json, why: str) -> None:
    answer = office.post(PRICES, body(**changes))
    assert refusal(answer) == (409, "price-refused")
    assert why in answer.json["detail"]
    assert Price.objects.count() == 3


def test_a_price_that_comes_twice_is_set_once(office: Program) -> None:
    first, second = (office.post(PRICES, body(), idempotency_key="mine") for _ in range(2))
    assert (first.status, second.status, first.json) == (201, 201, second.json)
    assert Price.objects.filter(model="llama3:8b").count() == 1


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"tier": "genius"}, "/tier"),
        ({"model": ""}, "/model"),
        ({"model": " llama"}, "/model"),
        ({"model": "lla\nma"}, "/model"),
        ({"model": "x" * 121}, "/model"),
        ({"input": -1}, "/input"),
        ({"cached": 0.5}, "/cached"),
        ({"output": "5"}, "/output"),
        ({"reasoning": None}, "/reasoning"),
        ({"embedding": 10**12 + 1}, "/embedding"),
        ({"after": -1}, "/after"),
        ({"after": 2**31}, "/after"),
        ({"reason": "\t"}, "/reason"),
        ({"version": 1}, "/version"),
    ],
)
def test_a_price_that_does_not_fit_is_refused_where_it_stands(office: Program, changes: Json, pointer: str) -> None:
    answer = office.post(PRICES, body(**changes))
    assert refusal(answer) == (422, "invalid-request")
    assert list(answer.places()) == [pointer]


@pytest.mark.parametrize("missing", [*PARTS, "tier", "model", "after", "reason"])
def test_nothing_is_free_because_somebody_left_it_out(office: Program, missing: str) -> None:
    answer = office.post(PRICES, {name: value for name, value in body().items() if name != missing})
    assert list(answer.places()) == [f"/{missing}"]


def test_learners_read_prices_but_not_who_set_them_or_why(office: Program, learner: User) -> None:
    office.post(PRICES, body())
    program = Program(learner, scopes=(Scope.BUDGETS_READ,))
    assert versions(program) == versions(office)
    assert {(price["by"], price["reason"]) for price in listed(program)} == {(None, None)}
    assert program.post(PRICES, body(after=1)).status == 403


@pytest.mark.parametrize("query", ["all=yes", "tier=genius", "model=", "since=2026"])
def test_a_filter_that_does_not_fit_is_refused(office: Program, query: str) -> None:
    assert refusal(office.get(f"{PRICES}?{query}")) == (422, "invalid-request")


def test_a_list_is_one_statement(office: Program, staff: User, django_assert_num_queries: Queries) -> None:
    for number in range(6):
        parts = TokenPrices(**{**PARTS, "input": number})
        price_set(tier=Tier.CHEAP, model="m", prices=parts, after=number, reason="x", by=staff)
    for query, count in (("", 4), ("?all=true", 9)):
        with django_assert_num_queries(WHO + 1):
            assert len(office.get(f"{PRICES}{query}").json["items"]) == count


@pytest.mark.django_db(transaction=True)
def test_of_two_who_saw_the_same_version_one_is_told(staff: User) -> None:
    programs = [Program(staff, scopes=(Scope.BUDGETS_WRITE,)) for _ in range(4)]
    works = [partial(one.post, PRICES, body(input=number)) for number, one in enumerate(programs)]
    assert sorted(answer.status for answer in at_once(works)) == [201, 409, 409, 409]
    assert Price.objects.filter(model="llama3:8b").count() == 1
