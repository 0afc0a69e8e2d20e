"""Cells as SQL: trimmed, missing, boolean."""

from collections.abc import Sequence
from typing import Final

from analysis.files.sql import literal, literals

_BLANKS: Final = " \t\n\u00a0\u202f\ufeff"
_MISSING: Final = ("na", "n/a", "#n/a", "nan", "null", "none", "-", "--", "–", "—", "s/d", "n/d", "n.d.", "s.d.")
_PAIRS: Final = {"true": ("true", "false"), "verdadero": ("verdadero", "falso")}
"""The words of booleans. "Yes" and "Sí" stay texts, so that a table shows them as the file does."""
_TRUE: Final = ("true", "verdadero")


def trimmed(cell: str) -> str:
    """The cell without blanks around it, NULL where there is nothing else."""
    # Trimming is slow and seldom needed: the first and the last character are looked at before.
    needed = f"{cell} < '!' OR {cell}[-1] < '!' OR contains({cell}, '\u00a0')"
    return f"nullif(CASE WHEN {needed} THEN trim({cell}, {literal(_BLANKS)}) ELSE {cell} END, '')"


def is_missing(cell: str) -> str:
    """Whether a cell of numbers or dates says that there is none. In a text these marks stay: "NA" is Namibia too."""
    longest = max(map(len, _MISSING))
    return f"(length({cell}) <= {longest} AND {_is_one_of(f'lower({cell})', _MISSING)})"


def boolean(cell: str) -> str:
    return _is_one_of(f"lower({cell})", _TRUE)


def boolean_pair(cell: str) -> str:
    """SQL of the pair that a boolean's word is of, NULL for any other text: a column has words of one pair only."""
    cases = " ".join(f"WHEN {_is_one_of(f'lower({cell})', words)} THEN '{pair}'" for pair, words in _PAIRS.items())
    return f"CASE {cases} END"


def _is_one_of(text: str, words: Sequence[str]) -> str:
    """As IN, which DuckDB makes a join of: that takes longer to plan, and rows may come out of order."""
    return f"list_contains([{literals(words)}], {text})"
