"""What follows from a reading: pure rules, without a classifier."""

from typing import Any

import pytest

from routing.contracts.reading import DomainScore, Reading
from routing.understanding.deciding import HintRead, Wishes, decide


def reading(shares: dict[str, float], *, probability: float = 0.95, in_scope: float = 0.99, **more: Any) -> Reading:
    ordered = sorted(shares.items(), key=lambda item: -item[1])
    return Reading(
        language="en",
        scores=tuple(DomainScore(domain=key, share=share) for key, share in ordered),
        label="x",
        probability=probability,
        in_scope=in_scope,
        certainty=more.get("certainty", "high" if probability >= 0.9 else "medium"),
        margin=0.5,
        similarity=0.6,
        agree=True,
    )


CLEAR = reading({"tax": 0.97, "brand": 0.02, "growth": 0.01}, probability=0.98)
TORN = reading({"tax": 0.5, "brand": 0.45, "growth": 0.05}, probability=0.55)
NOWHERE = reading({"tax": 0.5, "brand": 0.3, "growth": 0.2}, probability=0.05, in_scope=0.1, certainty="low")


def test_a_clear_question_is_fast_and_has_one_domain() -> None:
    found = decide(CLEAR, Wishes())
    assert (found.domains, found.mode, found.confidence, found.flags) == (("tax",), "fast", "high", ())


def test_a_question_between_two_domains_keeps_both_and_says_so() -> None:
    found = decide(TORN, Wishes())
    assert found.domains == ("tax", "brand")
    assert found.mode == "deep"
    assert found.flags == ("router-ambiguity-detected",)
    assert found.confidence == "medium"


def test_fast_keeps_two_at_most() -> None:
    torn = reading({"tax": 0.36, "brand": 0.33, "growth": 0.31}, probability=0.4)
    assert decide(torn, Wishes(mode="fast")).domains == ("tax", "brand")
    assert decide(torn, Wishes(mode="deep")).domains == ("tax", "brand", "growth")


def test_a_question_that_belongs_nowhere_has_the_nearest_domain_alone() -> None:
    found = decide(NOWHERE, Wishes(), parts=("brand",), brings={"tax": ("growth",)})
    assert (found.domains, found.flags, found.confidence) == (("tax",), ("needs-clarification",), "low")


@pytest.mark.parametrize(
    ("read", "hint", "domains", "what"),
    [
        (CLEAR, "tax", ("tax",), HintRead.RESPECTED),
        (CLEAR, "brand", ("tax",), HintRead.OVERRIDDEN),
        (NOWHERE, "growth", ("growth",), HintRead.RESPECTED),
        (
            reading({"tax": 0.9, "brand": 0.05, "growth": 0.05}, probability=0.8),
            "growth",
            ("growth", "tax"),
            HintRead.EXPANDED,
        ),
    ],
)
def test_section_3_2_what_becomes_of_a_hint(read: Reading, hint: Any, domains: tuple[str, ...], what: HintRead) -> None:
    found = decide(read, Wishes(hint=hint))
    assert (found.domains, found.hint) == (domains, what)
    assert ("domain-hint-overridden" in found.flags) == (what is HintRead.OVERRIDDEN)


def test_a_domain_that_is_brought_along_makes_a_question_deep_but_not_ambiguous() -> None:
    found = decide(CLEAR, Wishes(), brings={"tax": ("growth", "lab")})
    assert (found.domains, found.mode, found.flags, found.brought) == (("tax", "growth"), "deep", (), ("growth",))
    assert decide(CLEAR, Wishes(mode="fast"), brings={"tax": ("growth",)}).domains == ("tax",)


def test_more_than_fast_can_hold_forces_deep() -> None:
    found = decide(CLEAR, Wishes(mode="fast"), parts=("brand", "growth"))
    assert found.mode == "deep"
    assert found.flags == ("mode-forced-deep",)
    assert len(found.domains) == 3
    assert decide(CLEAR, Wishes(mode="fast"), parts=("brand",)).mode == "fast"


def test_the_laboratory_is_never_chosen_and_what_is_near_it_is_never_sure() -> None:
    found = decide(reading({"lab": 0.98, "system": 0.015, "tax": 0.005}), Wishes())
    assert "lab" not in found.domains
    assert found.confidence != "high"


def test_who_insists_gets_their_domain_alone() -> None:
    found = decide(TORN, Wishes(hint="growth", insists=True), parts=("brand",))
    assert found.domains == ("growth",)
    assert found.confidence == "high"
    assert found.flags == ()
    assert decide(NOWHERE, Wishes(hint="growth", insists=True)).confidence == "medium"


def test_an_opinion_raises_low_to_medium_and_never_to_high() -> None:
    low = reading({"tax": 0.4, "brand": 0.35, "growth": 0.25}, probability=0.28, in_scope=0.55, certainty="low")
    found = decide(low, Wishes(), opinion="brand")
    assert found.domains[0] == "brand"
    assert found.confidence == "medium"
    assert decide(CLEAR, Wishes(), opinion="tax").confidence == "medium"


def test_a_hint_that_the_pack_does_not_have_is_overridden() -> None:
    found = decide(reading({"tax": 0.9, "brand": 0.1}, probability=0.8), Wishes(hint="growth"))
    assert found.domains == ("tax",)
    assert found.flags == ("domain-hint-overridden",)
