"""What a network could say of a question: nothing at all, but for what a test changes."""

from dataclasses import replace
from typing import Any

import numpy as np

from analysis.contracts.requirements import ANALYSES
from analysis.contracts.tables import Column, TableSchema
from analysis.requirements.inputs import PLACES_AT_MOST, Inputs, inputs_of
from analysis.requirements.network import (
    CHARTS,
    DIRECTIONS,
    HOLDS,
    LIMITS,
    OPERATORS,
    PARTS,
    STATES,
    TIMES,
    Outcome,
)
from analysis.requirements.spans import Question
from language.layers import Floats

SALES = TableSchema(
    table="sales",
    rows=500,
    columns=(
        Column(name="region", values=("North", "South", "north"), complete=True, distinct=3),
        Column(name="paid", values=("Sí", "No"), complete=True, distinct=2),
        Column(name="ordered", type="date", lowest="2022-01-01", highest="2024-12-31"),
        Column(name="delivered", type="date", lowest="2022-01-03", highest="2025-01-09"),
        Column(name="units", type="integer", lowest="1", highest="30"),
        Column(name="rate", type="number", lowest="0.1", highest="0.9"),
    ),
)
PLACE = {column.name: at for at, column in enumerate(SALES.columns)}


def read(text: str) -> tuple[Question, Inputs]:
    question = Question(text)
    return question, inputs_of(question, SALES)


def nothing(inputs: Inputs, **changes: Any) -> Outcome:
    """The first choice of everything, which is none of it; `changes` are arrays or numbers of an `Outcome`."""
    columns = len(inputs.columns)
    alone = np.zeros(columns, dtype=np.float32)
    outcome = Outcome(
        parts=first(columns, len(PARTS)), group=alone, time=last(columns + 1), states=first(columns, len(STATES)),
        held_left=alone, held_right=alone, order_by=last(columns + 1), x=alone, y=last(columns + 1), counted=0.0,
        operator=first(1, len(OPERATORS))[0], operator_part=first(1, len(PARTS))[0], grain=first(1, len(TIMES))[0],
        labels=np.zeros(len(ANALYSES), dtype=np.float32), chart=first(1, len(CHARTS))[0],
        direction=first(1, len(DIRECTIONS))[0], limit=first(1, len(LIMITS))[0], has_part=0.0,
        held=first(1, len(HOLDS))[0], aggregate=first(1, len(PARTS))[0],
        values=np.zeros((len(inputs.groups), PLACES_AT_MOST), dtype=np.float32),
        refused=np.zeros((len(inputs.groups), PLACES_AT_MOST), dtype=np.float32),
        of_part=np.zeros((len(inputs.groups), PLACES_AT_MOST), dtype=np.float32),
        amounts=np.eye(columns + 3, dtype=np.float32)[[columns] * len(inputs.amounts)],
        periods=np.eye(columns + 1, dtype=np.float32)[[columns] * len(inputs.periods)],
    )  # fmt: skip
    return replace(outcome, **changes)


def first(rows: int, size: int) -> Floats:
    array: Floats = np.eye(size, dtype=np.float32)[[0] * rows]
    return array


def last(size: int) -> Floats:
    return one(size - 1, size)


def one(place: int, size: int) -> Floats:
    array: Floats = np.eye(size, dtype=np.float32)[place]
    return array


def named(inputs: Inputs, *values: str) -> Floats:
    """These values, all that the question has of them."""
    likely = np.zeros((len(inputs.groups), PLACES_AT_MOST), dtype=np.float32)
    for number, group in enumerate(inputs.groups):
        if group.value in values:
            likely[number, 0] = 0.9
    return likely
