"""`manage.py set_price`: what a model costs, for one of the operator's own."""

import re
from argparse import ArgumentParser
from decimal import Decimal
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from gateway.contracts import MICROCENTS, Tier, TokenPrices
from gateway.errors import PriceRefused
from gateway.ledger.pricing import price_set
from gateway.models import Price

_DOLLAR = 100 * MICROCENTS
_MOST = 10_000
_AMOUNT = re.compile(r"[0-9]{1,5}(\.[0-9]{1,20})?|\.[0-9]{1,20}", re.ASCII)


class Command(BaseCommand):
    help = (
        "Set what a model costs, in US$ for 1,000 tokens. Without a price a model is not asked. Calls that are under"
        " way keep the price they began with; the same price again changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--tier", required=True, choices=[tier.value for tier in Tier])
        parser.add_argument("--model", required=True, help="as CHEAP_MODEL, THINKER_MODEL or EMBED_MODEL names it")
        parser.add_argument("--input", metavar="US$", help="what is sent; for the tiers cheap and thinker")
        parser.add_argument("--output", metavar="US$", help="what is answered; for the same")
        parser.add_argument("--cached", metavar="US$", help="input that the provider had cached; usually as input")
        parser.add_argument("--reasoning", metavar="US$", help="output that is not shown; usually as output")
        parser.add_argument("--embedding", metavar="US$", help="text to embed; for the tier embed, and nothing else")
        parser.add_argument("--reason", required=True, help="why, for whoever audits it")

    def handle(self, *, tier: str, model: str, reason: str, **options: Any) -> None:
        figures = {
            name: _microcents(name, options[name]) for name in TokenPrices.model_fields if options[name] is not None
        }
        prices = _prices(Tier(tier), figures)
        _require_text("--model", model, Price._meta.get_field("model").max_length)
        _require_text("--reason", reason, Price._meta.get_field("reason").max_length)
        newest = Price.objects.filter(tier=tier, model=model).order_by("-version").first()
        if newest is not None and newest.tokens == prices:
            self.stdout.write(f"{newest}: it costs that already")
            return
        after = newest.version if newest else 0
        try:
            price = price_set(tier=Tier(tier), model=model, prices=prices, after=after, reason=reason, by=None)
        except PriceRefused as error:
            raise CommandError(error.message) from error
        self.stdout.write(f"{price}: {_words(Tier(tier), prices)} for 1,000 tokens")


def _prices(tier: Tier, figures: dict[str, int]) -> TokenPrices:
    """The figures of a tier. Raises `CommandError` for one that is missing, and for one that it is not charged by."""
    needed = ("embedding",) if tier == Tier.EMBED else ("input", "output")
    foreign = sorted(figures.keys() - {"embedding"} if tier == Tier.EMBED else figures.keys() & {"embedding"})
    if foreign:
        raise CommandError(f"--{foreign[0]}: the tier {tier} is not charged by that.")
    for name in needed:
        if name not in figures:
            raise CommandError(f"--{name} is needed for the tier {tier}; 0 says that it costs nothing.")
    if tier == Tier.EMBED:
        return TokenPrices(input=0, cached=0, output=0, reasoning=0, embedding=figures["embedding"])
    usual = {"cached": figures["input"], "reasoning": figures["output"], "embedding": 0}
    return TokenPrices(**{**usual, **figures})


def _microcents(name: str, text: str) -> int:
    """An amount of US dollars, exactly. Raises `CommandError` for what is none, or finer than a micro-cent."""
    amount = Decimal(text) * _DOLLAR if _AMOUNT.fullmatch(text) else None
    if amount is None or amount > _MOST * _DOLLAR:
        raise CommandError(f"--{name}: {text!r} is no amount of US dollars from 0 to {_MOST}, such as 0.0005.")
    if amount != int(amount):
        raise CommandError(f"--{name}: {text} is finer than a micro-cent, which is US$ 0.00000001.")
    return int(amount)


def _require_text(option: str, text: str, longest: int | None) -> None:
    if not text.strip() or not text.isprintable() or len(text) > (longest or 0):
        raise CommandError(f"{option} must be a text of 1 to {longest} characters in one line.")


def _words(tier: Tier, prices: TokenPrices) -> str:
    names = ("embedding",) if tier == Tier.EMBED else ("input", "cached", "output", "reasoning")
    return ", ".join(f"{name} US$ {Decimal(prices[name]) / _DOLLAR:f}" for name in names)
