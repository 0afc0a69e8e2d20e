"""Catalogs of files: what is read, and what is refused with its place."""

import json
from pathlib import Path

import pytest

from analysis.catalog.faults import CatalogRefused
from analysis.catalog.reading import catalog_load, catalog_read, catalog_shipped
from analysis.catalog.values import FILE_BYTES, values_of
from analysis.contracts.plans import Tool
from tests.each import each

DOCUMENTED = """
- name: aggregate
  capabilities: ["aggregate", "group_by", "summarize"]
  inputs: ["df"]
  params: ["group_by", "agg_func", "metrics"]
  outputs: ["df"]

- name: plot_line
  capabilities: ["plot", "time_series"]
  inputs: ["df"]
  params: ["x", "y", "color"]
  outputs: ["chart"]
"""


def loaded(tmp_path: Path, text: str | bytes) -> tuple[Tool, ...]:
    path = tmp_path / "catalog"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return catalog_load(path)


def test_the_documented_entries_load_unchanged(tmp_path: Path) -> None:
    aggregate, line = loaded(tmp_path, DOCUMENTED)
    assert aggregate.capabilities == ("aggregate", "group_by", "summarize")
    assert (line.name, line.params, line.outputs) == ("plot_line", ("x", "y", "color"), ("chart",))


@each(
    "text",
    [
        json.dumps([{"name": "a", "description": "b"}]),
        json.dumps({"tools": [{"name": "a", "description": "b"}]}),
        json.dumps({"a": "b"}),
        json.dumps({"a": {"description": "b"}}),
        "a: b\n",
        "{a: b}",
        "\ufeffa: b",
    ],
)
def test_every_form_of_a_catalog_is_read(text: str | bytes, tmp_path: Path) -> None:
    assert loaded(tmp_path, text) == (Tool(name="a", description="b"),)


def test_words_that_yaml_takes_for_values_stay_words(tmp_path: Path) -> None:
    assert [tool.name for tool in loaded(tmp_path, "yes: no\n2024-01-01: 3\n")] == ["yes", "2024-01-01"]


def test_a_tool_may_be_called_tools(tmp_path: Path) -> None:
    assert loaded(tmp_path, "tools: Lists the tools") == (Tool(name="tools", description="Lists the tools"),)


@each(
    "text, message",
    [
        ("- {name: a, purpose: b}", "tool 1, purpose: extra"),
        ("- {name: a}\n- {description: b}", "tool 2, name: field required"),
        ('[{"name": "a", "params": 3}]', "tool 1, params: input should be a valid tuple"),
        ("- {name: a}\n- {name: a}", "tool 2: a name of its own"),
        ("- {name: a}\n- {name: b, other_names: [a]}", "tool 2: a name of its own is expected, a is there"),
        ("- {name: b, other_names: [a]}\n- {name: a}", "tool 2: a name of its own is expected, a is there"),
        ("- {name: a, params: [x], types: {x: colum}}", "tool 1, types, x: a list of values is expected, or one of"),
        ("- {name: a, params: [x], types: {x: big column}}", "tool 1, types, x: "),
        ('[{"name": "a", "types": {"x": 3}}]', "tool 1, types, x: "),
        ("a: b\na: c", "line 2: the key a is there twice"),
        ('{"a": "b", "a": "c"}', "a: the key is there twice"),
        ("a: &b c\nd: *b", "line 1: neither anchors nor aliases"),
        ("? [a]\n: b", "line 1: a key is expected to be text"),
        ("[" * 2_000, "less nesting|YAML is expected"),
        ("a:\n" + "".join(" " * n + "- \n" for n in range(1, 30)), "less nesting"),
        ("a: b\n---\nc: d", "YAML is expected"),
        (b"\xff\xfe\x00", "byte 1: UTF-8"),
        (b"a: \x00", "YAML is expected"),
        ("", "a list of tools is expected"),
        ("[]", "a tool at least"),
        ("just words", "a list of tools is expected"),
        ("- a", "tool 1: "),
    ],
)
def test_what_is_no_catalog_is_refused_with_its_place(text: str | bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(CatalogRefused, match=message):
        loaded(tmp_path, text)


def test_a_file_that_multiplies_itself_is_refused(tmp_path: Path) -> None:
    bomb = "a: &a [x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(100))
    with pytest.raises(CatalogRefused, match="anchors"):
        loaded(tmp_path, bomb)


def test_a_huge_file_is_refused() -> None:
    with pytest.raises(CatalogRefused, match="bytes are expected"):
        values_of(b" " * (FILE_BYTES + 1))


def test_a_file_that_is_not_there_or_is_a_folder_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path, "a\0b"):
        with pytest.raises(CatalogRefused, match="a file that can be read"):
            catalog_load(path)


def test_of_many_faults_the_first_are_shown() -> None:
    with pytest.raises(CatalogRefused, match="and 80 more"):
        catalog_read([{}] * 100)


def test_the_shipped_catalog_has_the_safety_set_and_capabilities_everywhere() -> None:
    tools = {tool.name: tool for tool in catalog_shipped()}
    assert {"aggregate", "plot_line", "compute_summary_stats"} <= set(tools)
    assert all(tool.capabilities for tool in tools.values())
