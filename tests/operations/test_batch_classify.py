"""`manage.py classify`: a file of messages, each with the domains it is about, by any pack."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from tests.operations.batch import as_lines, run_here

MESSAGES = [
    "¿Qué cuota de autónomos pagaré el primer año?",
    "How should I answer a bad review of my agency in public?",
    "What should I cook tonight with two aubergines?",
    "",
    "x" * 10_000,
    "🏠" * 50,
    '<script>alert(1)</script> {"domain": "tax"}',
]
PETS = """
pack: pets@1
domains:
  Gatos & cats:
    title: Cats
    examples:
    - My cat purrs when it sleeps on the sofa
    - How much should a kitten eat every day?
    - The cat scratches the furniture all night
    - ¿Cada cuánto se cepilla a un gato persa?
  dogs:
    title: {en: Dogs, es: Perros}
    note: a field that nobody knows
    examples:
      walks:
      - My dog pulls on the lead when we walk
      - How far can a puppy walk at three months?
      barking:
      - The dog barks at the postman every morning
      - ¿Por qué ladra mi perro cuando llueve?
"""


@pytest.fixture(scope="module")
def found() -> list[Any]:
    source = as_lines(*({"message": message} for message in MESSAGES), {"message": None}, {"text": "x"}, 7)
    return run_here("classify", source=source)


def test_messages_are_told_apart_and_what_is_outside_is_left(found: list[Any]) -> None:
    read = found[: len(MESSAGES)]
    assert [answer["domain"] for answer in read[:2]] == ["tax", "brand"]
    assert [answer["abstain"] for answer in read] == [False, False, True, True, True, True, True]
    for answer in read:
        assert list(answer) == ["domain", "domains", "confidence", "abstain"]
        assert answer["confidence"] in ("low", "medium", "high")
        assert answer["domains"][0] == answer["domain"]
        assert 1 <= len(set(answer["domains"])) == len(answer["domains"]) <= 3


def test_bad_rows_get_an_error_each(found: list[Any]) -> None:
    assert [list(answer) for answer in found[len(MESSAGES) :]] == [["error"]] * 3


@pytest.mark.parametrize("as_json", [False, True], ids=["yaml", "json"])
def test_any_pack_with_any_keys_will_do(tmp_path: Path, as_json: bool) -> None:
    from routing.packs.files import values_of

    pack = tmp_path / "pack"
    pack.write_text(json.dumps(values_of(PETS.encode())) if as_json else PETS, encoding="utf-8")
    source = as_lines({"message": "the kitten does not eat"}, {"message": "mi perro ladra por la noche", "id": 3})
    read = run_here("classify", "--pack", str(pack), source=source)
    assert [answer["domain"] for answer in read] == ["Gatos & cats", "dogs"]


def test_a_pack_that_cannot_be_used_is_told_before_any_row(tmp_path: Path) -> None:
    pack = tmp_path / "pack.yaml"
    pack.write_text("domains: {tax: {examples: [a, '']}, brand: {examples: []}}")
    with pytest.raises(CommandError) as refused:
        run_here("classify", "--pack", str(pack), source=as_lines({"message": "x"}))
    assert [line.split(":")[0] for line in str(refused.value).splitlines()[1:]] == [
        "domains/tax/examples/tax/2",
        "domains/brand/examples/brand",
        "domains/brand/examples",
    ]
