"""The registry of known flags."""

import pytest
from django.utils import translation

from routing.understanding.flags import KNOWN_FLAGS, flag_meaning, flag_title
from tests.routing.strategies import FLAGS, plan_made

OF_DECISIONS = {
    "overengineering-risk", "labor-risk", "tax-risk", "brand-risk", "focus-risk", "needs-clarification",
    "audit-write-failed", "strategic-mode-parse-failed", "lab-access-denied", "strategic-misalignment-detected",
}  # fmt: skip


def test_section_3_10_the_documented_flags_are_known_and_no_others() -> None:
    assert {name for name, flag in KNOWN_FLAGS.items() if "plan" in flag.seen_on} == set(FLAGS)
    assert {name for name, flag in KNOWN_FLAGS.items() if "decision" in flag.seen_on} == OF_DECISIONS
    assert set(KNOWN_FLAGS) == set(FLAGS) | OF_DECISIONS


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_known_flag_has_words_of_its_own(language: str) -> None:
    with translation.override(language):
        assert len({flag_title(name) for name in KNOWN_FLAGS} - set(KNOWN_FLAGS)) == len(KNOWN_FLAGS)
        assert all(flag_meaning(name) for name in KNOWN_FLAGS)


def test_section_7_a_new_flag_needs_no_new_version() -> None:
    assert plan_made(flags=["never-seen-before"]).flags == ["never-seen-before"]
    assert (flag_title("never-seen-before"), flag_meaning("never-seen-before")) == ("never-seen-before", "")
