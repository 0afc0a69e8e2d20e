"""Templates: which one the requirements ask for, what the shipped ones hold, and one that a file adds."""

from pathlib import Path

import pydantic
import pytest

from analysis.adaptation.planning import plan_make
from analysis.contracts.plans import Template
from analysis.contracts.requirements import AnalysisLabel, Filter, Grain
from analysis.requirements.meaning import Figure, Meaning, Reason, reading_of
from analysis.templates.choosing import (
    FOLDER,
    features_of,
    template_choose,
    template_plan,
    templates_load,
    templates_shipped,
)
from tests.analysis.plans import shipped
from tests.each import each

WHY = Reason()
PRICE = Figure("price", "sum")
BARE = Figure("price", "none")
MONTHS: tuple[str, Grain] = ("date", "month")
UNASKED = {"anomaly", "distribution", "correlation", "forecast"}
"""Capabilities that a template has only where its analysis is required."""


def chosen(meaning: Meaning) -> str:
    return template_choose(reading_of(meaning)).name


@each(
    "meaning, name",
    [
        (Meaning([PRICE]), "summary"),
        (Meaning([Figure(None, "count")], labels={"total": WHY}), "summary"),
        (Meaning([PRICE], {"city": WHY}), "comparative"),
        (Meaning([PRICE], {"city": WHY}, labels={"compare": WHY}), "comparative"),
        (Meaning([PRICE], time=MONTHS), "time_series"),
        (Meaning([PRICE], time=MONTHS, labels={"trend": WHY}), "time_series"),
        (Meaning([PRICE], {"city": WHY}, time=MONTHS, labels={"trend": WHY}), "time_series_grouped"),
        (Meaning([PRICE], {"city": WHY}, labels={"rank": WHY}, direction="desc"), "ranking"),
        (Meaning([PRICE], {"city": WHY}, labels={"share": WHY}), "share"),
        (Meaning([BARE], labels={"distribution": WHY}), "distribution"),
        (Meaning([BARE, Figure("age", "none")], labels={"correlation": WHY}), "correlation"),
        (Meaning([BARE], labels={"anomaly": WHY}), "anomaly"),
        (Meaning([PRICE], time=MONTHS, labels={"anomaly": WHY}), "anomaly"),
        (Meaning([PRICE], time=MONTHS, labels={"forecast": WHY}), "forecast"),
        (Meaning([BARE], labels={"list": WHY}), "listing"),
        (Meaning([BARE], filters=[Filter(column="city", op="=", value="Madrid")]), "listing"),
    ],
)
def test_the_template_follows_from_the_requirements(meaning: Meaning, name: str) -> None:
    assert chosen(meaning) == name


def test_some_template_is_there_for_nothing_at_all() -> None:
    assert chosen(Meaning())


def test_the_documented_example_has_its_steps() -> None:
    template = next(template for template in templates_shipped() if template.name == "time_series_grouped")
    assert template.steps == ("parse_datetime", "aggregate", "plot_line")
    assert "compute_summary_stats" in template.optional


def test_templates_are_a_file_each_and_name_tools_that_there_are() -> None:
    assert {template.name for template in templates_shipped()} == {path.stem for path in FOLDER.glob("*.yaml")}
    for template in templates_shipped():
        assert set(template.steps) | set(template.optional) <= set(template.tools), template.name
        assert set(template.tools) <= set(shipped()), template.name
        assert template.description


@each("name", ["time_series", "time_series_grouped", "comparative", "ranking", "summary", "listing", "share"])
def test_no_template_begins_with_an_analysis_that_is_not_required(name: str) -> None:
    template = next(template for template in templates_shipped() if template.name == name)
    for tool in template.steps:
        assert UNASKED.isdisjoint(shipped()[tool].capabilities)


def test_a_grouped_series_has_anomalies_only_where_they_are_required() -> None:
    def capabilities(*labels: AnalysisLabel) -> set[str]:
        reading = reading_of(Meaning([PRICE], {"city": WHY}, time=MONTHS, labels=dict.fromkeys(labels, WHY)))
        steps = plan_make(reading, template_choose(reading), shipped()).plan.steps
        return {capability for step in steps for capability in shipped()[step.tool].capabilities}

    assert UNASKED.isdisjoint(capabilities("trend"))
    assert capabilities("trend", "anomaly") & UNASKED == {"anomaly"}


def test_what_a_template_excludes_is_not_chosen() -> None:
    reading = reading_of(Meaning([PRICE], {"city": WHY}, time=MONTHS))
    high = Template(name="high", when={"time": 9}, never=("group_by",))
    low = Template(name="low", when={"time": 1})
    assert template_choose(reading, (high, low)).name == "low"
    assert template_choose(reading_of(Meaning([PRICE], time=MONTHS)), (high, low)).name == "high"


def test_of_equal_templates_the_plainer_is_chosen_then_the_first_by_name() -> None:
    reading = reading_of(Meaning([PRICE]))
    rich, plain = Template(name="z", when={"aggregates": 1, "time": 1}), Template(name="a", when={"aggregates": 1})
    assert template_choose(reading, (rich, plain)) == plain
    twins = Template(name="b", when={"aggregates": 1}), Template(name="a", when={"aggregates": 1})
    assert template_choose(reading, twins).name == template_choose(reading, twins[::-1]).name == "a"


def test_features_are_labels_and_kinds_of_requirements() -> None:
    meaning = Meaning([PRICE], {"city": WHY}, time=MONTHS, labels={"rank": WHY}, direction="asc")
    meaning.filters = [Filter(column="city", op="null")]
    found = features_of(reading_of(meaning))
    assert found == {"group_by", "time", "aggregates", "order", "filters", "analysis=rank"}
    assert features_of(reading_of(Meaning([BARE]))) == {"bare"}


def test_a_file_in_the_folder_is_a_new_template(tmp_path: Path) -> None:
    (tmp_path / "funnel.yaml").write_text(
        "name: funnel\ndescription: Steps that people take\nwhen: {group_by: 9}\nsteps: [filter, aggregate, plot_bar]\n"
        "tools: [filter, aggregate, plot_bar]\n",
        encoding="utf-8",
    )
    added = templates_load(tmp_path)
    reading = reading_of(Meaning([PRICE], {"city": WHY}))
    template = template_choose(reading, (*templates_shipped(), *added))
    assert template.name == "funnel"
    assert [step.tool for step in template_plan(template).steps] == ["filter", "aggregate", "plot_bar"]
    made = plan_make(reading, template, shipped())
    assert made.coverage.valid
    assert [step.tool for step in made.plan.steps] == ["aggregate", "plot_bar"]
    assert made.plan.template == "funnel"


@each("content", ["steps: [a]", "name: x\nwhen: [time]", "name: x\nmood: good", "[]", "name: x\nwhen: {time: much}"])
def test_a_file_that_is_no_template_is_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text(content, encoding="utf-8")
    with pytest.raises(pydantic.ValidationError):
        templates_load(tmp_path)
