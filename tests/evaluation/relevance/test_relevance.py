"""Relevance by itself: the scenarios' figures, the labelled cases, what users say, and hostile results."""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from evaluation.contracts import CriterionResult, Reason
from evaluation.relevance import relevance_of, relevance_weighed
from evaluation.relevance.completeness import task_types_known
from evaluation.relevance.feedback import satisfaction_of
from evaluation.relevance.words import alike, meaning_words
from language.word_lists import entries_of
from planning.understanding.types.classifier import types_read

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data" / "relevance" / "cases.jsonl").read_text("utf-8").splitlines()
]
CHAT_NOIR = {"restaurant": "Le Chat Noir", "cuisine": "French", "ambiance": "romantic", "price": "$$"}


@dataclass
class Hotel:
    quality: int
    price: int


def check(criterion: str, met: bool | None) -> CriterionResult:
    reason = Reason.DATA_MISSING if met is None else None
    return CriterionResult(criterion=criterion, source=criterion, met=met, reason=reason)


@pytest.mark.parametrize(
    "task",
    ["hotel without breakfast (cheap)", "hotel sin desayuno (barato)", "no pets:quiet room", "a room, not noisy;cheap"],
)
def test_a_denial_ends_with_its_clause(task: str) -> None:
    words = dict(meaning_words(task, frozenset()))
    assert not any(words.get(word) for word in ("cheap", "barato", "quiet"))
    assert any(words.get(word) for word in ("breakfast", "desayuno", "pets", "noisy"))


def test_a_colon_in_a_time_or_a_link_parts_no_number() -> None:
    assert [word for word, _ in meaning_words("at 18:30, not before", frozenset())] == ["at", "18:30", "before"]


@pytest.mark.parametrize(
    "pair", ["mes meses", "ley leyes", "gas gases", "club clubes", "bus buses", "box boxes", "tax taxes", "size sizes"]
)
def test_one_and_many_are_alike(pair: str) -> None:
    assert alike(*pair.split())


def test_scenario_9_assess_relevance_score() -> None:
    score = relevance_of("Find romantic restaurant in Paris", CHAT_NOIR)
    assert 0.8 <= score <= 1.0
    assert score.breakdown.task_match == pytest.approx(0.9, abs=0.05)
    assert score.breakdown.user_satisfaction == pytest.approx(0.85, abs=0.05)
    assert score.score_breakdown.completeness == 1.0


def test_scenario_6_all_met_and_confirmed_is_exactly_one() -> None:
    result = {"hotel_selected": Hotel(quality=8, price=150), "user_feedback": "confirmed"}
    checks = [
        check("Hotel quality >= 7", True),
        check("Price within budget ($200)", True),
        check("User confirms", True),
    ]
    for task in ("Book hotel", "Book hotel in Paris"):
        assert relevance_of(task, result, checks) == 1.0
        assert relevance_of(task, result) > 0.8
        assert relevance_of(task, result, [*checks, check("Hotel has pool", None)]) < 1.0
        assert relevance_of(task, {"hotel_selected": Hotel(8, 150)}, checks) == 1.0, "the check itself says it"
        assert relevance_of(task, {"hotel_selected": Hotel(8, 150)}, checks[:2]) < 1.0, "nobody confirmed it"


def test_scenario_7_a_rejected_result_is_about_a_third() -> None:
    result = {"hotel_selected": Hotel(quality=5, price=80), "user_feedback": "rejected - too low quality"}
    checks = [check("Hotel quality >= 7", False), check("User confirms", False)]
    for task in ("Book hotel", "Book hotel in Paris"):
        for score in (relevance_of(task, result, checks), relevance_of(task, result)):
            assert score == pytest.approx(0.3, abs=0.1)
            assert score.breakdown.user_satisfaction < 0.2
        assert relevance_of(task, {"hotel_selected": Hotel(5, 80)}, checks) < 0.5, "the check itself says it"


