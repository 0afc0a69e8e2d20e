"""The pack that comes with the product: whole, in both languages, and never changed in place."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
import yaml

from language.detect import language_of
from routing.contracts.values import DOMAIN_KEYS
from routing.errors import PackRefused
from routing.packs.pack import DIGESTS, FOLDER, Pack, pack_load, pack_load_shipped, pack_shipped
from routing.packs.reading import same
from tests.each import each

LEAST = 40
"""Examples of a domain in a language. Source: issue 8."""
DOCUMENTED = "¿Es buen momento para solicitar excedencia en CGI?"
MARK = re.compile(r" +# (en|es)")
SENTENCE = re.compile(r' +- (".*")')

EVIDENCE = {
    # Source: spec/4, 3.5.
    "market": False,
    "brand": False,
    "tax": True,
    "transition": True,
    "system": False,
    "growth": False,
    "lab": False,
}


@pytest.fixture(scope="module")
def shipped() -> Pack:
    return pack_shipped()


def sentences(pack: Pack) -> list[tuple[str, str, str]]:
    """Domain, fine label and sentence; what is outside comes last, with "" for a domain."""
    inside = [
        (domain.key, label, one) for domain in pack.domains for label, many in domain.examples.items() for one in many
    ]
    return inside + [("", label, one) for label, many in pack.outside.items() for one in many]


def marked() -> dict[str, str]:
    """The language of each sentence of the file, as the mark above it says."""
    language, found = "", {}
    for line in (FOLDER / "anclora-1.0.0.yaml").read_text(encoding="utf-8").splitlines():
        if mark := MARK.fullmatch(line):
            language = mark[1]
        elif sentence := SENTENCE.fullmatch(line):
            found[yaml.safe_load(sentence[1])] = language
    return found


def test_it_has_the_seven_domains_in_their_order(shipped: Pack) -> None:
    assert shipped.keys == DOMAIN_KEYS
    shipped.require_query_plan_keys()


def test_every_domain_has_forty_examples_in_each_language_and_every_label_some(shipped: Pack) -> None:
    languages = marked()
    of_domain: Counter[tuple[str, str]] = Counter()
    of_label: Counter[tuple[str, str, str]] = Counter()
    for domain, label, sentence in sentences(shipped):
        of_domain[domain, languages[sentence]] += 1
        of_label[domain, label, languages[sentence]] += 1
    few = {key: count for key, count in of_domain.items() if count < LEAST}
    missing = [
        (domain, label, language)
        for domain, label in {(domain, label) for domain, label, _ in of_label}
        for language in ("en", "es")
        if of_label[domain, label, language] < 4
    ]
    assert (few, missing, len(of_domain)) == ({}, [], 2 * (len(DOMAIN_KEYS) + 1))


def test_the_marks_say_what_the_sentences_are_written_in() -> None:
    languages = marked()
    other = [text for text, language in languages.items() if language_of(text, otherwise=language) != language]  # type: ignore[arg-type]
    assert len(other) < 0.03 * len(languages), other


def test_no_sentence_stands_twice_and_no_keyword_in_two_domains(shipped: Pack) -> None:
    said = Counter(same(sentence) for _, _, sentence in sentences(shipped))
    words = Counter(keyword for domain in shipped.domains for keyword in domain.keywords)
    assert [text for text, count in (said + words).items() if count > 1] == []


def test_every_domain_says_when_and_when_not_in_both_languages(shipped: Pack) -> None:
    for domain in shipped.domains:
        for texts in (domain.title, domain.use_when, domain.not_when):
            assert set(texts) == {"en", "es"}
        others = [key for key in DOMAIN_KEYS if key != domain.key]
        assert sum(key in domain.not_when["en"] for key in others) >= 4
        assert len(domain.keywords) >= 20


def test_section_3_5_evidence_is_by_the_documented_table(shipped: Pack) -> None:
    assert {domain.key: domain.evidence for domain in shipped.domains} == EVIDENCE
    validating = {domain.key for domain in shipped.domains if domain.rests_on_evidence("validation")}
    assert validating == {"market", "system", "tax", "transition"}
    assert shipped.domain("transition").rests_on_evidence("leaving")


def test_section_10_leaving_brings_the_market_and_the_example_itself_is_not_learnt(shipped: Pack) -> None:
    assert shipped.domain("transition").brings == {"leaving": ("market",)}
    assert same(DOCUMENTED) not in {same(sentence) for _, _, sentence in sentences(shipped)}
    assert not [sentence for _, _, sentence in sentences(shipped) if "CGI" in sentence]


def test_the_boundary_cases_are_there(shipped: Pack) -> None:
    """Sentences with a word of another domain, where they belong."""
    home = {same(sentence): domain for domain, _, sentence in sentences(shipped)}
    cases = {
        "The tax CRM keeps losing invoices, how do we fix the set-up?": "system",
        "Can I raise the price of my service without losing owners?": "growth",
        "How would you explain buying costs and taxes in a carousel post without boring everybody?": "brand",
        "¿Me puedo desgravar el curso de agente inmobiliario?": "tax",
        "Has interest in premium villas with sea views cooled off or do they still sell within weeks?": "market",
        "is a lab a good dog for a flat with small children": "",
        "la transición española para un trabajo de bachillerato": "",
    }
    assert {text: home.get(same(text)) for text in cases} == cases


@each("path", sorted(FOLDER.glob("*.yaml")))
def test_a_version_is_never_changed_in_place(path: Path) -> None:
    assert pack_load_shipped(path).reference == path.stem[::-1].replace("-", "@", 1)[::-1]


def test_every_digest_has_its_file() -> None:
    known = json.loads(DIGESTS.read_text(encoding="utf-8"))
    assert set(known) == {pack_load(path).reference for path in FOLDER.glob("*.yaml")}


def test_a_shipped_pack_that_was_changed_is_refused(tmp_path: Path) -> None:
    source = (FOLDER / "anclora-1.0.0.yaml").read_text(encoding="utf-8")
    changed, other, renamed = (tmp_path / f"{name}.yaml" for name in ("anclora-1.0.0", "anclora-1.0.1", "anclora-2"))
    changed.write_text(source.replace("sandbox", "sand box", 1), encoding="utf-8")
    other.write_text(source.replace("anclora@1.0.0", "anclora@1.0.1"), encoding="utf-8")
    renamed.write_text(source, encoding="utf-8")
    for path, said in ((changed, "changed without a new version"), (other, "is not in"), (renamed, "holds anclora@1")):
        with pytest.raises(PackRefused, match=said):
            pack_load_shipped(path)
