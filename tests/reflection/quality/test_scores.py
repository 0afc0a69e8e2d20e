"""Scores: equal to the documented algorithms on English, the same for Spanish, and what is denied does not count."""

import json
import random
from pathlib import Path
from typing import Any

from reflection.contracts import Reflection
from reflection.quality import ActionabilityChecker, DepthAnalyzer, PatternValidator, ReflectionQualityValidator
from reflection.quality.depth import indicators
from reflection.quality.measures import completeness_of
from reflection.quality.metrics import WEIGHTS, quality_of
from tests.reflection import documented_quality as documented

DATA = Path(__file__).parents[1] / "data"
FILLER = (
    "the hotel was cheap", "user wanted quality", "and", "7 > 5", "in Paris", ".", "\n", "\t", "strategies", "methods",
    "reapproach", "Because", "DUE TO", "due  to", "conflicts with", "root cause", "\x00", "(again)", "price, price",
    "selected", "wrong", "the 1st result of Tuesday's search", "x" * 60,
)  # fmt: skip
BEGINNINGS = (
    "change",
    "Change",
    "add constraint:",
    "set",
    "increase",
    "decrease",
    "remove",
    "filter",
    "removed",
    "REMOVE",
)
JOINS = (
    "to",
    "=",
    "by",
    "from",
    "where",
    "it",
    "priority",
    "\n",
    "quality >= 7",
    "improve",
    "do better",
    "pay attention",
)
COMPLETE: dict[str, Any] = {
    "analysis": "My budget-first strategy is in the way because I assumed that price matters most, a poor approach.",
    "patterns_identified": ["cheap hotels are rejected"],
    "strategy_adjustments": ["Change priority from price to quality"],
    "learning": "Search by quality first where it is asked for; it prevents rejections.",
}


def english(random_: random.Random) -> str:
    indicators_ = [one for ones in documented.DEPTH_INDICATORS.values() for one in ones if "n't" not in one]
    parts = random_.choices([*FILLER, *indicators_], k=random_.randrange(0, 14))
    return random_.choice([" ", " ", ", ", ""]).join(parts) * random_.choice([1, 1, 1, 9])


def proposed(random_: random.Random) -> str:
    parts = [random_.choice(BEGINNINGS), *random_.choices([*BEGINNINGS, *JOINS], k=random_.randrange(0, 7))]
    return random_.choice([" ", " ", "  "]).join(parts)


def test_section_3_depth_equals_the_documented_algorithm() -> None:
    random_ = random.Random(7)
    texts = [english(random_) for _ in range(600)] + ["", "x" * 49, "x" * 50, "strategy approach " * 3, "a" * 20_000]
    analyzer = DepthAnalyzer()
    wrong = [text for text in texts if analyzer.assess_depth(text) != documented.depth(text)]
    assert wrong == []
    assert len({round(documented.depth(text), 1) for text in texts}) >= 6


def test_section_4_a_spanish_word_in_an_english_adjustment_changes_nothing() -> None:
    random_ = random.Random(7)
    words = ["poner", "mejorar", "quitar", "reduce", "en", "a", "=", "cafe", "Paris"]
    lists = []
    for _ in range(2_000):
        parts = [["the", "with", "of the", "for my", *BEGINNINGS], [*JOINS, *BEGINNINGS, "the hotel"], words, ["users"]]
        lists.append([" ".join(random_.choice(part) for part in parts) for _ in range(random_.randrange(0, 5))])
    checker = ActionabilityChecker()
    assert [one for one in lists if checker.score(one) != documented.actionability(one)] == []


def test_section_4_actionability_equals_the_documented_algorithm() -> None:
    random_ = random.Random(7)
    lists = [[proposed(random_) for _ in range(random_.randrange(0, 11))] for _ in range(600)]
    lists += [["change  to x"], ["change x to "], ["remove "], ["remove x"], ["set a=b"], ["add constraint: x"]]
    checker = ActionabilityChecker()
    wrong = [one for one in lists if checker.score(one) != documented.actionability(one)]
    assert wrong == []
    assert {documented.actionability(one) for one in lists} == {0.0, 0.4, 0.6, 0.8, 1.0}


def test_section_5_pattern_validity_equals_the_documented_algorithm() -> None:
    random_ = random.Random(7)
    words = ["cheap", "hotel", "quality", "Rejected", "price,", "Paris", "art", "late", "low-cost", "a"]
    wrong = []
    for _ in range(300):
        pattern = " ".join(random_.choices(words, k=random_.randrange(1, 8)))
        episodes = [
            " ".join(random_.choices(words, k=random_.randrange(0, 9))) for _ in range(random_.randrange(0, 12))
        ]
        found = PatternValidator().validate_against(pattern, episodes)
        if found != documented.pattern_validity(pattern, episodes):
            wrong.append((pattern, episodes, found))
    assert wrong == []


