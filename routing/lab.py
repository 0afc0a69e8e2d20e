"""Whether somebody asks for the laboratory. It is never opened by a question alone. Source: spec/4, 3.3 and 3.7."""

from routing.phrases import phrases_in
from routing.reading import Reading

LAB = "lab"


def lab_requested(message: str, hint: str, reading: Reading) -> bool:
    """By choosing it, by asking to be let in, or by a question that clearly can be about nothing else.

    Not by saying that it is not wanted, or by speaking of another laboratory.
    """
    access = phrases_in("lab_access.txt")
    if hint == LAB or access.ask(message):
        return True
    return reading.first == LAB and reading.certainty == "high" and not access.drop(message)
