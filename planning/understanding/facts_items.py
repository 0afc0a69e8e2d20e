"""What a task says, piece by piece, each piece with its place in the text."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from .facts_tokens import Token, text_of

VERB: Final = "verb"
OBJECT: Final = "object"
PLACE: Final = "place"
NAME: Final = "name"
DATE: Final = "date"
DURATION: Final = "duration"
AMOUNT: Final = "amount"
QUANTITY: Final = "quantity"
NEGATION: Final = "negation"
QUALITY: Final = "quality"
WORD: Final = "word"
"""A word that no data file knows; `Item.value` is its stem."""


@dataclass(frozen=True, slots=True)
class Item:
    """A piece from token `first` to before `last`, and its canonical value.

    `role`: by what preposition it hangs on the rest ("to", "from", "with", "near"...), empty where by none; `intro`:
    where that begins. `joined`: it stands in a list with the item before it.
    """

    kind: str
    value: str
    first: int
    last: int
    role: str = ""
    intro: int = -1
    joined: bool = False

    @property
    def begins(self) -> int:
        """The first token with what introduces it."""
        return self.first if self.intro < 0 else self.intro


@dataclass
class Reading:
    """Tokens of a task, and the items that were found so far; `used` tokens belong to one or say nothing."""

    text: str
    language: str
    tokens: Sequence[Token]
    items: list[Item] = field(default_factory=list)
    used: list[bool] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.used = [False] * len(self.tokens)

    def take(self, item: Item, *, also_from: int | None = None) -> None:
        """Add an item; its tokens, and those before it from `also_from` on, are used."""
        self.items.append(item)
        start = item.first if also_from is None else also_from
        self.used[start : item.last] = [True] * (item.last - start)

    def is_free(self, first: int, last: int) -> bool:
        """Whether these tokens are there and not used."""
        return first >= 0 and last <= len(self.tokens) and not any(self.used[first:last])

    def fold(self, place: int) -> str:
        """The folded token there; empty outside of the task."""
        return self.tokens[place].fold if 0 <= place < len(self.tokens) else ""

    def wording(self, item: Item, *, introduced: bool = False) -> str:
        """The item as the task words it."""
        return text_of(self.text, self.tokens[item.begins if introduced else item.first : item.last])
