"""What is read from tasks, in both languages, and what no task may do to the reader."""

from pathlib import Path

import pytest

from planning.understanding.facts import words as facts_words
from planning.understanding.facts.reading import facts_read, reading_of

HOTEL = {"verbs": ["book"], "objects": ["hotel"], "places": ["paris"]}
READ: list[tuple[str, str, dict[str, list[str]]]] = [
    ("en", "Book hotel in Paris for 2 nights", {**HOTEL, "durations": ["2 night"]}),
    ("es", "Reserva un hotel en París para dos noches", {**HOTEL, "durations": ["2 night"]}),
    ("en", "reserve a hotel in paris", HOTEL),
    ("en", "Make a hotel reservation in Paris", HOTEL),
    ("en", "Book a flight from Paris to Rome", {"objects": ["flight"], "places": ["from:paris", "to:rome"]}),
    ("es", "Busca un vuelo de Madrid a Roma", {"objects": ["flight"], "places": ["from:madrid", "to:rome"]}),
    ("en", "Book flight to Paris on Dec 15", {"dates": ["12-15"]}),
    ("en", "Book flight to Paris on the 15th of December 2026", {"dates": ["2026-12-15"]}),
    ("es", "Compra billetes para el 15 de diciembre de 2026", {"dates": ["2026-12-15"]}),
    ("en", "Book it from Dec 3 to Dec 5", {"dates": ["from 12-03", "12-05"]}),
    ("en", "Call me at 6 pm", {"dates": ["18:00"]}),
    ("es", "Llámame a las 6 de la tarde", {"dates": ["18:00"]}),
    ("en", "Meet next Friday at 18:30", {"dates": ["next friday", "18:30"]}),
    ("es", "Reunión el próximo viernes por la mañana", {"dates": ["next friday", "morning"]}),
    ("es", "Pide cita para mañana", {"dates": ["tomorrow"]}),
    ("en", "Renew it before June", {"dates": ["before month 06"]}),
    ("en", "Plan a trip in May 2027", {"dates": ["2027-05"]}),
    ("en", "You may call", {"dates": []}),
    ("en", "Find a hotel under $200 per night", {"amounts": ["<= 200 USD/night"]}),
    ("en", "Find a hotel with a budget of 200 dollars", {"amounts": ["<= 200 USD"]}),
    ("es", "Busca un piso por menos de 1.200,50 euros", {"amounts": ["<= 1200.5 EUR"]}),
    ("en", "Buy shoes between 50 and 100 euros", {"amounts": ["50..100 EUR"]}),
    ("en", "A hotel with at least 4 stars", {"amounts": [">= 4 star"]}),
    ("es", "Sube el precio un 10 %", {"amounts": ["10 %"]}),
    ("en", "A talk of less than 3 hours", {"durations": ["< 3 hour"]}),
    ("en", "A table for two", {"quantities": ["2 person"]}),
    ("es", "Una mesa para cuatro personas", {"quantities": ["4 person"]}),
    ("en", "Tickets for 2 adults and 1 child", {"quantities": ["2 adult", "1 child"]}),
    ("en", "Order twenty-five chairs", {"quantities": ["25 chair"]}),
    ("es", "Invita a treinta y cinco personas", {"quantities": ["35 person"]}),
    ("en", "Find a hotel without breakfast", {"negations": ["breakfast"], "objects": ["hotel"]}),
    ("es", "Una cena sin gluten", {"negations": ["gluten"]}),
    ("en", "A gluten-free dinner", {"negations": ["gluten"]}),
    ("en", "Do not cancel the order", {"negations": ["cancel order"], "verbs": ["cancel"]}),
    ("en", "Avoid advanced slopes", {"negations": ["advanced slope"]}),
    ("en", "Buy tickets for “Hamlet”", {"names": ["hamlet"]}),
    ("en", "Email Ana about order A-1234", {"names": ["ana", "a-1234"]}),
    ("en", "Find an inexpensive hotel", {"qualities": ["cheap"]}),
    ("es", "Busca un hotel económico", {"qualities": ["cheap"]}),
    ("en", "Rotate the gizmotron", {"objects": ["rotat", "gizmotron"]}),
    ("en", "BOOK HOTEL IN PARIS", {**HOTEL, "names": []}),
]  # fmt: skip


def test_what_tasks_say_is_read_in_both_languages() -> None:
    wrong = []
    for language, task, expected in READ:
        facts = facts_read(task, language).model_dump()
        wrong += [
            f"{task}: {name} {facts[name]}, not {value}" for name, value in expected.items() if facts[name] != value
        ]
    assert not wrong, "\n".join(wrong)


def test_the_same_task_in_english_and_spanish_has_the_same_facts() -> None:
    english = facts_read("Book a cheap hotel in London for 3 nights with breakfast on May 4", "en")
    spanish = facts_read("Reserva un hotel barato en Londres para 3 noches con desayuno el 4 de mayo", "es")
    for name in type(english).model_fields:
        assert sorted(english[name]) == sorted(spanish[name]), name


def test_any_text_gives_an_answer_and_long_ones_take_no_longer_than_their_length() -> None:
    for text in (
        "",
        " ",
        "¿¡!?",
        "\x00\ud800",
        "'" * 500,
        '"' * 501,
        "a.b" * 400,
        "3/4/5/6",
        "-" * 300,
        "💥 👍🏽 book",
    ):
        for language in ("en", "es", "", "de"):
            facts_read(text, language)
    hard = (
        "not without no " * 3_000,
        "from Paris to Rome and " * 3_000,
        "1,2.3:4/" * 6_000,
        "A" * 60_000,
        "a_a." * 9_000,
    )
    for text in hard:
        facts = facts_read(text, "en")
        assert facts != facts_read(text + "x", "en"), "what comes after the part that is read counts too"


def test_a_reading_is_kept_and_the_same() -> None:
    assert reading_of("Book hotel in Paris", "en") is reading_of("Book hotel in Paris", "en")


def test_a_fault_in_a_data_file_names_its_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "facts_objects.txt").write_text("# a remark\nhotel hotel\n", encoding="utf-8")
    monkeypatch.setattr(facts_words, "DATA", tmp_path)
    with pytest.raises(ValueError, match=r"facts_objects.txt, line 2"):
        list(facts_words._said("facts_objects.txt", "en"))
