"""From a criterion as people write it to what it says."""

from planning.grammar.contracts import CriterionParse


def criterion_parse(text: str) -> CriterionParse | None:
    """What the criterion says; None where the grammar cannot tell, and then nobody guesses."""
    return None
