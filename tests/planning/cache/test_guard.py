"""Which tasks may share a plan: the data files as a whole, and each class of conflict."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from gateway.services import texts_embed_locally
from planning.cache.guard import relation_of
from planning.cache.nominating import THRESHOLD, share_probabilities

DATA = Path(__file__).parents[2] / "data" / "plans"


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def served(pairs: Sequence[tuple[str, str, str]]) -> list[bool]:
    """Whether the plan of each cached task would serve the new one."""
    related = [(cached, new, relation_of(cached, new, language)) for cached, new, language in pairs]
    return [probability >= THRESHOLD for probability in share_probabilities(related, texts_embed_locally)]


def share(cached: str, new: str, language: str = "en") -> tuple[bool, list[str]]:
    relation = relation_of(cached, new, language)
    return served([(cached, new, language)])[0], [one.text for one in relation.additions]


@pytest.mark.django_db
def test_no_near_miss_shares_a_plan() -> None:
    found = rows("near_misses.jsonl")
    pairs = [(one["cached"], one["new"], one["language"]) for one in found]
    pairs += [(new, cached, language) for cached, new, language in pairs if len(cached.split()) == len(new.split())]
    assert len(found) >= 60
    assert {one["language"] for one in found} == {"en", "es"}
    assert not [pair for pair, hit in zip(pairs, served(pairs), strict=True) if hit]


@pytest.mark.django_db
def test_paraphrases_and_additions_share_a_plan() -> None:
    found = rows("paraphrases.jsonl")
    hits = served([(one["cached"], one["new"], one["language"]) for one in found])
    missed = [one for one, hit in zip(found, hits, strict=True) if not hit]
    for kind, least in (("paraphrase", 60), ("addition", 30)):
        of_kind = [one for one in found if one["kind"] == kind]
        assert len(of_kind) >= least
        assert sum(one["kind"] == kind for one in missed) <= 0.1 * len(of_kind), missed
    assert {one["language"] for one in found} == {"en", "es"}


@pytest.mark.django_db
def test_what_is_added_is_named_as_the_task_words_it() -> None:
    assert share("Book hotel in Paris", "Book hotel in Paris for 2 nights") == (True, ["for 2 nights"])
    assert share("Book hotel in Paris", "Book a hotel in Paris with breakfast under $200") == (
        True,
        ["with breakfast", "under $200"],
    )
    assert share("Busca un piso", "Busca un piso en Valencia que admita mascotas", "es") == (
        True,
        ["en Valencia", "que admita mascotas"],
    )


def test_each_class_of_conflict_is_named() -> None:
    wrong = []
    for kind, cached, new in (
        ("place", "Book hotel in Paris", "Book hotel in London"),
        ("direction", "Book a flight from Paris to Rome", "Book a flight from Rome to Paris"),
        ("order", "Open the window and close the door", "Close the window and open the door"),
        ("date", "Book a flight on Dec 15", "Book a flight on Dec 16"),
        ("date", "Renew it before June", "Renew it after June"),
        ("duration", "Rent a car for 2 days", "Rent a car for 3 days"),
        ("amount", "Find a phone under $200", "Find a phone over $200"),
        ("quantity", "Book a table for two", "Book a table for 4"),
        ("quantity", "Tickets for 2 adults and 1 child", "Tickets for 1 adult and 2 children"),
        ("negation", "Book a room with parking", "Book a room without parking"),
        ("negation", "Call the bank", "Do not call the bank"),
        ("name", "Email Ana", "Email Berta"),
        ("place", "Book hotel in Paris", "Book hotel in Paris and Rome"),
        ("quantity", "Book a room for 2 adults", "Book a room for 2 adults and 1 child"),
    ):
        kinds = [one.kind for one in relation_of(cached, new, "en").conflicts]
        if kind not in kinds:
            wrong.append(f"{cached} | {new}: {kinds}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.django_db
def test_what_only_the_cached_task_says_is_a_miss() -> None:
    for cached in (
        "Book hotel in Paris for 2 nights",
        "Book a cheap hotel in Paris",
        "Book hotel in Paris with a pool",
    ):
        assert not share(cached, "Book hotel in Paris")[0], cached


@pytest.mark.django_db
def test_the_same_said_with_other_figures_and_signs_is_the_same() -> None:
    for cached, new in (
        ("Book a table for two people at 7 pm", "Book a table for 2 people at 19:00"),
        ("Find a hotel for less than 200 dollars", "Find a hotel under $200"),
        ("Book hotel in Paris, France", "Book hotel in Paris"),
        ("Find a cheap hotel", "Find an inexpensive hotel"),
        ("Buy 2 tickets for Dec 15", "Buy two tickets for December 15th"),
    ):
        assert share(cached, new)[0], (cached, new)
