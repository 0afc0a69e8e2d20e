"""What coverage missed is looked for once more."""

from analysis.catalog.reading import catalog_shipped
from analysis.contracts.plans import Template
from analysis.narrowing.index import index_of
from analysis.narrowing.narrow import SAFETY, tools_narrow, tools_widen
from tests.analysis.narrowing.catalogs import reading_of, thousand_tools


def test_widening_finds_what_was_missing_in_the_same_number_of_tools() -> None:
    index = index_of(thousand_tools())
    first = tools_narrow(reading_of(metrics=["cost"]), index=index, template=None)
    assert "forecast_naive" not in first.names
    wider = tools_widen({"analysis": ["forecast"]}, index=index, narrowed=first)
    assert "forecast_naive" in wider.names
    assert set(SAFETY) <= set(wider.names)
    assert len(wider.tools) == 12


def test_what_is_missing_has_room_where_the_template_took_all() -> None:
    index = index_of(catalog_shipped())
    names = [tool.name for tool in catalog_shipped() if tool.name not in ("correlate", *SAFETY)]
    template = Template(name="full", tools=tuple(names[:9]))
    first = tools_narrow(reading_of(), index=index, template=template)
    wider = tools_widen({"analysis": ["correlation"]}, index=index, narrowed=first)
    assert "correlate" in wider.names
    assert len(set(wider.names)) == len(wider.names) == 12


def test_nothing_missing_changes_nothing() -> None:
    index = index_of(catalog_shipped())
    first = tools_narrow(reading_of(analysis=["trend"]), index=index, template=None)
    assert tools_widen({}, index=index, narrowed=first) == first
