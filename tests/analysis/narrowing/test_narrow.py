"""A few tools for requirements: what is retrieved, the template's and the safety set, in a bounded number."""

from pathlib import Path
from typing import Any

import pytest

from analysis.catalog.reading import catalog_load, catalog_shipped
from analysis.contracts.plans import Template
from analysis.narrowing.index import ToolIndex, index_of
from analysis.narrowing.narrow import SAFETY, tools_for_text, tools_narrow
from tests.analysis.narrowing.catalogs import CountingEmbedder, reading_of, thousand_tools
from tests.each import each

TREND: dict[str, Any] = {
    "metrics": ["revenue"],
    "group_by": ["region"],
    "time": {"column": "date", "grain": "month"},
    "analysis": ["trend"],
}


@pytest.fixture(scope="module")
def thousand() -> ToolIndex:
    return index_of(thousand_tools())


def test_a_thousand_tools_give_as_many_as_a_few(thousand: ToolIndex) -> None:
    few = tools_narrow(reading_of(**TREND), index=index_of(catalog_shipped()), template=None)
    many = tools_narrow(reading_of(**TREND), index=thousand, template=None)
    assert len(few.tools) == len(many.tools) == 12


def test_a_question_embeds_as_few_texts_with_a_thousand_tools_and_the_tools_are_kept() -> None:
    embed = CountingEmbedder()
    index = ToolIndex(thousand_tools(), embed=embed)
    of_catalog, embed.texts = set(embed.texts), []
    tools_narrow(reading_of(**TREND), index=index, template=None, question="Revenue by region and month")
    assert embed.kept == of_catalog
    assert len(embed.texts) < 10


@each(
    "requirements, tool",
    [
        ({"metrics": ["cost"], "analysis": ["anomaly"]}, "detect_anomalies"),
        ({"metrics": ["age", "score"], "analysis": ["correlation"]}, "correlate"),
        ({"group_by": ["city"], "analysis": ["share"]}, "share"),
        ({"group_by": ["city"], "analysis": ["rank"]}, "rank"),
        ({"metrics": ["sales"], "analysis": ["forecast"]}, "forecast_naive"),
        ({"metrics": ["age"], "analysis": ["distribution"], "outputs": ["chart"]}, "histogram"),
        (TREND, "detect_trend"),
        ({"metrics": ["sales"], "constraints": ["city = Madrid"]}, "filter"),
        ({"metrics": ["sales"], "constraints": ["limit = 5"]}, "rank"),
        ({"metrics": ["sales"], "constraints": ["chart = pie"]}, "plot_pie"),
        ({"metrics": ["sales"], "outputs": ["table"]}, "table"),
    ],
)
def test_each_requirement_finds_its_tool_among_a_thousand(
    requirements: dict[str, Any], tool: str, thousand: ToolIndex
) -> None:
    assert tool in tools_narrow(reading_of(**requirements), index=thousand, template=None, limit=8).names


def test_the_safety_set_is_there_whatever_is_asked(thousand: ToolIndex) -> None:
    narrowed = tools_narrow(reading_of(analysis=["forecast"]), index=thousand, template=None, limit=8)
    assert set(SAFETY) <= set(narrowed.names)
    assert {c.tool.name for c in narrowed.candidates if c.reason == "safety"} == set(SAFETY)


def test_the_tools_of_the_template_are_there(thousand: ToolIndex) -> None:
    template = Template(name="odd", tools=("plot_heatmap", "pivot", "parse_datetime", "not_in_this_catalog"))
    narrowed = tools_narrow(reading_of(analysis=["total"]), index=thousand, template=template, limit=8)
    assert {"plot_heatmap", "pivot", "parse_datetime", *SAFETY} <= set(narrowed.names)
    assert {c.tool.name for c in narrowed.candidates if c.reason == "template"} == set(template.tools[:3])
    assert len(narrowed.tools) == 8


def test_what_a_template_can_do_without_makes_room_for_what_is_retrieved() -> None:
    names = [tool.name for tool in catalog_shipped() if tool.name not in ("correlate", *SAFETY)][:10]
    index, reading = index_of(catalog_shipped()), reading_of(analysis=["correlation"])
    needed, optional = (Template(name="full", tools=tuple(names), optional=tuple(names[at:])) for at in (10, 0))
    assert "correlate" not in tools_narrow(reading, index=index, template=needed).names
    narrowed = tools_narrow(reading, index=index, template=optional)
    assert "correlate" in narrowed.names
    assert len(narrowed.names) == 12


def test_candidates_come_in_the_order_of_their_scores_with_the_query_that_found_them(thousand: ToolIndex) -> None:
    narrowed = tools_narrow(reading_of(metrics=["cost"], analysis=["anomaly"]), index=thousand, template=None)
    scores = [candidate.score for candidate in narrowed.candidates]
    assert scores == sorted(scores, reverse=True)
    assert next(c for c in narrowed.candidates if c.tool.name == "detect_anomalies").query == "analysis=anomaly"


def test_nothing_asked_gives_the_safety_set_and_fills_up(thousand: ToolIndex) -> None:
    narrowed = tools_narrow(reading_of(), index=thousand, template=None)
    assert set(SAFETY) <= set(narrowed.names)
    assert len(narrowed.tools) == 12


@each("limit", [7, 13])
def test_a_plan_is_made_from_eight_to_twelve_tools(limit: int, thousand: ToolIndex) -> None:
    with pytest.raises(ValueError, match="between 8 and 12"):
        tools_narrow(reading_of(**TREND), index=thousand, template=None, limit=limit)


def test_a_tool_that_a_file_adds_is_found_by_its_capability_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "more.yaml"
    path.write_text("- name: zq7\n  capabilities: [geocode, map_regions]\n  outputs: [chart]\n", encoding="utf-8")
    index = index_of((*thousand_tools(), *catalog_load(path)))
    assert tools_for_text("Show the regions on a map", index=index, limit=3).names[0] == "zq7"


def test_a_question_in_another_language_finds_its_tool(thousand: ToolIndex) -> None:
    assert "detect_anomalies" in tools_for_text("¿Hay gastos fuera de lo normal?", index=thousand).names


def test_each_part_of_a_question_finds_its_tool(thousand: ToolIndex) -> None:
    question = "Repair the violins in district 3 and also show a box plot of their prices"
    assert {"plot_box"} <= set(tools_for_text(question, index=thousand, limit=12).names)
    assert any("Repair violins" in tool.description for tool in tools_for_text(question, index=thousand).tools)
