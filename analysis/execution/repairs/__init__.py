"""Known faults of a step, mended before it runs. To add one, write a function of a draft and name it here.

In order, since later ones rely on earlier ones: which parameters there are, their spelling, the columns that they name,
and what those columns hold.
"""

from collections.abc import Callable
from typing import Final

from analysis.execution.chain import Draft
from analysis.execution.repairs.columns import repair_columns, repair_other_table
from analysis.execution.repairs.conditions import repair_conditions
from analysis.execution.repairs.divisors import report_zero_divisors
from analysis.execution.repairs.functions import repair_function_names, repair_functions
from analysis.execution.repairs.grains import repair_grain
from analysis.execution.repairs.params import repair_missing, repair_params, repair_scalars
from analysis.execution.repairs.text import repair_text_columns

SPELLING: Final[tuple[Callable[[Draft], None], ...]] = (
    repair_params,
    repair_scalars,
    repair_conditions,
    repair_function_names,
)
CONTENT: Final[tuple[Callable[[Draft], None], ...]] = (
    repair_other_table,
    repair_columns,
    repair_missing,
    repair_functions,
    repair_text_columns,
    repair_grain,
    report_zero_divisors,
)


def repair_spelling(draft: Draft) -> None:
    """How parameters are written. What cannot be mended is left for `validation.shapes_check` to refuse."""
    for repair in SPELLING:
        repair(draft)


def repair_content(draft: Draft) -> None:
    """What parameters name; they have the right shapes by now. The rest is for `validation.columns_check`."""
    for repair in CONTENT:
        repair(draft)
