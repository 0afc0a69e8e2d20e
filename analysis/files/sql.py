"""Names and texts as parts of SQL: whatever they contain, they stay one name and one text."""

from collections.abc import Iterable


def identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def literals(texts: Iterable[str]) -> str:
    return ", ".join(map(literal, texts))
