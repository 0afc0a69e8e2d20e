"""Relevance and novelty of reflections. The pairs of batch 2 were written after everything was fitted."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from benchmarks.reflection_pairs import Pair, task_pairs, text_pairs
from gateway.contracts import LOCAL_EMBEDDING_MODEL
from language.calibration import LogisticModel
from memory.contracts import ActiveAdjustment
from planning.experience import adjustment_parse, adjustments_apply
from planning.understanding import task_read
from reflection.causes import CauseKind, reflection_of
from reflection.causes.detect.choosing import causes_ranked
from reflection.causes.detect.reading import Case
from reflection.causes.wording.analysis import analysis_of
from reflection.causes.wording.learning import learning_of
from reflection.contracts import Reflection
from reflection.contracts.failure import Failure, PastEpisode
from reflection.likeness import novelty_scored, relevance_scored, scores
from reflection.likeness.scores import FILE, NOVEL, RELEVANT
from reflection.quality.measures import embedded_text, text_of
from tests.each import each
from tests.reflection.failures_made import failure_made

TASK = "Book hotel in Paris"
DEEP = (
    "My budget-first strategy conflicts with the user's preference for quality: I sorted the hotels by price and took"
    " the cheapest one, with quality 5 where at least 7 was wanted. Rank by quality before price in hotel bookings;"
    " this prevents cheap rooms that the user rejects."
)
SAME = (
    "Ordering hotels by price put the cheapest on top, of quality 4 while 8 was wanted: a strategy that puts the budget"
    " first conflicts with this user's preference for quality. In hotel bookings rank by quality and only then by"
    " price, to prevent cheap rooms that get rejected."
)
TRANSLATED = (
    "Mi estrategia de presupuesto primero choca con la preferencia del usuario por la calidad: ordené los hoteles por"
    " precio y tomé el más barato, con calidad 5 cuando se pedía al menos 7. Ordenar por calidad antes que por precio"
    " en reservas de hotel evita habitaciones baratas que el usuario rechaza."
)
OTHER_CAUSE = (
    "I checked availability only after choosing the hotel, and by then the room was gone. The approach verifies too"
    " late, on the incorrect assumption that what is listed can be booked. Ask for free rooms before comparing; this"
    " prevents choosing what nobody can have."
)
BIG_WORDS = (
    "The strategy had a fundamental flaw because the approach relied on an incorrect assumption, a systematic error in"
    " reasoning that was contradictory, due to a methodology that overlooked what was prioritized."
)


def _shares(pairs: Iterable[Pair], right: Iterable[bool]) -> dict[str, float]:
    found: dict[str, list[bool]] = defaultdict(list)
    for pair, is_right in zip(pairs, right, strict=True):
        found[pair.kind].append(is_right)
    return {kind: sum(rows) / len(rows) for kind, rows in found.items()}


def _under(shares: dict[str, float], floors: dict[str, float]) -> dict[str, float]:
    """Those that fall short; a kind that no floor names is an error."""
    floor_of = {kind: next(floor for name, floor in floors.items() if kind.startswith(name)) for kind in shares}
    return {kind: share for kind, share in shares.items() if share < floor_of[kind]}


@cache
def _fresh(of_texts: bool) -> list[Pair]:
    return [pair for pair in (text_pairs() if of_texts else task_pairs()) if pair.batch > 1]


def test_section_1_relevance_from_0_6_tells_a_reflections_own_task_from_others() -> None:
    pairs = _fresh(of_texts=False)
    right = [(relevance_scored(pair.text, pair.other) >= 0.6) is pair.yes for pair in pairs]
    floors = {
        "own task, names nothing of it": 0.4,  # a reader would not know either
        "own task": 0.95,
        "task of another field": 0.9,
        "task of the field": 0.8,
        "big words about nothing": 0.97,
    }
    assert len(pairs) > 400
    assert _under(_shares(pairs, right), floors) == {}


def test_section_1_novelty_under_0_3_tells_copies_from_new_insights() -> None:
    pairs = _fresh(of_texts=True)
    right = [(novelty_scored(pair.text, [pair.other]) < 0.3) is pair.yes for pair in pairs]
    floors = {
        "copy: heavily reworded": 0.0,  # no word is left as it was: taken for new since facts count neither way
        "copy: other task of the kind, reworded": 0.0,
        "copy: ": 0.95,
        "new: other cause beside the old one": 0.65,
        "new: other cause, same template": 0.5,
        "new: ": 0.9,
        "another task": 0.98,
    }
    assert len(pairs) > 600
    assert _under(_shares(pairs, right), floors) == {}


def test_section_1_thresholds_are_where_the_scores_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (RELEVANT, NOVEL) == (0.6, 0.3)
    monkeypatch.setattr(scores, "model_of", lambda name: LogisticModel(weights={}, intercept=0.0))
    assert scores.score("relevance", {}, RELEVANT) == pytest.approx(0.6)
    assert scores.score("repetition", {}, 1 - NOVEL) == pytest.approx(0.7)


def test_calibration_belongs_to_the_embedder_in_use() -> None:
    assert FILE.name == f"{LOCAL_EMBEDDING_MODEL}.json"
    assert FILE.exists()


def test_no_earlier_reflections_leave_full_novelty() -> None:
    assert novelty_scored(DEEP, []) == 1.0
    assert novelty_scored(DEEP, ["", "  ", "…"]) == 1.0


@pytest.mark.parametrize(
    "copy",
    [
        pytest.param(DEEP, id="word for word"),
        pytest.param(DEEP.upper().replace("'", "’"), id="capitals"),
        pytest.param(SAME, id="reworded with other numbers"),
        pytest.param(TRANSLATED, id="translated"),
        pytest.param(f"{DEEP} This has to be kept in mind.", id="an empty sentence added"),
        pytest.param(". ".join(reversed(DEEP.split(". "))), id="sentences in another order"),
    ],
)
def test_near_copies_do_not_pass_as_new_also_among_many(copy: str) -> None:
    others = [f"{BIG_WORDS} Case {number}." for number in range(60)]
    assert novelty_scored(copy, [*others, DEEP]) < 0.3


def test_another_root_cause_of_the_same_task_is_new() -> None:
    assert novelty_scored(OTHER_CAUSE, [DEEP, SAME, TRANSLATED]) >= 0.3


def test_section_1_three_equal_failures_give_three_new_insights_and_a_fourth_that_repeats_is_none() -> None:
    """RF-008. Each time what was adjusted before is in force; the third one says that nobody held the result to it."""
    first = reflection_of(_in_city("Paris"), ())
    second = reflection_of(_in_city("Rome", [first]), ())
    texts = [text_of(first), text_of(second), _unverified(_in_city("Lima", [first, second]), 1)]
    assert [novelty_scored(text, texts[:at]) >= 0.3 for at, text in enumerate(texts)] == [True] * 3
    assert novelty_scored(_unverified(_in_city("Oslo", [first, second]), 2), texts) < 0.3
    assert novelty_scored(text_of(reflection_of(_in_city("Quito", [first]), ())), texts) < 0.3


def _unverified(failure: Failure, attempt: int) -> str:
    cause = next(one for one in causes_ranked(Case(failure)) if one.kind is CauseKind.NOT_VERIFIED)
    return embedded_text(analysis_of(cause, Case(failure), attempt), learning_of(cause, Case(failure)))


def _in_city(city: str, before: Sequence[Reflection] = ()) -> Failure:
    """The same failure in another city; what the reflections before adjusted is in force."""
    made = failure_made(f"Book hotel in {city}")
    parsed = [adjustment_parse(text) for one in before for text in one.strategy_adjustments]
    active = tuple(
        ActiveAdjustment(id=f"r:{at}", reflection_id="r", adjustment=one) for at, one in enumerate(parsed) if one
    )
    past = tuple(
        PastEpisode(str(at), one.task or "", failed=True, features=frozenset({"fails:quality >= 7"}))
        for at, one in enumerate(before)
    )
    plan = adjustments_apply(made.plan, active, task_read(made.plan.task))
    return replace(made, plan=plan, adjustments=active, past=past)


def test_a_new_insight_beside_an_old_one_is_new() -> None:
    added = (
        "Two of the guests use wheelchairs, and the entrance has nine stairs. Accessibility was never asked for because"
        " the approach copies the criteria of the last trip. Read who travels before searching; this prevents doors"
        " that nobody gets through."
    )
    assert novelty_scored(f"{DEEP} {added}", [DEEP]) >= 0.3


def test_big_words_about_nothing_are_not_relevant() -> None:
    tasks = [TASK, "Enseñar fracciones a Ana", "Buy a laptop", "Fix the login bug", "Plan a weekly menu", "Save money"]
    assert {task: score for task in tasks if (score := relevance_scored(BIG_WORDS, task)) >= 0.6} == {}


@pytest.mark.parametrize("task", [TASK, "Reservar hotel en París", "BOOK HOTEL IN PARIS", "reservar hotel en paris"])
def test_the_language_and_the_letters_of_a_task_do_not_matter(task: str) -> None:
    assert {text: score for text in (DEEP, TRANSLATED) if (score := relevance_scored(text, task)) < 0.6} == {}


def test_accents_and_capitals_change_no_score() -> None:
    plain = "".join(one for one in TRANSLATED.translate(str.maketrans("áéíóúñ", "aeioun")))
    assert relevance_scored(plain.upper(), TASK) == pytest.approx(relevance_scored(TRANSLATED, TASK), abs=1e-6)
    assert novelty_scored(plain.upper(), [TRANSLATED]) == 0.0


NASTY: dict[str, str] = {
    "empty": "",
    "spaces": " \n\t ",
    "signs": "?!… — ***",
    "halves of characters": "\x00\ud800\udfff",
    "unseen": "\u202e\u200b\ufeff",
    "emoji": "🙂🙂",
    "numbers": "1 2 3",
    "one long word": "a" * 100_000,
    "one word often": "because " * 20_000,
    "many sentences": "It failed. " * 20_000,
    "letters that fold to many": "ﷺ" * 5_000,
    "another script": "旅行の計画に失敗しました。",
}


@each("name", NASTY)
def test_hostile_text_gets_a_score(name: str) -> None:
    text = NASTY[name]
    scores = [
        relevance_scored(text, TASK),
        relevance_scored(DEEP, text),
        novelty_scored(text, [DEEP]),
        novelty_scored(DEEP, [text]),
        novelty_scored(text, [text]),
    ]
    assert all(0.0 <= score <= 1.0 for score in scores)
    assert scores[0] < 0.6


def test_empty_text_is_neither_relevant_nor_new() -> None:
    assert relevance_scored("", TASK) == relevance_scored(DEEP, " ") == 0.0
    assert novelty_scored("…", [DEEP]) == 0.0
    assert novelty_scored("", []) == 1.0


def test_scores_are_the_same_each_time_whatever_was_asked_before() -> None:
    first = relevance_scored(DEEP, TASK), novelty_scored(SAME, [OTHER_CAUSE, DEEP])
    relevance_scored(OTHER_CAUSE, TASK)
    assert (relevance_scored(DEEP, TASK), novelty_scored(SAME, [OTHER_CAUSE, DEEP])) == pytest.approx(first, abs=1e-6)
    assert novelty_scored(SAME, [DEEP, OTHER_CAUSE]) == pytest.approx(first[1], abs=1e-6)


def test_a_hundred_earlier_ones_take_a_fixed_number_of_embeddings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two batches whatever is there, and only the closest are compared sentence by sentence."""
    calls: list[int] = []

    def counted(real: Any) -> Any:
        def embed(texts: Any, **options: Any) -> Any:
            calls.append(len(texts))
            return real(texts, **options)

        return embed

    for name in ("texts_embed", "cores_embed"):
        monkeypatch.setattr(scores, name, counted(getattr(scores, name)))
    earlier = [OTHER_CAUSE.replace("hotel", f"hotel {name}") for name in _names(1_000)]
    assert novelty_scored(SAME, earlier) >= 0.3
    assert calls[0] == scores.EXISTING_AT_MOST
    assert calls[1:3] == [1, 1 + scores._CLOSELY]
    assert len(calls) == 3
    assert novelty_scored(SAME, [*earlier, SAME]) == 0.0


def _names(count: int) -> list[str]:
    letters = np.array(list("bcdfghjklm"))
    return ["".join(letters[[int(one) for one in f"{number:03d}"]]) for number in range(count)]
