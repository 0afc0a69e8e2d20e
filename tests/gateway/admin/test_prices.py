"""Prices in the administration: a change is a version, and nobody overwrites what somebody else set."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.models import User
from gateway.contracts import Tier
from gateway.ledger import settle
from gateway.ledger.pricing import price_of
from gateway.models import Price
from telemetry.models import Event
from tests.gateway.admin_pages import HOSTILE, assert_closed, assert_escaped, change_url, listed, messages_of, text_of
from tests.gateway.ledger_helpers import NOON, answered, assert_books_right, hold_of, lesson, sent

SET = "/admin/gateway/price/set/"
FIGURES = {"input": "0.00015", "cached": "0.000075", "output": "0.0006", "reasoning": "0.0006", "embedding": "0"}
MICRO = (15_000, 7_500, 60_000, 60_000, 0)


def form(**changes: Any) -> dict[str, Any]:
    """What is posted for the cheap default, after its first version."""
    given = {"tier": "cheap", "model": "gpt-4o-mini", "after": 1, "reason": "As of March.", **FIGURES}
    return {**given, **changes}


def figures_of(price: Price) -> tuple[int, ...]:
    return (price.input, price.cached, price.output, price.reasoning, price.embedding)


def versions(model: str = "gpt-4o-mini") -> list[int]:
    return list(Price.objects.filter(model=model).order_by("version").values_list("version", flat=True))


def test_the_documented_prices_are_listed_in_dollars(desk: Client) -> None:
    page = text_of(desk.get(reverse("admin:gateway_price_changelist")))
    assert "gpt-4o-mini cheap 1 0.005 0.005 0.005 0.005 0" in page
    assert "text-embedding-3-small embed 1 0 0 0 0 0.001" in page
    assert "o3-mini thinker 1 0.025 0.025 0.025 0.025 0" in page
    assert "has no price" not in page


def test_a_new_price_is_a_new_version_and_the_old_one_stays(desk: Client, staff: User) -> None:
    before = Price.objects.get(model="gpt-4o-mini")
    asked = desk.get(SET, {"tier": "cheap", "model": "gpt-4o-mini"})
    assert 'name="after" value="1"' in asked.content.decode()
    assert 'name="input" value="0.005"' in asked.content.decode()
    answer = desk.post(SET, form(), follow=True)
    text = "Calls to gpt-4o-mini are charged by version 2 from now on; those under way keep their price."
    assert messages_of(answer) == [text]
    new = Price.objects.get(model="gpt-4o-mini", version=2)
    assert figures_of(new) == MICRO
    assert (new.by, new.reason) == (staff, "As of March.")
    assert figures_of(Price.objects.get(pk=before.pk)) == figures_of(before)
    assert Event.objects.get(event="price.set").data["by"] == staff.pk
    assert [row.version for row in listed(desk, "price", q="gpt-4o-mini")] == [2, 1]
    assert [row.version for row in listed(desk, "price", q="gpt-4o-mini", current="yes")] == [2]
    assert [row.version for row in listed(desk, "price", current="no")] == [1]
    assert f"{SET}?tier=cheap&amp;model=gpt-4o-mini" in desk.get(change_url("price", new.pk)).content.decode()


def test_a_call_under_way_keeps_the_price_it_began_with(desk: Client) -> None:
    payer = lesson()
    under_way = sent(payer)
    assert desk.post(SET, form(input="0.05")).status_code == 302
    settle(under_way, answered(1000), now=NOON)
    later = sent(payer, 20 * 10**6)
    settle(later, answered(1000), now=NOON)
    assert (hold_of(under_way).cost, hold_of(later).cost) == (500_000, 5_000_000)
    page = text_of(desk.get(change_url("hold", under_way)))
    assert "version 1" in page
    assert_books_right()


def test_of_two_staff_the_second_is_refused_and_sees_the_fresh_version(desk: Client) -> None:
    assert desk.post(SET, form()).status_code == 302
    refused = desk.post(SET, form(output="0.0007", reason="As of April."))
    assert refused.status_code == 422
    page = text_of(refused)
    assert "The price of gpt-4o-mini has another version meanwhile: look at it again." in page
    assert "What gpt-4o-mini (cheap) costs now, version 2" in page
    assert "carla" in page
    assert "As of March." in page
    source = refused.content.decode()
    assert 'name="after" value="2"' in source
    assert 'name="output" value="0.0007"' in source
    assert versions() == [1, 2]
    assert desk.post(SET, form(output="0.0007", reason="As of April.", after=2)).status_code == 302
    assert versions() == [1, 2, 3]


def test_what_changes_nothing_is_no_version(desk: Client) -> None:
    same = dict.fromkeys(("input", "cached", "output", "reasoning"), "0.00500")
    refused = desk.post(SET, form(**same))
    assert refused.status_code == 422
    assert "This is what gpt-4o-mini costs already." in text_of(refused)
    assert versions() == [1]


def test_a_model_that_is_set_and_has_no_price_stands_on_top(desk: Client, settings: Settings) -> None:
    settings.MODELS_CONFIGURED, settings.CHEAP_MODEL = True, "llama-3"
    page = desk.get(reverse("admin:gateway_price_changelist"))
    assert "llama-3 (cheap) has no price. It is not asked until it has one." in text_of(page)
    asked = desk.get(SET, {"tier": "cheap", "model": "llama-3"}).content.decode()
    assert 'name="after" value="0"' in asked
    assert 'name="input" value' not in asked  # nothing is suggested, least of all nothing
    free = dict.fromkeys(FIGURES, "0")
    assert desk.post(SET, form(model="llama-3", after=0, reason="Our own machine.", **free)).status_code == 302
    assert price_of(Tier.CHEAP, "llama-3").tokens.input == 0
    assert "has no price" not in text_of(desk.get(reverse("admin:gateway_price_changelist")))


def test_a_price_of_another_tier_is_none_of_this_one(desk: Client, settings: Settings) -> None:
    settings.MODELS_CONFIGURED, settings.CHEAP_MODEL = True, "o3-mini"
    assert "o3-mini (cheap) has no price." in text_of(desk.get(reverse("admin:gateway_price_changelist")))


@pytest.mark.parametrize(
    "changes",
    [
        {"input": ""},
        {"cached": "-0.1"},
        {"output": "0.000000001"},
        {"reasoning": "free"},
        {"embedding": "NaN"},
        {"input": "10000"},
        {"input": "1e30"},
        {"tier": "dear"},
        {"model": " "},
        {"model": "x" * 121},
        {"model": "a\x00b"},
        {"reason": " "},
        {"after": "one"},
        {"after": "-1"},
        {"after": ""},
        {"after": "9" * 30},
    ],
    ids=str,
)
def test_what_is_no_price_is_not_stored(desk: Client, changes: dict[str, str]) -> None:
    before = Price.objects.count()
    assert desk.post(SET, form(**changes)).status_code == 422
    assert Price.objects.count() == before


def test_hostile_models_and_reasons_stay_text(desk: Client) -> None:
    model, more = HOSTILE[:100], {"tier": "cheap", "model": HOSTILE[:100]}
    assert_escaped(desk.get(SET, more), model)
    assert_escaped(desk.post(SET, form(model=model, after=3, reason=HOSTILE)), model)
    assert_escaped(desk.post(SET, form(model=model, after=0, reason=HOSTILE), follow=True), model)
    assert_escaped(desk.get(SET, more))
    assert_escaped(desk.get(change_url("price", Price.objects.get(model=model).pk)))


def test_learners_and_guests_get_nowhere(client: Client, learner: User) -> None:
    before = Price.objects.count()
    assert_closed(
        client,
        learner,
        [reverse("admin:gateway_price_changelist"), SET, change_url("price", Price.objects.all()[0].pk)],
    )
    client.force_login(learner, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post(SET, form()).status_code == 302
    assert Price.objects.count() == before
