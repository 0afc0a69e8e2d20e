"""Questions answered over files, what is said where no tool can, and what is written down."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import override_settings

from analysis.catalog.reading import catalog_shipped
from analysis.contracts.plans import AnalysisPlan, Coverage, Modification, Repair, Tool
from analysis.contracts.requirements import Filter, Join, Reading, Unmatched
from analysis.contracts.results import Analysis
from analysis.errors import RequirementsUnserved
from analysis.events import analysis_event, satisfaction_event
from analysis.execution.failures import ExecutionStopped
from analysis.files.opening import OpenFiles, files_open
from analysis.requirements.meaning import Figure, Meaning, Reason, reading_of
from analysis.services import CHAIN, analysis_record, question_answer, question_plan, reading_answer, refusal_record
from telemetry.contracts import EventName
from telemetry.models import Event
from tests.each import each

ROWS = """region,product,date,price
Northumbria,pencil,2024-01-05,10
Northumbria,book,2024-01-20,31
Southwark,pencil,2024-02-03,20
Southwark,pencil,2024-02-10,15
"""
QUESTION = "What is the total price by region?"
BY_REGION = reading_of(Meaning([Figure("price", "sum")], {"region": Reason()}, labels={"total": Reason()}))
SECRETS = ("total price", "region", "Northumbria", "Southwark", "pencil", "price", "41", "35")
"""Words of the question and of the data."""


@pytest.fixture(scope="module", autouse=True)
def _vectors_without_a_database() -> Iterator[None]:
    with override_settings(EMBEDDING_CACHE_ROWS=0):
        yield


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenFiles]:
    path = tmp_path_factory.mktemp("analysis") / "sales.csv"
    path.write_text(ROWS, encoding="utf-8")
    with files_open([path]) as opened:
        yield opened


@pytest.fixture(scope="module")
def analysis(files: OpenFiles) -> Analysis:
    return answered(files, BY_REGION)


def answered(files: OpenFiles, reading: Reading, **options: Any) -> Analysis:
    """The answer to a question that is read like this."""
    return reading_answer(QUESTION, reading, source=files, table="sales", **options)


def unusual(phrase: str, language: str = "en") -> Reading:
    """Whether there is anything unusual in the price of each city."""
    figures = [Figure("price", "sum", reason=Reason("prices"))]
    return reading_of(Meaning(figures, {"city": Reason()}, labels={"anomaly": Reason(phrase)}, language=language))


def without(*capabilities: str) -> tuple[Tool, ...]:
    return tuple(tool for tool in catalog_shipped() if set(capabilities).isdisjoint(tool.capabilities))


def test_a_question_is_answered_with_its_plan_and_its_result(analysis: Analysis) -> None:
    assert sorted(analysis.execution.table.rows) == [("Northumbria", 41), ("Southwark", 35)]
    assert analysis.coverage == Coverage(valid=True, rate=1.0)
    assert analysis.plan == analysis.execution.plan
    assert analysis.question == QUESTION
    assert list(analysis.timings) == ["plan", "run"]
    assert analysis.attempts == 1


def test_the_first_table_is_asked_where_none_is_named(files: OpenFiles) -> None:
    first, named = (
        question_answer(QUESTION, source=files, schemas=files.schemas, table=table) for table in ("", "sales")
    )
    assert first.execution.table == named.execution.table
    assert sorted(first.execution.table.rows) == [("Northumbria", 41), ("Southwark", 35)]
    assert list(first.timings) == ["read", "plan", "run"]


@each(
    "phrase, sentence",
    [
        ("anything odd", "No tool here can do this part of the question: “anything odd”."),
        ("", "No tool here can do this part of the question: “anomaly”."),
    ],
)
def test_a_requirement_that_no_tool_serves_ends_with_the_payload_and_a_sentence(phrase: str, sentence: str) -> None:
    reading = unusual(phrase)
    with pytest.raises(RequirementsUnserved) as refused:
        question_plan("", reading, tools=without("anomaly"))
    assert refused.value.message == sentence
    assert not refused.value.coverage.valid
    assert refused.value.coverage.message == "Missing coverage: analysis=[anomaly]"
    assert refused.value.coverage.rate < 1, "a requirement is never dropped to make the rate 1"
    assert "analysis=anomaly" in reading.requirements.keys()  # noqa: SIM118 - a list of requirements


def test_the_sentence_is_in_the_language_of_the_question_with_its_words() -> None:
    with pytest.raises(RequirementsUnserved, match="“algo raro”"):
        question_plan("", unusual("algo raro", "es"), tools=without("anomaly"))


def test_a_chart_that_cannot_be_drawn_is_not_called_by_the_name_of_a_tool() -> None:
    meaning = Meaning(listed=["price"], time=("date", "month"), outputs={"chart": Reason("draw it")})
    with pytest.raises(RequirementsUnserved, match="“draw it”"):
        question_plan("", reading_of(meaning))


def test_a_question_over_files_that_no_tool_serves_is_refused(files: OpenFiles) -> None:
    with pytest.raises(RequirementsUnserved, match="No tool here can do"):
        answered(files, BY_REGION, tools=without("aggregate", "group_by"))


def test_a_step_without_its_input_is_named_by_what_it_is_for() -> None:
    shops = Join(table="shops", key="shop", other_key="shop", columns=("size",))
    reading = reading_of(Meaning([Figure("size", "none", reason=Reason("the sizes"))], labels={"list": Reason()}))
    reading = reading.model_copy(update={"details": reading.details.model_copy(update={"joins": (shops,)})})
    with pytest.raises(RequirementsUnserved, match="“the sizes”"):
        question_plan("", reading, tables=1)


def test_all_that_the_table_has_nothing_for_is_in_the_payload_and_in_the_sentence() -> None:
    unmatched = [
        Unmatched(field="group_by", phrase="planet", nearest=("region",)),
        Unmatched(field="metrics", phrase="weight", nearest=("price",)),
        Unmatched(field="group_by", phrase="moon", nearest=("region", "product")),
    ]
    with pytest.raises(RequirementsUnserved) as refused:
        question_plan("", reading_of(Meaning([Figure("price", "sum")], unmatched=unmatched)))
    assert refused.value.coverage.missing == {"group_by": ("planet", "moon"), "metrics": ("weight",)}
    assert refused.value.coverage.message == "Missing coverage: group_by=[planet, moon], metrics=[weight]"
    assert refused.value.message == (
        "The table has nothing for “planet”, “weight”, “moon”. Its nearest columns: region, price, product."
    )


def test_a_refusal_without_a_near_column_names_none() -> None:
    unmatched = [Unmatched(field="time", phrase="forecast")]
    with pytest.raises(RequirementsUnserved) as refused:
        question_plan("", reading_of(Meaning([Figure("price", "sum")], unmatched=unmatched)))
    assert refused.value.message == "The table has nothing for “forecast”."


def proposal(tool: str, *requirement: str, **params: Any) -> Modification:
    return Modification(action="add", tool=tool, params=params, requirement=requirement)


def test_a_proposer_makes_the_plan_of_a_question(files: OpenFiles) -> None:
    told: list[str] = []

    def propose(_reading: Reading, plan: AnalysisPlan, _tools: object, message: str) -> list[Modification]:
        told.append(message)
        total = proposal("aggregate", "metrics=price", agg_func="sum", metrics=["price"])
        grouped = proposal(
            "aggregate", *BY_REGION.requirements.keys(), group_by=["region"], agg_func="max", metrics=["price"]
        )
        removed = [Modification(action="remove", tool=step.tool, step=1) for step in plan.steps]
        return [*removed, total if len(told) == 1 else grouped]

    analysis = answered(files, BY_REGION, proposer=propose)
    assert told == ["", "Missing coverage: group_by=[region], analysis=[total]"]
    assert sorted(analysis.execution.table.rows) == [("Northumbria", 31), ("Southwark", 20)]
    assert (analysis.attempts, analysis.retrieval_missed) == (2, 0)


def test_a_requirement_that_a_repair_undoes_is_refused_with_the_payload(files: OpenFiles) -> None:
    """A limit that is no number is left out, so that more is given than was asked for."""
    reading = reading_of(Meaning([Figure("price", "none")], direction="desc", limit=2))
    requirements = reading.requirements.model_copy(update={"constraints": ("order = price desc", "limit = two")})

    def propose(_reading: Reading, plan: AnalysisPlan, _tools: object, _message: str) -> list[Modification]:
        rank = proposal(
            "rank",
            "constraints=order = price desc",
            "constraints=limit = two",
            by="price",
            direction="desc",
            limit="two",
        )
        removed = [Modification(action="remove", tool=step.tool, step=1) for step in plan.steps]
        return [*removed, rank, proposal("select", "metrics=price", columns=["price"])]

    with pytest.raises(RequirementsUnserved) as refused:
        answered(files, reading.model_copy(update={"requirements": requirements}), proposer=propose)
    assert refused.value.coverage.missing == {"constraints": ("limit = two",)}


def test_a_period_finer_than_the_data_is_answered_by_its_days_and_the_check_says_so(files: OpenFiles) -> None:
    hours = reading_of(Meaning([Figure("price", "sum")], time=("date", "hour")))
    analysis = answered(files, hours)
    assert len(analysis.execution.table.rows) == 4
    assert [(repair.before, repair.after) for repair in analysis.execution.repairs] == [("hour", "day")]
    assert analysis.coverage.missing == {"time": ("date",)}


def test_what_narrowing_misses_is_found_in_the_whole_catalog_and_counted() -> None:
    figures = [Figure("price", "none"), Figure("cost", "none")]
    meaning = Meaning(
        figures, {"city": Reason(), "shop": Reason()}, outputs={"table": Reason()}, direction="desc",
        labels={"list": Reason()}, filters=[Filter(column="city", op="!=", value="x")],
    )  # fmt: skip
    planned = question_plan("", reading_of(meaning), tools=(*_many_alike(), *catalog_shipped()))
    assert planned.coverage.valid
    assert planned.first.missing
    assert planned.first.rate < 1
    assert 1 < planned.attempts <= 3
    assert planned.unretrieved


def _many_alike() -> list[Tool]:
    """Tools whose words are nearer to the question than those of the tools that can do it."""
    texts = ("Group by city", "Group by shop", "Sort rows by price desc", "List rows as they are, select columns")
    return [Tool(name=f"alike_{at}", description=texts[at % len(texts)]) for at in range(60)]


def test_reasons_are_in_the_language_of_the_question() -> None:
    figure = Figure("price", "sum", reason=Reason("ingresos"))
    english, spanish = (
        question_plan("", reading_of(Meaning([figure], language=language))).plan.steps[0].rationale
        for language in ("en", "es")
    )
    assert english == "The question says: “ingresos”"
    assert "“ingresos”" in spanish


def test_the_five_metrics_are_those_of_the_first_proposal(analysis: Analysis) -> None:
    first = Coverage(valid=False, rate=2 / 3, missing={"group_by": ("a",), "inputs": ("b", "c")}, unjustified=("d",))
    repairs = [
        Repair(step=step, tool="aggregate", param="x", before="secret", after="other", reason="why") for step in (1, 1)
    ]
    execution = analysis.execution.model_copy(update={"repairs": tuple(repairs)})
    changed = analysis.model_copy(
        update={
            "first_coverage": first,
            "first_steps": 4,
            "attempts": 2,
            "execution": execution,
            "retrieval_missed": 1,
        }
    )
    data = analysis_event(changed).data
    assert data["coverage_rate"] == 0.6667
    assert data["unjustified_rate"] == 0.25
    assert data["retrieval_missed"] == 1, "what retrieval missed, not what is missing for another reason"
    assert data["repair_rate"] == round(1 / len(analysis.plan.steps), 4)
    assert (data["repaired_steps"], data["attempts"], data["steps"]) == (1, 2, len(analysis.plan.steps))
    assert satisfaction_event(changed, is_satisfied=False, answer=7).data == {
        "answer": 7,
        "template": analysis.plan.template,
        "satisfied": False,
    }


def test_a_plan_without_steps_divides_by_nothing(analysis: Analysis) -> None:
    empty = analysis.plan.model_copy(update={"steps": ()})
    data = analysis_event(analysis.model_copy(update={"plan": empty, "first_steps": 0})).data
    assert (data["unjustified_rate"], data["repair_rate"]) == (0, 0)


def events() -> list[tuple[str, dict[str, Any]]]:
    return [(event.event, event.data) for event in Event.objects.order_by("seq")]


@pytest.mark.django_db
@each("satisfied, names", [(None, []), (True, ["analysis.rated"]), (False, ["analysis.rated"])])
def test_an_analysis_is_written_to_the_trail_and_the_rating_where_there_is_one(
    satisfied: bool | None, names: list[str], analysis: Analysis
) -> None:
    analysis_record(analysis=analysis, satisfied=satisfied)
    assert [name for name, _data in events()] == [EventName.ANALYSIS_ANSWERED, *names]
    answered = events()[0][1]
    assert (answered["coverage_rate"], answered["unjustified_rate"], answered["retrieval_missed"]) == (1, 0, 0)
    assert (answered["template"], answered["language"]) == (analysis.plan.template, "en")
    assert [data["satisfied"] for _name, data in events()[1:]] == [satisfied] * len(names)


@pytest.mark.django_db
def test_a_rating_names_the_answer_that_it_is_of(analysis: Analysis) -> None:
    analysis_record(analysis=analysis)
    analysis_record(analysis=analysis, satisfied=True)
    rated = Event.objects.get(event=EventName.ANALYSIS_RATED)
    answer = Event.objects.get(chain_id=CHAIN, seq=rated.data["answer"])
    assert (answer.event, answer.seq) == (EventName.ANALYSIS_ANSWERED, rated.seq - 1)


@pytest.mark.django_db
def test_a_question_without_an_answer_is_written_too() -> None:
    unserved = RequirementsUnserved("secret", Coverage(valid=False, rate=2 / 3))
    refusal_record(error=unserved)
    refusal_record(error=ExecutionStopped("secret"))
    assert [name for name, _data in events()] == [EventName.ANALYSIS_REFUSED] * 2
    assert [data for _name, data in events()] == [
        {"reason": "requirements-unserved", "coverage_rate": 0.6667},
        {"reason": "analysis-stopped", "coverage_rate": None},
    ]


@pytest.mark.django_db
def test_no_word_of_the_question_and_nothing_of_the_data_is_written(analysis: Analysis) -> None:
    analysis_record(analysis=analysis, satisfied=True)
    for event in Event.objects.all():
        assert event.chain_id == CHAIN
        written = json.dumps([event.event, {**event.data, "milliseconds": 0}])
        assert [secret for secret in SECRETS if secret in written] == []


def test_an_open_file_stays_as_it_is(files: OpenFiles) -> None:
    answered(files, BY_REGION)
    assert files.tables["sales"].count().execute() == 4
