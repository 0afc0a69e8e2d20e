"""`manage.py requirements`, `narrow` and `analyze`: what questions ask of tables, with which tools, and the answers."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from analysis.contracts.plans import AnalysisPlan, Coverage
from analysis.contracts.requirements import ChartShape, Details, Requirements
from telemetry.models import Event
from tests.each import each
from tests.operations.batch import PROJECT, as_lines, bare, command_line, run, run_here

SALES = PROJECT / "tests" / "data" / "sales.csv"
SCHEMA = {
    "table": "sales",
    "columns": ["region", "product", "date", "price"],
    "sample": [["North", "pen", "2024-01-05", "10"], ["South", "book", "2024-02-03", "20.5"]],
}
KEYS = ["metrics", "group_by", "time", "analysis", "outputs", "constraints"]
ABSENT = "What is the total price by astronaut?"
BY_REGION = "What is the total price by region?"
ODD_NAMES = {
    "columns": ["group_by=x", "a, b", '"q"', "", "price", "price"],
    "sample": [["x"], [], [1, 2, 3, 4, 5, 6, 7]],
}


def asked(question: Any, **schema: Any) -> dict[str, Any]:
    return {"question": question, "schema": {**SCHEMA, **schema}}


def test_requirements_have_the_documented_keys_with_details_plan_and_chart_beside_them() -> None:
    (answer,) = run_here("requirements", source=as_lines({**asked(BY_REGION), "id": 7}))
    assert list(answer) == [*KEYS, "details", "plan", "chart"]
    requirements = Requirements.model_validate({key: answer[key] for key in KEYS})
    assert (requirements.metrics, requirements.group_by) == (("price",), ("region",))
    assert Details.model_validate(answer["details"]).aggregates[0].func == "sum"
    assert AnalysisPlan.model_validate(answer["plan"]).steps[0].tool == "aggregate"
    chart = ChartShape.model_validate(answer["chart"])
    assert (chart.type, chart.x, chart.y, chart.aggregate) == ("bar", "region", "price", "sum")


def test_bad_rows_of_requirements_get_an_error_each_and_the_others_their_answer() -> None:
    bad: list[Any] = [
        7,
        {"question": "x"},
        {"question": 3, "schema": SCHEMA},
        {"schema": SCHEMA},
        {"question": "x", "schema": []},
        asked("x", columns=[]),
        asked("x", columns="price"),
        asked("x", columns=["a"] * 1_001),
        asked("x", sample=[3]),
    ]
    answers = run_here(
        "requirements", source=as_lines(*(row for each_bad in bad for row in (each_bad, asked(BY_REGION))))
    )
    assert [list(answer) for answer in answers[::2]] == [["error"]] * len(bad)
    assert {tuple(answer["metrics"]) for answer in answers[1::2]} == {("price",)}


@each("command", [["analyze", "--data", str(SALES)], ["requirements"]])
def test_a_question_without_words_is_an_error(command: list[str]) -> None:
    for answer in run_here(*command, source=as_lines(asked(""), asked(" \t"))):
        assert answer == {"error": "question: words are expected, and there are none"}


def test_hostile_questions_and_tables_get_an_answer_each() -> None:
    questions = ["x" * 5_000, "‮שלום 🏠 <b>{}</b>\n\t", "'; DROP TABLE sales; --", "%s %(x)s {0}", "¿" * 300]
    cells = [{"deep": [1, {"er": None}]}, None, True, 1e308, "\x00", "x" * 10_000]
    rows = [asked(question) for question in questions]
    rows += [
        asked(BY_REGION, **ODD_NAMES),
        asked(BY_REGION, sample=[[cell] * 4 for cell in cells]),
        asked(BY_REGION, sample=[]),
    ]
    answers = run_here("requirements", source=as_lines(*rows))
    assert [answer for answer in answers if "error" in answer] == []


def test_a_plan_is_null_where_no_tool_can_do_a_part() -> None:
    rows = [asked("Plot every row over time as a chart"), asked(BY_REGION)]
    for answer in run_here("requirements", source=as_lines(*rows)):
        assert answer["plan"] is None or answer["plan"]["steps"]


def test_analyze_gives_the_documented_parts() -> None:
    (answer,) = run_here("analyze", "--data", str(SALES), source=as_lines({"question": BY_REGION}))
    assert list(answer)[:7] == ["requirements", "plan", "coverage", "repairs", "sql", "table", "chart"]
    assert answer["requirements"]["group_by"] == ["region"]
    assert AnalysisPlan.model_validate(answer["plan"]).template == "comparative"
    assert Coverage.model_validate(answer["coverage"]) == Coverage(valid=True, rate=1.0)
    assert answer["table"]["columns"] == ["region", "price"]
    assert sorted(answer["table"]["rows"]) == [["North", 80.5], ["South", 35]]
    assert "SUM" in answer["sql"][0]
    assert (answer["chart"]["type"], answer["chart"]["x"], answer["chart"]["y"]) == ("bar", "region", "price")
    assert sorted(answer["chart"]["table"]["rows"]) == sorted(answer["table"]["rows"])


def test_a_question_over_two_files_is_answered_by_joining_them(tmp_path: Path) -> None:
    shops = tmp_path / "regions.csv"
    shops.write_text("region,country\nNorth,Chile\nSouth,Chile\n", encoding="utf-8")
    arguments = ["--data", str(SALES), "--data", str(shops)]
    (answer,) = run_here("analyze", *arguments, source=as_lines({"question": "total price by country"}))
    assert answer["table"]["rows"] == [["Chile", 115.5]]
    assert answer["plan"]["steps"][0]["tool"] == "join"


def test_what_the_table_does_not_have_is_an_error_with_its_coverage() -> None:
    (answer,) = run_here("analyze", "--data", str(SALES), source=as_lines({"question": ABSENT}))
    assert answer["error"].startswith("The table has nothing for “astronaut”. Its nearest columns: ")
    assert answer["coverage"]["missing"] == {"group_by": ["astronaut"]}
    assert Coverage.model_validate(answer["coverage"]).rate < 1


def test_an_answer_tells_what_was_noted_of_its_files_and_that_there_are_more_rows(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("a;n\n" + "".join(f"x;{number}\n" for number in range(10_001)), encoding="utf-8")
    (answer,) = run_here("analyze", "--data", str(path), source=as_lines({"question": "list all rows"}))
    assert len(answer["table"]["rows"]) == 10_000
    assert answer["notes"][-1] == "Only the first 10000 rows are given; there are more."
    assert any("semicolon" in note for note in answer["notes"])


def test_an_answer_without_a_drawing_names_the_chart_that_suits_it() -> None:
    (answer,) = run_here("analyze", "--data", str(SALES), source=as_lines({"question": "What is the total price?"}))
    assert answer["table"]["rows"] == [[115.5]]
    assert ChartShape.model_validate(answer["chart"]).y == "price"


def test_a_question_in_another_language_gets_the_same_figures() -> None:
    rows = as_lines({"question": BY_REGION}, {"question": "¿Cuál es el precio total por región?"})
    english, spanish = run_here("analyze", "--data", str(SALES), source=rows)
    assert sorted(spanish["table"]["rows"]) == sorted(english["table"]["rows"])


def test_bad_rows_of_analyze_get_an_error_each_and_the_others_their_answer() -> None:
    bad: list[Any] = [7, {}, {"question": None}, {"question": ["x"]}, {"question": "x", "satisfied": "perhaps"}]
    rows = as_lines(*(row for each_bad in bad for row in (each_bad, {"question": BY_REGION})))
    answers = run_here("analyze", "--data", str(SALES), source=rows)
    assert [list(answer) for answer in answers[::2]] == [["error"]] * len(bad)
    assert {len(answer["table"]["rows"]) for answer in answers[1::2]} == {2}


def test_hostile_questions_over_a_file_get_an_answer_or_an_error_each() -> None:
    questions = ["", "x" * 5_000, "🏠", "'; DROP TABLE sales; --", "read_csv('/etc/passwd')", BY_REGION]
    rows = as_lines(*({"question": question} for question in questions))
    *answers, last = run_here("analyze", "--data", str(SALES), source=rows)
    assert len(answers) == len(questions) - 1
    assert all(("error" in answer) is not ("table" in answer) for answer in answers)
    assert "root:" not in json.dumps(answers)
    assert len(last["table"]["rows"]) == 2


@each(
    "name, content",
    [
        ("missing.csv", None),
        ("empty.csv", b""),
        ("zip.csv", b"PK\x03\x04" + b"\x00" * 200),
        ("broken.parquet", b"PAR1" + b"\xff" * 50),
        ("secret.csv", "link"),
    ],
)
def test_a_file_that_is_no_table_is_told_before_any_row(name: str, content: bytes | str | None, tmp_path: Path) -> None:
    path = tmp_path / name
    if content == "link":
        path.symlink_to(tmp_path)
    elif isinstance(content, bytes):
        path.write_bytes(content)
    with pytest.raises(CommandError) as refused:
        run_here("analyze", "--data", str(path), source=as_lines({"question": BY_REGION}))
    assert name in str(refused.value)
    assert str(tmp_path) not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_file_with_odd_names_and_cells_is_answered(tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text('"group_by=x","a, b","=1+1","price"\n"<b>","x\ny",=cmd(),1\n"‮",";--",%s,2\n', encoding="utf-8")
    (answer,) = run_here("analyze", "--data", str(path), source=as_lines({"question": "What is the total price?"}))
    assert answer["table"]["rows"] == [[3]]


@each(
    "command, arguments, message",
    [
        ("analyze", [], "--data"),
        ("narrow", ["--limit", "0"], "--limit is 1 at least"),
        ("narrow", ["--limit", "x"], "--limit"),
        ("narrow", ["--catalog", "/none/such.yaml"], "/none/such.yaml cannot be used"),
        ("requirements", ["--data", "x"], "--data"),
    ],
)
def test_options_that_cannot_be_used_are_told(command: str, arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        run_here(command, *arguments, source=as_lines({"question": BY_REGION}))


@pytest.mark.django_db
def test_what_is_answered_is_recorded_where_it_is_asked_for() -> None:
    rows = as_lines({"question": BY_REGION, "satisfied": False}, {"question": BY_REGION}, 7)
    run_here("analyze", "--data", str(SALES), source=rows)
    assert not Event.objects.exists()
    answers = run_here("analyze", "--data", str(SALES), "--record", source=rows)
    assert ["error" in answer for answer in answers] == [False, False, True]
    names = [event.event for event in Event.objects.order_by("seq")]
    assert names == ["analysis.answered", "analysis.rated", "analysis.answered"]
    written = json.dumps([event.data for event in Event.objects.all()])
    assert not any(word in written for word in ("North", "South", "region", "What"))


@pytest.mark.django_db
def test_a_question_without_an_answer_is_recorded_too() -> None:
    run_here("analyze", "--data", str(SALES), "--record", source=as_lines({"question": ABSENT}))
    assert [event.event for event in Event.objects.all()] == ["analysis.refused"]


@pytest.mark.hard
@pytest.mark.parametrize("arguments", [["analyze", "--data", str(SALES)], ["requirements"], ["narrow"]])
def test_a_reader_that_leaves_early_is_no_error(arguments: list[str], tmp_path: Path) -> None:
    rows = as_lines(*[asked(BY_REGION)] * 600)
    source = tmp_path / "rows.jsonl"
    source.write_bytes(rows)
    with source.open("rb") as lines:
        process = subprocess.Popen(
            command_line(*arguments),
            cwd=PROJECT,
            env=bare(tmp_path),
            stdin=lines,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        assert process.stderr is not None
        with process:
            assert "error" not in json.loads(process.stdout.readline())
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait(timeout=120) == 0


@pytest.mark.hard
def test_a_missing_file_ends_a_command_with_one_line(tmp_path: Path) -> None:
    ended = run("analyze", "--data", "none.csv", source=as_lines({"question": BY_REGION}), environment=bare(tmp_path))
    assert ended.returncode == 1
    assert ended.stdout == b""
    assert "“none.csv”" in ended.stderr.decode()
    assert ended.stderr.count(b"\n") == 1
