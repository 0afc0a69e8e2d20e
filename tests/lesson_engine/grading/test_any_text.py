import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lesson_engine.contracts import Ask, Reply, VerdictResult
from lesson_engine.grading import Embed, grade
from tests.lesson_engine.grading.asks import EVERY_KIND

SCRAPS = "no sé agua luz CO2 verde refleja absorbe 5 1/2 50% kg km/h = o y , ; ^ ** ( ) - . e 10 sin ni pero ½ \u200b"
WORDS = st.sampled_from(SCRAPS.split())
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=()), max_size=2000),
    st.lists(WORDS, max_size=60).map(" ".join),
    st.lists(WORDS, max_size=60).map("".join),
)


@pytest.mark.parametrize("asked", EVERY_KIND, ids=lambda asked: f"{asked.answer.kind}")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=TEXTS, language=st.sampled_from(["es", "en", "es-MX", "fr"]))
def test_any_text_gets_one_verdict(asked: Ask, text: str, language: str, embed: Embed) -> None:
    verdict = grade(asked, Reply(text=text), language=language, embed=embed)
    assert verdict == grade(asked, Reply(text=text), language=language, embed=embed)
    assert json.loads(verdict.model_dump_json())["details"] == verdict.details
    assert not verdict.no_attempt or verdict.result is VerdictResult.REJECT


@pytest.mark.parametrize("asked", EVERY_KIND, ids=lambda asked: f"{asked.answer.kind}")
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(codes=st.lists(st.one_of(st.text(max_size=20), st.sampled_from(["aire", "suelo", "musgo", "seta"])), max_size=8))
def test_any_choices_get_a_verdict(asked: Ask, codes: list[str], embed: Embed) -> None:
    assert grade(asked, Reply(choices=tuple(codes)), language="es", embed=embed).rule
