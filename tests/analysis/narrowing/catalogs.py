"""Catalogs to narrow, and an embedder that counts."""

from collections.abc import Collection, Sequence

from analysis.catalog.reading import catalog_shipped
from analysis.contracts.plans import Tool
from analysis.contracts.requirements import Details, Reading, Requirements
from analysis.narrowing.index import Array
from gateway.services import texts_embed_locally

_DOMAINS = ("invoices", "flights", "recipes", "patients", "parcels", "lawns", "violins", "glaciers", "tickets", "bees")
_DEEDS = ("Book", "Print", "Translate", "Weigh", "Paint", "Insure", "Repair", "Deliver", "Photograph", "Rent")


def thousand_tools() -> tuple[Tool, ...]:
    """The shipped catalog among a thousand tools of other fields."""
    others = [
        Tool(name=f"tool_{number}", description=f"{deed} {domain} in district {number % 10}")
        for number, (deed, domain) in enumerate(
            (deed, domain) for _ in range(10) for deed in _DEEDS for domain in _DOMAINS
        )
    ]
    return (*catalog_shipped(), *others[: 1_000 - len(catalog_shipped())])


def reading_of(**requirements: object) -> Reading:
    return Reading(requirements=Requirements.model_validate(requirements), details=Details())


class CountingEmbedder:
    """The local embedder, with the texts that it was asked for."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.kept: set[str] = set()

    def __call__(self, texts: Sequence[str], *, keep: Collection[str] = ()) -> Array:
        self.texts += texts
        self.kept.update(keep)
        return texts_embed_locally(texts)