def test_results_that_serve_their_task_are_told_from_others() -> None:
    wrong, banded, rows, right = [], 0, Counter[str](), Counter[str]()
    for case in CASES:
        score = float(relevance_of(case["task"], case["result"]))
        good = (score >= 0.5) == case["relevant"]
        banded += case["low"] <= score <= case["high"]
        for group in ("all", case["lang"], f"batch {case['batch']}", str(case["relevant"])):
            rows[group] += 1
            right[group] += good
        if not good:
            wrong.append(f"{score:.2f} {case['kind']}: {case['task']} | {json.dumps(case['result'])[:100]}")
    shares = {group: right[group] / rows[group] for group in rows}
    assert all(share > 0.85 for share in shares.values()), "\n".join((str(shares), *wrong))
    assert banded / len(CASES) > 0.85
    assert rows["all"] >= 150
    assert min(rows["en"], rows["es"]) >= 0.35 * rows["all"]


def test_what_the_user_says_decides_whatever_the_match() -> None:
    rejected = ("rejected", "no, thanks", "rechazado", "demasiado caro", False, "1/5")
    confirmed = ("confirmed", "perfect, thank you", "confirmado", "me encanta", True, "5/5")
    wrong = []
    relevant = [case for case in CASES if case["kind"] == "match" and isinstance(case["result"], dict)]
    for at, case in enumerate(relevant):
        no, yes = rejected[at % len(rejected)], confirmed[at % len(confirmed)]
        name = "user_confirmed" if isinstance(no, bool) else ("user_feedback", "opinion_usuario")[at % 2]
        bare = relevance_of(case["task"], case["result"])
        against = relevance_of(case["task"], {**case["result"], name: no})
        in_favour = relevance_of(case["task"], {**case["result"], name: yes})
        if not against < 0.5 <= in_favour or against > bare or in_favour < bare:
            wrong.append(f"{against:.2f} {bare:.2f} {in_favour:.2f} {case['task']} ({no}, {yes})")
    assert not wrong, "\n".join(wrong)


SAID = {
    "rejected - too low quality": False, "No me gusta, está demasiado lejos": False, "No thanks, too heavy": False,
    "not bad at all": True, "I don't like it": False, "It's fine but too expensive": False,
    "a bit expensive but I'll take it": True, "User does not confirm": False, "unconfirmed": False,
    "no confirmado": False, "Sí, me las quedo, gracias": True, "¡Perfecto, nos encanta!": True, "sí": True, "no": False,
    "never disappointed": True, "No problem, book it": True, "No era lo que pedí": False, "me quedo con este": True,
    "no estoy contento": False, "nothing to complain about": True, "pending": None, "I'll think about it": None,
    "todavía no lo sé": None, "": None,
}  # fmt: skip


def test_denials_that_contain_the_word_are_denials() -> None:
    wrong = []
    for text, liked in SAID.items():
        said = satisfaction_of(text)
        if (said is None) is not (liked is None) or (said is not None and (said >= 0.5) is not liked):
            wrong.append(f"{text}: {said}")
    assert not wrong, "\n".join(wrong)


def test_no_result_an_empty_one_and_an_error_are_worth_nothing() -> None:
    results: list[Any] = [
        None, "", {}, [], {"results": []}, {"vuelos": [], "total": 0}, {"error": "no hotels found"},
        {"hotel": None, "price": "n/a"}, {"query": "Book hotel in Paris", "results": []},
        {"status": "failed", "message": "payment declined"}, "No se encontraron hoteles",
    ]  # fmt: skip
    for result in results:
        assert relevance_of("Book hotel in Paris", result) < 0.15, result
    assert relevance_of("", CHAT_NOIR) < 0.15


def test_the_task_itself_is_no_result() -> None:
    task = "Book hotel in Paris"
    for result in (task, {"text": task}, {"answer": f"Task: {task}"}, [task.upper()]):
        assert relevance_of(task, result) < 0.15, result
    assert relevance_of(task, {"request": task, "hotel": "Lutetia", "city": "Paris"}) > 0.5


