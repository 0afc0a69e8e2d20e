import json
from pathlib import Path

import pytest

from language.detect import language_of
from planning.templates import task_types
from planning.understanding import GENERAL, task_read, task_type_of
from planning.understanding.types.classifier import GIVEN_ONLY, types_read
from planning.understanding.types.meaning import model_read
from planning.understanding.vocabulary import words
from tests.each import each

DATA = Path(__file__).parents[2] / "data" / "plans"
FLOORS = {"task_types.jsonl": 0.97, "task_types_colloquial.jsonl": 0.85, "task_types_fresh.jsonl": 0.85}


@each(("name", "floor"), FLOORS.items())
def test_labelled_tasks_are_recognised(name: str, floor: float) -> None:
    rows = [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]
    found = [(row["task"], row["task_type"], task_type_of(row["task"], language_of(row["task"]))) for row in rows]
    missed = [f"{task!r}: {got}, not {wanted}" for task, wanted, got in found if got != wanted]
    assert len(rows) - len(missed) >= floor * len(rows), "\n".join(missed)


def test_the_documents_tasks_have_the_types_that_the_documents_give_them() -> None:
    tasks = {
        "Book hotel in London": "hotel_booking",
        "Book hotel in Paris for 2 nights": "hotel_booking",
        "Book flight to Paris on Dec 15": "flight_booking",
        "Recommend ski resort": "resort_recommendation",
        "Find romantic restaurant in Paris": "restaurant_search",
        "Complex multi-day trip planning": "trip_planning",
    }
    assert {task: task_read(task).task_type for task in tasks} == tasks


def test_types_with_rules_templates_and_coefficients_are_the_same() -> None:
    model = model_read()
    assert model is not None, "run python -m benchmarks.task_types --fit"
    assert set(model.names) == set(types_read())
    assert set(types_read()) | set(GIVEN_ONLY) == set(task_types())


def test_a_lesson_is_a_lesson_only_where_that_is_said() -> None:
    assert task_read("Lesson about electricity", "lesson").task_type == "lesson"
    assert task_read("Lesson about electricity").task_type != "lesson"
    assert task_read("Book hotel in Paris", "my_own_type").task_type == "my_own_type"
    with pytest.raises(ValueError, match="hotel_booking"):
        task_read("Book hotel in Paris", "Hotel Booking!")


def test_what_is_denied_decides_nothing() -> None:
    assert task_read("Don't book a hotel, book a flight to Rome").task_type == "flight_booking"
    assert task_read("Plan a trip to Rome with a budget of 500 euros").task_type == "trip_planning"


def test_languages_are_told_also_without_accents_and_in_capitals() -> None:
    spanish = ["RESERVAR HOTEL PARIS", "vuelo madrid roma", "quiero un regalo", "Comprar pan", "cita dentista lunes"]
    english = [
        "BOOK HOTEL PARIS",
        "flight madrid rome",
        "gift for Ana",
        "Buy bread",
        "dentist on Monday",
        "",
        "123",
        "?",
    ]
    assert [text for text in spanish if language_of(text) != "es"] == []
    assert [text for text in english if language_of(text) != "en"] == []


@each("task", ["", "   ", "\n\t", "???", "a" * 2001, "Book\x00hotel", "Book \x07 hotel", "\ud800 hotel"])
def test_a_task_that_is_none_is_refused(task: str) -> None:
    with pytest.raises(ValueError, match=r"task"):
        task_read(task)


def test_hostile_tasks_are_read_and_take_linear_time() -> None:
    pieces = [
        "in Paris ",
        "book ",
        "for 2 nights ",
        "the the ",
        "(",
        "a-",
        "de ",
        "sin ",
        "$9 ",
        "1,",
        "Dec 15 ",
        "[{}] ",
        "ñ",
        "’s ",
    ]
    for piece in pieces:
        reading = task_read("x " + piece * (1990 // len(piece)))
        assert reading.task_type in {*task_types(), GENERAL}
        assert all(len(phrase) <= 140 for phrase in reading.phrases.values()), reading.phrases


def test_a_line_of_the_words_that_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "type_words.txt").write_text("[verbs]\nbook | book | reservar\nbuy | Buy\n", encoding="utf-8")
    monkeypatch.setattr("planning.understanding.vocabulary.DATA", tmp_path)
    words.cache_clear()
    try:
        with pytest.raises(ValueError, match=r"type_words.txt, line 3"):
            words()
    finally:
        words.cache_clear()


def test_a_task_that_says_what_not_to_do_or_does_something_else_is_no_task_to_do_it() -> None:
    wanted = {
        "Don't book a hotel": "general",
        "Do not book the flight to Paris": "general",
        "No reserves el hotel en París": "general",
        "Never buy shoes online": "general",
        "Deja de buscar un hotel": "general",
        "Don't forget to book a hotel in Rome": "hotel_booking",
        "Change hotel booking in Paris": "booking_change",
        "Review hotel in Paris": "general",
        "Complain about the hotel in Paris": "customer_support",
        "Find and book a hotel in Paris": "hotel_booking",
        "Busca y reserva un hotel en París": "hotel_booking",
    }
    assert {task: task_read(task).task_type for task in wanted} == wanted
    assert task_read("Buy 3 apples and cancel the hotel").task_type != "hotel_booking"
    assert task_read("Find and book a hotel in Paris").phrases["object"] == "hotel"
