"""A catalog made ready once, with or without descriptions and examples."""

import numpy as np
import pytest

from analysis.contracts.plans import Tool
from analysis.narrowing.index import ToolIndex, index_of
from analysis.narrowing.narrow import tools_for_text

SINGER = Tool(name="singer", description="Sing a song about anything")
BAKER = Tool(name="baker", description="Bake bread and cakes")


def test_the_same_content_is_made_ready_once() -> None:
    assert index_of([SINGER, BAKER]) is index_of((SINGER.model_copy(), BAKER))
    assert index_of([SINGER, BAKER]) is not index_of([BAKER, SINGER])


def test_scores_of_a_query_sum_to_one_and_no_query_has_none() -> None:
    index = ToolIndex([SINGER, BAKER])
    assert index.scores(["a cake", ""]).sum(axis=1) == pytest.approx([1, 1])
    assert index.scores([]).shape == (0, 2)


def test_many_queries_are_as_each_alone() -> None:
    index = ToolIndex([SINGER, BAKER])
    queries = [f"cake number {number}" for number in range(70)]
    assert np.allclose(index.scores(queries)[69], index.scores(queries[69:])[0], atol=1e-5)


def test_an_example_brings_a_tool_to_the_front_beside_tools_that_have_none() -> None:
    question = "please get my shirt ready for tomorrow"
    cleaner = Tool(name="cleaner", description="A service of the house", examples=("get my shirts ready",))
    assert tools_for_text(question, index=ToolIndex([SINGER, BAKER, cleaner])).names[0] == "cleaner"


def test_a_tool_is_a_name_at_least() -> None:
    assert (
        tools_for_text("bread", index=ToolIndex([Tool(name="???"), Tool(name="bread_maker")])).names[0] == "bread_maker"
    )


def test_an_index_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="a tool at least"):
        ToolIndex([])
