"""From the probabilities of the network to what a question means."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal, cast

import numpy as np

from analysis.contracts.naming import ROWS
from analysis.contracts.requirements import ANALYSES, UNKNOWN, ChartType, Filter, Grain
from analysis.contracts.tables import TableSchema
from analysis.requirements.absent import absent_groups
from analysis.requirements.columns import holds_time
from analysis.requirements.conditions import (
    LIKELY,
    amount_condition,
    amounts_merged,
    held_condition,
    period_condition,
    state_conditions,
    value_conditions,
    values_named,
)
from analysis.requirements.figures import figures_of
from analysis.requirements.inputs import Inputs, inputs_of
from analysis.requirements.meaning import Figure, Meaning, Reason
from analysis.requirements.network import CHARTS, DIRECTIONS, HAVING, LIMIT, LIMITS, TIMES, Outcome, outcome_of
from analysis.requirements.phrasing import Naming
from analysis.requirements.settling import meaning_settle
from analysis.requirements.spans import Question
from analysis.requirements.valuing import yes_of
from language.layers import Floats

_MOST_ROWS: Final = 1_000
_SURELY: Final = 0.95
"""The probability from which a group is meant by words that are near no name."""
_DESCRIBED: Final = 0.97
"""The probability from which a chart that is not named is asked for."""


def meaning_of(question: Question, schema: TableSchema) -> Meaning:
    """What a question means, by the likeliest decisions that fit each other. Of no words: all rows."""
    if not question.words:
        names = [column.name for column in schema.columns]
        return Meaning(labels={"list": Reason()}, listed=names, language=question.language)
    inputs = inputs_of(question, schema)
    return meaning_decide(question, schema, inputs, outcome_of(inputs))


def meaning_decide(question: Question, schema: TableSchema, inputs: Inputs, outcome: Outcome) -> Meaning:
    """What a question means by what the network says of it."""
    return _Deciding(question, schema, inputs, outcome).meaning()


class _Deciding:
    def __init__(self, question: Question, schema: TableSchema, inputs: Inputs, outcome: Outcome) -> None:
        self.question, self.schema, self.inputs, self.outcome = question, schema, inputs, outcome
        self.names = tuple(column.name for column in schema.columns)
        self.naming = Naming(question, inputs, self.names)
        self.decided = Meaning(language=question.language)
        targets = zip(self.inputs.amounts, self.outcome.amounts, strict=True)
        self.amounts = [(amount, int(shares.argmax()), shares) for (amount, _start, _end), shares in targets]
        """Each number, the place of what it is most likely for, and the shares of all places."""

    def meaning(self) -> Meaning:
        self._labels()
        self._chart()
        self._time()
        self._groups()
        self._conditions()
        self.decided.figures = figures_of(self.schema, self.outcome, self.naming)
        self._order()
        meaning_settle(self.decided, self.schema, self.outcome, self.naming)
        if self.outcome.group.max(initial=0.0) < _SURELY and not self.decided.time:
            self.decided.unmatched += absent_groups(self.question, self.schema, self.inputs)
        return self.decided

    def _labels(self) -> None:
        for label, likely in zip(ANALYSES, self.outcome.labels, strict=True):
            if likely > LIKELY:
                self.decided.labels[label] = Reason(self.naming.of_cue(f"analysis:{label}"), float(likely))

    def _chart(self) -> None:
        outputs, chart = self.decided.outputs, CHARTS[int(self.outcome.chart.argmax())]
        words = self.naming.of_cue(f"chart:{chart}")
        if chart != "no" and (words or self.outcome.chart.max() > _DESCRIBED):
            self.decided.chart = cast(ChartType, chart)
            self.decided.chart_reason = outputs["chart"] = Reason(words, float(self.outcome.chart.max()))
        elif words := self.naming.of_cue("chart:any"):
            outputs["chart"] = Reason(words)
        if words := self.naming.of_cue("table"):
            outputs["table"] = Reason(words)

    def _time(self) -> None:
        at = int(self.outcome.time.argmax())
        grain = cast(Grain | Literal["unknown"], TIMES[1 + int(self.outcome.grain[1:].argmax())])
        words = self.naming.of_cue(f"grain:{grain}")
        if at == len(self.names) and words and "trend" in self.decided.labels:  # its period is named
            at = int(self.outcome.time[:-1].argmax())
        if at == len(self.names) or not holds_time(self.schema.columns[at]):
            return
        if not words and (words := self.naming.of_cue(f"grain:{UNKNOWN}")):  # "over time" says no more
            grain = UNKNOWN
        words = words or self.naming.of_column(at)
        reason = self.naming.reason(at, self.outcome.time)
        self.decided.time = (self.names[at], grain if self.schema.columns[at].is_time else "year")
        self.decided.time_reason = Reason(words, reason.probability, reason.alternatives)

    def _groups(self) -> None:
        axis = self.decided.time[0] if self.decided.time else None
        likely = self.outcome.group
        chosen = [at for at in np.argsort(-likely) if likely[at] > LIKELY and self.names[at] != axis]
        words: list[str] = []
        for at in map(int, chosen):
            reason = self.naming.reason(at, likely)
            if reason.phrase not in words:  # the same words mean one column, the likeliest
                self.decided.groups[self.names[at]] = reason
            words += [reason.phrase] if reason.phrase else []

    def _conditions(self) -> None:
        named = values_named(self.inputs, self.outcome)
        by_value = value_conditions(self.question, self.schema, named)
        for condition, _part in by_value:
            chances = [value.probability for value in named if self.names[value.column] == condition.column]
            self.decided.filter_reasons[condition.phrase] = Reason(condition.phrase, min(chances))
        amounts, periods, self.decided.having = list(self._amounts()), list(self._periods()), list(self._having())
        states = list(state_conditions(self.schema, self.outcome, self.naming))
        held = list(held_condition(self.schema, self.outcome, self.naming))
        values = [found for found, _part in by_value if not self._is_compared(found)]
        others = [*values, *amounts_merged(amounts), *states, *held]
        self.decided.filters = [*others, *periods]
        self._compared(others)
        if "share" in self.decided.labels and self.outcome.has_part > LIKELY:
            parts = [found for found, is_part in by_value if is_part and found in values]
            self.decided.part = parts or others[-1:]

    def _is_compared(self, condition: Filter) -> bool:
        """Whether yes and no of a column are set beside each other, so that neither is left out."""
        column = self.schema.column(condition.column)
        is_yes_no = column is not None and yes_of(column) is not None
        return is_yes_no and condition.column in self.decided.groups and "compare" in self.decided.labels

    def _compared(self, conditions: Sequence[Filter]) -> None:
        """Values that are compared are kept apart."""
        several = [condition for condition in conditions if condition.op == "in"]
        if "compare" in self.decided.labels and several and not self.decided.groups:
            self.decided.groups[several[0].column] = Reason(several[0].phrase)

    def _is_of_column(self, at: int) -> bool:
        """Whether a number that is for this place is held against a column."""
        return at < len(self.names) and self.schema.columns[at].is_number

    def _amounts(self) -> Iterator[Filter]:
        for amount, at, shares in self.amounts:
            if self._is_of_column(at):
                condition = amount_condition(self.question, self.schema.columns[at], amount)
                yield self._explained(condition, at, shares)

    def _having(self) -> Iterator[Filter]:
        for amount, at, _shares in self.amounts:
            if at == len(self.names) + HAVING:
                words = self.question.text[amount.start : amount.end]
                value = amount.value if amount.high is None else [amount.value, amount.high]
                yield Filter(column=ROWS, op=amount.op, value=value, phrase=words)

    def _periods(self) -> Iterator[Filter]:
        columns = self.schema.columns
        numbers = [amount.number_start for amount, at, _shares in self.amounts if self._is_of_column(at)]
        for (period, _start, _end), shares in zip(self.inputs.periods, self.outcome.periods, strict=True):
            at = int(shares.argmax())
            is_number = any(period.start <= start < period.end for start in numbers)
            if at < len(columns) and holds_time(columns[at]) and not is_number:
                yield self._explained(period_condition(self.question, columns[at], period), at, shares)

    def _explained(self, condition: Filter, at: int, shares: Floats) -> Filter:
        """The condition, with why it is on its column."""
        self.decided.filter_reasons[condition.phrase] = self.naming.reason(at, shares, condition.phrase)
        return condition

    def _order(self) -> None:
        decided, outcome = self.decided, self.outcome
        limit = LIMITS[int(outcome.limit.argmax())]
        place = len(self.names) + LIMIT
        numbers = [
            amount
            for amount, at, _shares in self.amounts
            if at == place and amount.value.is_integer() and 0 < amount.value <= _MOST_ROWS
        ]
        if numbers:
            decided.limit = int(numbers[0].value)
            decided.limit_reason = Reason(
                self.question.text[numbers[0].start : numbers[0].end], float(outcome.limit.max())
            )
        elif limit == "one":
            decided.limit, decided.limit_reason = 1, Reason(self.naming.of_cue("single"), float(outcome.limit.max()))
        direction = DIRECTIONS[int(outcome.direction.argmax())]
        if direction == "no":
            return
        decided.direction = cast(Literal["asc", "desc"], direction)
        decided.order_reason = Reason(self.naming.of_cue(f"order:{direction}"), float(outcome.direction.max()))
        at = int(outcome.order_by.argmax())
        if at == len(self.names):
            return
        name, axis = self.names[at], decided.time[0] if decided.time else None
        is_bare = all(figure.func == "none" for figure in decided.figures)
        if name in decided.groups or name == axis or is_bare:
            decided.order_by = name
        if is_bare and not decided.groups and name not in [figure.column for figure in decided.figures]:
            column = self.schema.columns[at]
            decided.figures.append(
                Figure(name, "none", is_number=column.is_number, reason=Reason(self.naming.of_column(at)))
            )
