"""Whether somebody asks for the laboratory. It is never opened by a question alone. Source: spec/4, 3.3 and 3.7."""

from routing.phrases import phrases_in

LAB = "lab"


def lab_requested(message: str, hint: str) -> bool:
    """By choosing it, or by asking for it in words; a question that would suit it is no request."""
    return hint == LAB or phrases_in("lab_access.txt").ask(message)
