"""The texts that a tool is compared by, and the parts of a question."""

import re
from typing import Final, NamedTuple

from analysis.contracts.plans import Tool

QUESTION_CHARACTERS: Final = 2_000
_PASSAGE_CHARACTERS: Final = 1_000
_CLAUSES: Final = 30
_EXAMPLES: Final = 100
_PARTS: Final = 6
_PART_WORDS: Final = 3
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD: Final = re.compile(r"[^\W_]+")
_CLAUSE: Final = re.compile(r"[.!?,;:]\s+|\n|\s(?:and|y|e)\s")
_PART: Final = re.compile(
    r"[.!?;:¿¡]\s+|\n|,?\s(?:and|also|then|plus|as well as|along with|y|e|también|luego|además)\s", re.IGNORECASE
)


class ToolText(NamedTuple):
    """A tool as texts. `whole` is name and description; `clauses` are parts of the description, and capabilities."""

    name: str
    description: str
    whole: str
    clauses: tuple[str, ...]
    examples: tuple[str, ...]

    @property
    def words(self) -> str:
        """Everything but the examples, for the comparison of words."""
        return " ".join((self.name, self.description, *self.clauses))


def tool_text(tool: Tool) -> ToolText:
    """The texts of a tool; where it has no description, its capabilities are one."""
    capabilities = [words_apart(capability) for capability in (*tool.capabilities, *tool.other_names)]
    name = words_apart(tool.name) or tool.name
    description = tool.description.strip()[:_PASSAGE_CHARACTERS] or ", ".join(capabilities) or name
    clauses = dict.fromkeys([*clauses_of(description), *filter(None, capabilities)])
    examples = dict.fromkeys(example.strip()[:_PASSAGE_CHARACTERS] for example in tool.examples[:_EXAMPLES])
    return ToolText(
        name, description, f"{name}: {description}", tuple(clauses)[:_CLAUSES], tuple(filter(None, examples))
    )


def words_apart(name: str) -> str:
    """The words of an identifier: "plot_line" and "PlotLine" are "plot line" and "Plot Line"."""
    return " ".join(_WORD.findall(_CAMEL.sub(" ", name)))


def clauses_of(text: str) -> tuple[str, ...]:
    """The parts of a description; at least one."""
    return tuple(part for piece in _CLAUSE.split(text) if (part := piece.strip())) or (text,)


def parts_of(question: str) -> tuple[str, ...]:
    """The parts of a question that may each ask for a tool; none where there is only one."""
    pieces = [piece.strip(" \"'.,;:?!") for piece in _PART.split(question)]
    parts = [piece for piece in pieces if len(piece.split()) >= _PART_WORDS]
    return tuple(dict.fromkeys(parts))[:_PARTS] if len(parts) > 1 else ()
