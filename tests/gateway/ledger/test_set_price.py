"""`manage.py set_price`: what a model of the operator's own costs."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from gateway.contracts import Tier, TokenPrices, Usage
from gateway.ledger.pricing import cost_of, price_of
from gateway.models import Price
from telemetry.models import Event

pytestmark = pytest.mark.django_db
OWN = ("--reason", "our own machine")


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("set_price", *arguments, stdout=out)
    return out.getvalue()


def cheap(*arguments: str, model: str = "llama3") -> str:
    return run("--tier", "cheap", "--model", model, *arguments, *OWN)


def test_a_model_of_ones_own_costs_nothing() -> None:
    said = cheap("--input", "0", "--output", "0")
    assert said == ("cheap llama3 v1: input US$ 0, cached US$ 0, output US$ 0, reasoning US$ 0 for 1,000 tokens\n")
    price = price_of(Tier.CHEAP, "llama3")
    assert cost_of(Tier.CHEAP, price.tokens, Usage(input=10_000, output=10_000)) == 0
    row = Price.objects.get(pk=price.id)
    assert (row.by, row.reason) == (None, "our own machine")
    assert Event.objects.get(event="price.set").data["by"] is None


def test_dollars_become_micro_cents_exactly() -> None:
    cheap("--input", "0.005", "--output", "1.10000001")
    assert price_of(Tier.CHEAP, "llama3").tokens == TokenPrices(
        input=500_000, cached=500_000, output=110_000_001, reasoning=110_000_001, embedding=0
    )


def test_cached_and_reasoning_tokens_may_cost_something_else() -> None:
    cheap("--input", ".01", "--cached", "0.0025", "--output", "0.04", "--reasoning", "0.05")
    tokens = price_of(Tier.CHEAP, "llama3").tokens
    assert (tokens.input, tokens.cached, tokens.output, tokens.reasoning) == (1_000_000, 250_000, 4_000_000, 5_000_000)


def test_an_embedder_costs_by_what_it_embeds() -> None:
    said = run("--tier", "embed", "--model", "bge-m3", "--embedding", "0.00002", *OWN)
    assert said == "embed bge-m3 v1: embedding US$ 0.00002 for 1,000 tokens\n"
    assert cost_of(Tier.EMBED, price_of(Tier.EMBED, "bge-m3").tokens, Usage(input=1000)) == 2_000


def test_a_change_is_a_new_version_and_the_same_again_is_none() -> None:
    cheap("--input", "0.01", "--output", "0.01", model="gpt-4o-mini")
    assert price_of(Tier.CHEAP, "gpt-4o-mini").tokens.input == 1_000_000
    assert cheap("--input", "0.010", "--output", "0.01", model="gpt-4o-mini") == (
        "cheap gpt-4o-mini v2: it costs that already\n"
    )
    assert list(Price.objects.filter(model="gpt-4o-mini").values_list("version", flat=True).order_by("version")) == [
        1,
        2,
    ]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--output", "0"), "--input is needed for the tier cheap"),
        (("--input", "0"), "--output is needed for the tier cheap"),
        (("--input", "0", "--output", "0", "--embedding", "0"), "--embedding: the tier cheap is not charged by that"),
        (("--input=-1", "--output", "0"), "--input: '-1' is no amount"),
        (("--input", "1e2", "--output", "0"), "--input: '1e2' is no amount"),
        (("--input", "nan", "--output", "0"), "--input: 'nan' is no amount"),
        (("--input", "$1", "--output", "0"), "is no amount"),
        (("--input", "0,5", "--output", "0"), "is no amount"),
        (("--input", "", "--output", "0"), "is no amount"),
        (("--input", "10001", "--output", "0"), "is no amount"),
        (("--input", "٣", "--output", "0"), "is no amount"),
        (("--input", "0.000000001", "--output", "0"), "finer than a micro-cent"),
        (("--input", "0.00000001" + "0" * 30 + "1", "--output", "0"), "is no amount"),
    ],
)
def test_what_is_no_price_is_refused(arguments: tuple[str, ...], why: str) -> None:
    with pytest.raises(CommandError, match=why.replace("$", r"\$")):
        cheap(*arguments)
    assert not Price.objects.filter(model="llama3").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("--tier", "embed", "--model", "m", "--input", "0", "--output", "0", *OWN),
        ("--tier", "embed", "--model", "m", *OWN),
        ("--tier", "genius", "--model", "m", "--input", "0", "--output", "0", *OWN),
        ("--tier", "cheap", "--model", " ", "--input", "0", "--output", "0", *OWN),
        ("--tier", "cheap", "--model", "x" * 121, "--input", "0", "--output", "0", *OWN),
        ("--tier", "cheap", "--model", "a\nb", "--input", "0", "--output", "0", *OWN),
        ("--tier", "cheap", "--model", "m", "--input", "0", "--output", "0", "--reason", ""),
        ("--tier", "cheap", "--model", "m", "--input", "0", "--output", "0"),
        ("--model", "m", "--input", "0", "--output", "0", *OWN),
    ],
)
def test_a_command_that_does_not_fit_sets_nothing(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError):
        run(*arguments)
    assert Price.objects.count() == 3