def test_what_a_diet_or_a_price_level_rules_out_is_no_match() -> None:
    wrong = []
    for task, result, fits in (
        ("Recommend a vegan dish", {"dish": "Beef stew"}, False),
        ("Recommend a vegan dish", {"dish": "Vegan beef burger"}, True),
        ("Recommend a vegan dish", {"dish": "Curry with coconut milk"}, True),
        ("Recommend a vegan dish", {"dish": "Lentil dish, no cheese"}, True),
        ("Recomienda un plato vegetariano", {"plato": "Pollo asado"}, False),
        ("Find a dessert without nuts", {"dessert": "Walnut cake with hazelnut cream"}, False),
        ("Find a cheap hotel", {"hotel": "Ritz", "price": "$1,500"}, False),
        ("Find a cheap hotel", {"hotel": "Ibis", "price": "$60"}, True),
        ("Find a cheap hotel", {"hotel": "Ibis", "total price": 420}, True),
        ("Find a cheap hotel", {"hotel": "Toyoko Inn", "price": "8,000 JPY"}, True),
        ("Busca un hotel barato", {"hotel": "Palace", "precio": "900 €"}, False),
    ):
        score = relevance_of(task, result)
        if (score >= 0.5) is not fits:
            wrong.append(f"{score:.2f} {task}: {result}")
    assert not wrong, "\n".join(wrong)


def test_checks_that_come_later_weigh_the_same() -> None:
    checks = [check("Price within budget ($200)", True), check("User confirms", True)]
    result = {"hotel": Hotel(quality=8, price=150)}
    for some in ([], checks[:1], checks, [check("Hotel quality >= 9", False)]):
        now = relevance_of("Book hotel", result, some)
        later = relevance_weighed(relevance_of("Book hotel", result), some)
        assert later == now
        assert later.breakdown == now.breakdown
    failed = relevance_of("Book hotel", result, [check("Hotel quality >= 9", False)])
    assert failed < relevance_of("Book hotel", result) <= relevance_of("Book hotel", result, checks[:1])


class Raising:
    name = "Ritz"

    @property
    def price(self) -> int:
        raise RuntimeError("not now")


def hostile() -> list[Any]:
    ring: dict[str, Any] = {"hotel": "Ritz"}
    ring["again"] = ring
    deep: Any = "Ritz"
    for _ in range(5_000):
        deep = {"hotel": deep}
    return [
        ring, deep, {"hotel": Raising()}, SimpleNamespace(hotel="Ritz"), (number for number in range(3)), 10**400,
        {"hotel": "r" * 2_000_000}, {f"hotel_{number}": "word " * 50 for number in range(20_000)},
        [{"hotel": "Ritz, " * 1_000}] * 3_000, {"\ud800": "\udfff\x00"}, {1: {2: {None: float("nan")}}}, b"\xff\xfe",
        {"user_feedback": "no " * 300_000}, {"date": "1/1/" * 50_000}, {"price": "9" * 100_000},
    ]  # fmt: skip


@pytest.mark.hard
def test_hostile_results_and_tasks_give_a_score_soon() -> None:
    relevance_of("Book hotel", CHAT_NOIR)
    tasks = (
        "Book hotel in Paris under $200 for 2 nights on Dec 15",
        "x" * 1_000_000,
        "no " * 5_000,
        "\ud800 \x00 hotel",
    )
    for result in hostile():
        for task in tasks:
            assert 0 <= relevance_of(task, result) <= 1


def test_the_data_files_speak_of_types_that_planning_has() -> None:
    assert task_types_known() - set(types_read()) - {"lesson"} == set()


def test_a_fault_in_a_data_file_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "broken.txt").write_text("# a remark\nfine: one, two\nno colon here\n")
    with pytest.raises(ValueError, match=r"broken\.txt, line 3"):
        list(entries_of(tmp_path / "broken.txt"))
