"""Pack files: what is read, what is refused and where, and versions that never change in place."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from routing.errors import PackRefused
from routing.models import PackVersion
from routing.packs.files import values_of
from routing.packs.pack import DomainPack, Pack, pack_load, pack_read
from routing.services.recording import pack_store
from tests.each import each
from tests.lesson_engine.services.threads import at_once

SMALL = {"domains": {"cats": {"examples": ["My cat purrs"]}, "dogs": {"examples": ["My dog barks"]}}}


def pack(**changes: Any) -> dict[str, Any]:
    """A pack with a name, and one of its domains changed."""
    cats = {"title": "Cats", "examples": {"food": ["What do cats eat?"]}, **changes}
    return {"pack": "pets@1", "domains": {"cats": cats, "dogs": {"examples": {"walks": ["When do dogs walk?"]}}}}


def refused(data: Any) -> list[str]:
    with pytest.raises(PackRefused) as caught:
        pack_read(data)
    return caught.value.message.splitlines()


def test_a_pack_needs_only_examples_and_titles_are_made_of_keys() -> None:
    read = pack_read(SMALL)
    assert read.reference == "unnamed@0"
    assert read.keys == ("cats", "dogs")
    assert read.domain("cats").title_in("es") == "cats"
    assert read.domain("cats").examples == {"cats": ("My cat purrs",)}


def test_every_field_is_read_and_texts_are_by_language() -> None:
    data = pack(
        title={"en": "Cats", "es": "Gatos"},
        use_when="Cats",
        keywords=["purr", "purr"],
        evidence="true",
        evidence_labels={"food": False},
        brings={"food": ["dogs"]},
    ) | {"outside": {"weather": ["It rains"]}}
    read = pack_read(data)
    cats = read.domain("cats")
    assert [cats.title_in(language) for language in ("en", "es", "es-MX", "fr")] == ["Cats", "Gatos", "Gatos", "Cats"]
    assert (cats.use_when_in("es"), cats.not_when_in("es"), cats.keywords) == ("Cats", "", ("purr",))
    assert (cats.rests_on_evidence("food"), cats.rests_on_evidence("other")) == (False, True)
    assert (dict(cats.brings), dict(read.outside)) == ({"food": ("dogs",)}, {"weather": ("It rains",)})


def test_yaml_and_json_are_told_by_content_and_give_the_same_pack(tmp_path: Path) -> None:
    as_json, as_yaml = tmp_path / "pack.yaml", tmp_path / "pack.json"
    as_json.write_text(json.dumps(pack()), encoding="utf-8-sig")
    as_yaml.write_text(
        "pack: pets@1\ndomains:\n  cats: {title: Cats, examples: {food: [What do cats eat?]}}\n"
        "  dogs:\n    examples:\n      walks:\n      - When do dogs walk?\n"
    )
    assert pack_load(as_json) == pack_load(as_yaml)
    assert pack_load(as_json).digest == pack_load(as_yaml).digest


def test_words_that_yaml_takes_for_something_else_are_words() -> None:
    read = pack_read(values_of(b"domains:\n  yes: {examples: [no, 2024-01-01, 3, null]}\n  off: {examples: [on]}\n"))
    assert read.domain("yes").examples == {"yes": ("no", "2024-01-01", "3", "null")}


def test_every_fault_is_told_with_its_place() -> None:
    data = pack(
        colour="red",
        keywords="purr",
        evidence="perhaps",
        evidence_labels={"sleep": True},
        brings={"food": ["birds", "cats"]},
        examples={"food": ["What do cats eat?", " ", 7, "x" * 1_001, "a\0b", "\ud800"], "toys": [], "naps": "all day"},
    )
    data["domains"]["dogs"]["examples"]["walks"].append("what do  CATS eat?")
    data |= {"pack": "pets", "version": 2, "outside": []}
    data["outside"] = {"weather": ["When do dogs walk?"]}
    assert sorted(refused(data)) == sorted(
        [
            "version: is no field of a pack",
            "pack: is not name@version, such as anclora@1.0.0",
            "domains/cats/colour: is no field of a pack",
            "domains/cats/keywords: is no list of at most 2,000 words",
            "domains/cats/evidence: is neither true nor false",
            "domains/cats/evidence_labels/sleep: is no fine label of this domain",
            "domains/cats/brings/food: 'birds' is no other domain",
            "domains/cats/brings/food: 'cats' is no other domain",
            "domains/cats/examples/food/2: is blank",
            "domains/cats/examples/food/3: is no text",
            "domains/cats/examples/food/4: has more than 1,000 characters",
            "domains/cats/examples/food/5: has a NUL character",
            "domains/cats/examples/food/6: has half a character (a lone surrogate)",
            "domains/cats/examples/toys: has no sentence",
            "domains/cats/examples/naps: is no list of sentences",
            "domains/dogs/examples/walks/2: stands in domains/cats too",
            "outside/weather/1: stands in domains/dogs too",
        ]
    )


@each(
    ("data", "said"),
    [
        ([], "A pack is a mapping with domains."),
        ({}, "domains: is missing"),
        ({"domains": {"cats": {"examples": ["purr"]}}}, "domains: a pack has two domains at least"),
        (pack(examples={}), "domains/cats/examples: has no examples"),
        (pack(examples=["a"] * 200_001), "domains: more than 200,000 sentences"),
        (pack(title=3), "domains/cats/title/: is no text"),
        (pack(title={"english": "Cats"}), "domains/cats/title/english: is no language, such as en or es"),
        (
            {"domains": {"cats": 3, "dogs": {"examples": ["x"]}}},
            "domains/cats: is no mapping with a title and examples",
        ),
    ],
)
def test_what_is_no_pack_is_refused(data: Any, said: str) -> None:
    assert said in refused(data)


def test_many_faults_are_counted_not_listed() -> None:
    said = refused(pack(examples=[""] * 5_000))
    assert (len(said), said[-1]) == (51, "and 4,951 more")


@each(
    ("content", "said"),
    [
        (b"", "The file is empty."),
        (b"a: 1\nb: {c: 1}\na: 2\n", "line 3: the key 'a' stands twice."),
        (b'{"a": 1, "a": 2}', "The key 'a' stands twice."),
        (b"a: &x [1]\nb: *x\n", "line 1: anchors and aliases are not for packs."),
        (b"- " * 100_000, "line 1: nested too deep."),
        (b"[" * 100_000, "line 1: nested too deep."),
        (b'{"a":' * 100_000, "The file is nested too deep."),
        (b"? [a]\n: b\n", "line 1: a key must be text."),
        (b"a\n---\nb\n", "The file holds more than one document."),
        (b"\xff\xfe", "The file is not UTF-8 (byte 0)."),
        (b"\0", "The file is neither JSON nor YAML: unacceptable character #x0000"),
        (b"!!python/object/apply:os.system [ls]\n", "A pack is a mapping with domains."),
    ],
)
def test_a_file_that_cannot_be_taken_says_why(content: bytes, said: str) -> None:
    with pytest.raises(PackRefused) as caught:
        pack_read(values_of(content))
    assert caught.value.message.startswith(said)


@pytest.mark.parametrize("path", ["nowhere.yaml", ".", "a\0b"])
def test_a_file_that_is_not_there_is_refused(path: str) -> None:
    with pytest.raises(PackRefused, match="cannot be read"):
        pack_load(path)


def test_a_pack_for_classifying_may_have_other_fields_and_a_sentence_twice() -> None:
    data = pack(note="mine", examples={"food": ["When do dogs walk?"]})
    assert refused(data) == [
        "domains/cats/note: is no field of a pack",
        "domains/dogs/examples/walks/1: stands in domains/cats too",
    ]
    assert pack_read(data, strict=False).domain("cats").examples == {"food": ("When do dogs walk?",)}


def test_only_the_seven_domains_can_be_in_query_plans() -> None:
    with pytest.raises(PackRefused, match="domains/cats: is not one of market, brand"):
        pack_read(SMALL).require_query_plan_keys()
    pack_read({"domains": {"tax": {"examples": ["a"]}, "lab": {"examples": ["b"]}}}).require_query_plan_keys()


def test_the_digest_is_of_the_content_and_survives_json_in_any_order() -> None:
    first = pack_read(pack(title={"es": "Gatos", "en": "Cats"}))
    shuffled = {key: first.content[key] for key in sorted(first.content, reverse=True)}
    again = Pack.model_validate(json.loads(json.dumps(shuffled)))
    assert (again.digest, again) == (first.digest, first)
    assert pack_read(pack(title={"en": "Cats", "es": "Gatas"})).digest != first.digest


def test_a_pack_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        pack_read(SMALL).name = "other"  # type: ignore[misc]


def test_fifteen_thousand_sentences_are_read_in_a_moment() -> None:
    domains = {f"d{one}": {"examples": {f"l{two}": [f"sentence {one} {two} {three}" for three in range(100)]
                                        for two in range(15)}} for one in range(10)}  # fmt: skip
    began = time.process_time()
    read = pack_read({"domains": domains})
    assert len(read.digest) == 64
    assert time.process_time() - began < 1


@pytest.mark.django_db
def test_a_pack_is_on_record_once_and_reads_back() -> None:
    read = pack_read(pack(title={"es": "Gatos", "en": "Cats"}))
    row = pack_store(read)
    assert pack_store(read) == row
    stored = PackVersion.objects.get()
    assert Pack.model_validate(stored.content) == read
    assert Pack.model_validate(stored.content).digest == stored.digest == read.digest


@pytest.mark.django_db
def test_another_pack_under_a_known_version_is_refused() -> None:
    pack_store(pack_read(pack()))
    with pytest.raises(PackRefused, match="pets@1: changed without a new version"):
        pack_store(pack_read(pack(title="Felines")))


@pytest.mark.django_db(transaction=True)
def test_two_who_store_at_once_get_the_same_row() -> None:
    read = pack_read(pack())
    store: Callable[[], int] = lambda: pack_store(read).pk  # noqa: E731
    assert set(at_once([store] * 5)) == {PackVersion.objects.get().pk}


_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5) | st.integers(), inner, max_size=4),
    max_leaves=15,
)
_DOMAINS = st.dictionaries(
    st.text(max_size=5),
    st.fixed_dictionaries({}, optional={name: _ANY for name in DomainPack.model_fields if name != "key"}) | _ANY,
    max_size=4,
)


@given(st.fixed_dictionaries({"domains": _DOMAINS}, optional={"pack": _ANY, "outside": _ANY}) | _ANY, st.booleans())
def test_any_value_gives_a_pack_or_a_refusal(data: Any, strict: bool) -> None:
    with suppress(PackRefused):
        read = pack_read(data, strict=strict)
        assert Pack.model_validate(read.content).digest == read.digest


@given(st.binary(max_size=60) | st.text(alphabet='{}[]:,-"\n &*!?a1\t#|>%', max_size=60).map(str.encode))
def test_any_bytes_give_values_or_a_refusal(content: bytes) -> None:
    with suppress(PackRefused):
        values_of(content)
