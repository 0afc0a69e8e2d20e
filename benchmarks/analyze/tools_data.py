"""Rows of MetaTool (MIT) and CLINC150 (CC BY 3.0), read from a folder beside the project; none is kept here."""

import csv
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from analysis.contracts.plans import Tool

EXAMPLES = 10


class ToolRows(NamedTuple):
    """Tools with their descriptions, queries of one tool, and queries of two.

    `pairs`: a name, and two descriptions of one plugin. `intents`: queries by the name of the intent they have.
    """

    descriptions: dict[str, str]
    single: list[tuple[str, str]]
    double: list[tuple[str, tuple[str, ...]]]
    pairs: list[tuple[str, str, str]]
    intents: list[tuple[str, str]]

    @classmethod
    def load(cls, folder: Path) -> "ToolRows":
        tools = json.loads((folder / "tools" / "metatool_tools.json").read_text(encoding="utf-8"))
        with (folder / "tools" / "metatool_single_dev.csv").open(encoding="utf-8", newline="") as file:
            single = [(row["query"], row["tool"]) for row in csv.DictReader(file)]
        double = json.loads((folder / "tools" / "metatool_multi_dev.json").read_text(encoding="utf-8"))
        texts = [(name, info["human"], info["model"]) for name, info in tools["plugin_info"].items()]
        clinc = json.loads((folder / "routing" / "clinc150_train_val.json").read_text(encoding="utf-8"))
        return cls(
            tools["plugin_des"],
            single,
            [(row["query"], tuple(row["tool"])) for row in double],
            [(name, human, model) for name, human, model in texts if human and model and human != model],
            [(text, intent.replace("_", " ")) for text, intent in clinc["train"]],
        )

    def tools(self, examples: Mapping[str, Sequence[str]] | None = None) -> list[Tool]:
        return [
            Tool(name=name, description=description, examples=tuple((examples or {}).get(name, ())))
            for name, description in self.descriptions.items()
        ]


def examples_of(rows: Sequence[tuple[str, str]], seed: int = 0) -> dict[str, list[str]]:
    """Ten queries of each tool, fewer where there are not as many."""
    by_tool: dict[str, list[str]] = {}
    for query, tool in random.Random(seed).sample(rows, len(rows)):
        if len(by_tool.setdefault(tool, [])) < EXAMPLES:
            by_tool[tool].append(query)
    return by_tool


def folds_of(count: int, folds: int, seed: int = 0) -> list[int]:
    """The fold of each, as even as can be."""
    places = [place % folds for place in range(count)]
    random.Random(seed).shuffle(places)
    return places
