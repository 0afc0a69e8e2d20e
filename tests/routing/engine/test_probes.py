"""Probes of the router, all executed: what it may not do, and how much of what it should do it does."""

from collections import Counter
from itertools import chain

import pytest

from routing.contracts.values import DOMAIN_KEYS
from routing.packs.pack import pack_shipped
from routing.packs.reading import same
from routing.understanding.flags import KNOWN_FLAGS
from tests.conftest import RowsOfModule
from tests.each import each
from tests.routing.engine.probing import (
    UNMET,
    Outcome,
    Probe,
    ProbeRefused,
    probes_executed,
    probes_read,
    probes_shipped,
    unmet_known,
)

NOT_THE_ROUTERS = {"strategic-mode-parse-failed", "lab-access-approved"}
"""Flags of plans that no message leads to: the strategic mode's, and that of whoever approves the laboratory."""
PROBES = probes_shipped()
ALL = list(chain.from_iterable(PROBES.values()))


@pytest.fixture(scope="module")
def outcomes(module_rows: RowsOfModule) -> dict[str, list[Outcome]]:
    with module_rows():  # the embedder may look into its cache
        return {name: probes_executed(probes) for name, probes in PROBES.items()}


def told(outcomes: list[Outcome]) -> str:
    return "\n".join(f"{one.probe.id}: {'; '.join(one.broken + one.short)}" for one in outcomes if not one.passed)


def test_no_plan_has_what_is_forbidden(outcomes: dict[str, list[Outcome]]) -> None:
    broken = [outcome for outcome in chain.from_iterable(outcomes.values()) if outcome.broken]
    assert not broken, told(broken)


def test_every_probe_passes_but_those_that_are_known_to_fall_short(outcomes: dict[str, list[Outcome]]) -> None:
    short = {one.probe.id: one for one in chain.from_iterable(outcomes.values()) if not one.passed}
    dropped = [one for name, one in short.items() if name not in unmet_known()]
    assert not dropped, told(dropped)
    met = unmet_known() - set(short)
    assert not met, f"better than before: take {sorted(met)} out of {UNMET.name}"


def test_few_are_known_to_fall_short_and_all_of_them_are_probes() -> None:
    assert unmet_known() <= {probe.id for probe in ALL}
    assert len(unmet_known()) <= 0.1 * len(ALL)


def test_section_10_the_documented_example_comes_first_and_passes(outcomes: dict[str, list[Outcome]]) -> None:
    first = outcomes[next(iter(PROBES))][0]
    assert first.probe.message == "¿Es buen momento para solicitar excedencia en CGI?"
    assert first.passed, told([first])
    assert (set(first.plan.domains_selected), first.plan.mode) == ({"transition", "market"}, "deep")
    assert (first.plan.confidence, list(first.plan.flags)) == ("high", [])


def test_every_domain_flag_mode_phase_and_tag_has_its_probes() -> None:
    expected = Counter(domain for probe in ALL for domain in probe.expected)
    flags = Counter(flag for probe in ALL for flag in {*probe.flags, *(probe.flags_exactly or ())})
    forbidden = Counter(flag for probe in ALL for flag in probe.forbidden_flags)
    tags = Counter(tag for probe in ALL for tag in probe.tags)
    assert all(expected[domain] >= 10 for domain in DOMAIN_KEYS if domain != "lab"), expected
    assert not expected["lab"]
    of_plans = {name for name, flag in KNOWN_FLAGS.items() if "plan" in flag.seen_on}
    assert set(flags) == of_plans - NOT_THE_ROUTERS
    assert min(flags.values()) >= 2, flags
    assert set(forbidden) >= of_plans - {"strategic-mode-parse-failed"}
    assert tags >= Counter(document=5, negative=14, collision=19), tags
    assert {probe.phase for probe in ALL} == {2, 3, 4, 5}
    assert {probe.mode for probe in ALL} == {None, "fast", "deep"}
    assert {probe.hint for probe in ALL} == {"auto", *DOMAIN_KEYS}


def test_each_language_has_about_half_and_each_file_both() -> None:
    languages = Counter(probe.language for probe in ALL)
    assert len(ALL) >= 150
    assert min(languages.values()) >= 0.4 * len(ALL)
    assert [name for name, probes in PROBES.items() if {probe.language for probe in probes} != {"en", "es"}] == []


def test_no_probe_is_an_example_of_the_pack() -> None:
    pack = pack_shipped()
    groups = [*(domain.examples for domain in pack.domains), pack.outside]
    learnt = {same(sentence) for labels in groups for sentences in labels.values() for sentence in sentences}
    assert [probe.id for probe in ALL if same(probe.message) in learnt] == []


@pytest.mark.django_db
def test_a_probe_tells_what_falls_short_and_what_is_forbidden() -> None:
    probe = Probe(
        id="all-wrong",
        message="¿Qué IVA llevan mis honorarios?",
        language="es",
        expected=("brand",),
        forbidden=("tax",),
        flags=("mode-forced-deep",),
        confidence=("low",),
        expected_mode="deep",
        needs_evidence=True,
        needs_skills=True,
        flags_exactly=("needs-clarification",),
    )
    (outcome,) = probes_executed([probe])
    assert not outcome.passed
    assert outcome.broken == ("tax is forbidden",)
    assert outcome.short == (
        "brand is missing",
        "the flag mode-forced-deep is missing",
        "the flags are []",
        "the confidence is high",
        "the mode is fast",
        "needs_evidence is False",
        "needs_skills is False",
    )


@pytest.mark.django_db
@each(
    ("text", "said"),
    [
        ("{", "x.yaml: "),
        ("a: b", "x.yaml: is no list of probes"),
        ("- {id: one, message: hi, language: fr}", "x.yaml, probe 1: language: "),
        ("- {id: one, message: hi, language: en, expcted: [tax]}", "x.yaml, probe 1: expcted: "),
        ("- 3", "x.yaml, probe 1: "),
    ],
)
def test_a_file_that_holds_no_probes_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(ProbeRefused) as caught:
        probes_read(text, "x.yaml")
    assert str(caught.value).startswith(said)