def test_section_2_completeness_and_the_overall_score_equal_the_documented_algorithms() -> None:
    for chosen in range(16):
        fields = {name: value for place, (name, value) in enumerate(COMPLETE.items()) if chosen & 1 << place}
        for reflection in (Reflection(**fields), Reflection(**{"learning": "x" * 10, **fields})):
            assert completeness_of(reflection) == documented.completeness(reflection), fields
    assert WEIGHTS == documented.WEIGHTS
    random_ = random.Random(7)
    for _ in range(50):
        metrics = {name: random_.random() for name in WEIGHTS}
        assert abs(quality_of(metrics) - documented.quality_score(metrics)) < 1e-9


def test_section_2_a_whole_reflection_scores_as_documented() -> None:
    reflection = Reflection(**COMPLETE, task="Book hotel in Paris", user_id=None)
    metrics = dict(ReflectionQualityValidator().validate_reflection(reflection).metrics)
    assert metrics["depth_score"] == documented.depth(reflection.analysis)
    assert metrics["actionability_score"] == documented.actionability(reflection.strategy_adjustments)
    found = ReflectionQualityValidator().validate_reflection(reflection)
    assert abs(found.quality_score - documented.quality_score(metrics)) < 1e-9


def test_the_documented_lists_are_the_class_attributes() -> None:
    assert DepthAnalyzer.DEPTH_INDICATORS == documented.DEPTH_INDICATORS
    assert ActionabilityChecker.ACTIONABLE_PATTERNS == documented.ACTIONABLE_PATTERNS
    assert ActionabilityChecker.VAGUE_PATTERNS == documented.VAGUE_PATTERNS


def test_section_3_a_denied_indicator_does_not_count() -> None:
    wrong = []
    for line in (DATA / "quality_denied.txt").read_text(encoding="utf-8").splitlines():
        sentence, bar, wanted = line.partition("|")
        if bar:
            found = {form for level in ("shallow", "medium", "deep") for form in indicators(sentence)[level]}
            expected = {one.strip() for one in wanted.split(",") if one.strip()}
            if found != expected:
                wrong.append((sentence, sorted(found), sorted(expected)))
    assert wrong == []


def test_section_3_spanish_analyses_go_as_deep_as_their_english_counterparts() -> None:
    wrong = []
    for row in map(json.loads, (DATA / "quality_spanish.jsonl").read_text(encoding="utf-8").splitlines()):
        for text in (row["text"], row["text"].upper(), row["text"].translate(str.maketrans("áéíóúñ", "aeioun"))):
            score = DepthAnalyzer().assess_depth(text)
            if not row["from"] <= score < row["from"] + 0.11:
                wrong.append((text, score, row["from"]))
    assert wrong == []


def test_section_4_spanish_adjustments_score_by_their_phrasing() -> None:
    checker, wrong = ActionabilityChecker(), []
    rows = [json.loads(line) for line in (DATA / "quality_adjustments.jsonl").read_text(encoding="utf-8").splitlines()]
    for row in rows:
        for text in (row["text"], row["text"].upper()):
            kind = "actionable" if checker.is_actionable(text) else "vague" if checker.is_vague(text) else "neither"
            if kind != row["kind"]:
                wrong.append((text, kind))
    assert wrong == []
    assert checker.score([row["text"] for row in rows if row["kind"] == "actionable"]) == 1.0
    assert checker.score([row["text"] for row in rows if row["kind"] == "vague"]) == 0.4


def test_hostile_texts_score_without_complaint() -> None:
    analyses = [
        "it was not because " * 50_000, "did not see any strategy or approach, " * 20_000,
        "no fue porque ni método " * 20_000, "\x00\ud800\u202e" * 100_000, "é" * 1_000_000, "because" * 100_000,
    ]  # fmt: skip
    adjustments = [
        "change " * 20_000, "decrease from to " * 20_000, "do not change to " * 20_000, "set = " * 20_000,
        "\n" * 1_000_000, "no cambiar a " * 20_000, "reducir de a " * 20_000, "remove \ud800", "",
        "filter where" * 20_000,
    ]  # fmt: skip
    assert all(0.2 <= DepthAnalyzer().assess_depth(text) <= 1.0 for text in analyses)
    assert ActionabilityChecker().score(adjustments) in (0.4, 0.6)
    assert PatternValidator().validate_against("a \ud800 " * 50_000, ["\ud800 a" * 10_000] * 50) == 1.0
