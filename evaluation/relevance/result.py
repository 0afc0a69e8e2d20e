"""What a result says, sorted: what it is about, what the user said of it, and whether anything came of the task."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from evaluation.checking.plain import Opaque
from evaluation.checking.walk import Group, Listing, Node, ResultReading, result_read
from language.word_lists import word_set

from .feedback import Feedback, feedback_of, is_feedback, is_person, may_be_feedback
from .words import DATA, WORDS, encodable, key_words, phrases, plain_text, words_and_numbers

_FILE: Final = DATA / "outcome.txt"
_ENTRIES: Final = 200
_OPENING: Final = 14
"""Words of a message in which it says that it failed."""
_MUCH: Final = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """A value with its names: `keys` are the words of its own name, `above` those of all names on the way to it."""

    keys: tuple[str, ...]
    above: tuple[str, ...]
    value: str | int | float | bool

    @property
    def is_none(self) -> bool:
        """Whether it says that there is none of what its name says."""
        return not isinstance(self.value, str) and self.value == 0

    @property
    def text(self) -> str:
        """The value as text; empty for yes and no, which say nothing without their name."""
        return "" if isinstance(self.value, bool) else str(self.value)


@dataclass(frozen=True, slots=True)
class Content:
    """A result, sorted. `failure`: how sure it is that nothing came of the task, 0 to 1.

    `blank` counts fields without a value, `names` are all names of fields, with or without one, `sizes` how long its
    lists are, by their name.
    """

    entries: tuple[Entry, ...]
    feedback: Feedback
    failure: float
    blank: int
    names: tuple[tuple[str, ...], ...]
    sizes: tuple[tuple[tuple[str, ...], int], ...] = ()

    @property
    def is_empty(self) -> bool:
        return not self.entries


def content_read(result: object, task_words: Collection[str]) -> Content:
    """What a result, or a `ResultReading` of it, says. To a task about errors, an error is no failure."""
    return _Sorter(result if type(result) is ResultReading else result_read(result), task_words).sorted()


class _Sorter:
    def __init__(self, reading: ResultReading, task_words: Collection[str]) -> None:
        self._reading, self._task_words = reading, task_words
        self._entries: list[Entry] = []
        self._feedback: list[tuple[tuple[str, ...], str | int | float | bool]] = []
        self._hard = self._soft = 0.0
        self._blank = 0
        self._zero = False

    def sorted(self) -> Content:
        names = dict.fromkeys(key_words(node.name) for node in self._reading.nodes if node.names)
        for node in self._reading.nodes:
            if not isinstance(node.value, (Group, Listing)):
                self._leaf(node)
        if self._reading.kind not in _PLAIN_KINDS and self._entries:  # an object's class is its first name
            names = {key_words(self._reading.kind): None, **names}
        entries = tuple(self._entries[:_ENTRIES])
        failure = max(self._hard, self._soft if len(entries) <= _MUCH else self._soft / 2)
        if self._zero and len(entries) <= _MUCH:
            failure = max(failure, 0.9)
        lists = [node for node in self._reading.nodes if isinstance(node.value, Listing)]
        sizes = tuple((key_words(node.name), node.value.size) for node in lists if isinstance(node.value, Listing))
        return Content(
            entries, feedback_of(self._feedback), failure, self._blank, tuple(names)[:_ENTRIES], sizes[:_ENTRIES]
        )

    def _leaf(self, node: Node) -> None:
        value = node.value
        if isinstance(value, Opaque):
            return
        if not isinstance(value, (int, float, bool)):
            value = None if value is None else encodable(str(value))
        keys = key_words(node.name)
        above = tuple(word for name in node.names for word in key_words(name))
        if any(" ".join(key_words(name)) in word_set(WORDS, "echo") for name in node.names):
            return  # it repeats what was asked, or says how the result was made
        placeholders = word_set(_FILE, "placeholder") | {""}
        if value is None or (isinstance(value, str) and plain_text(value).strip() in placeholders):
            self._blank += 1
        elif is_feedback(above, keys, value) or (may_be_feedback(keys) and any(map(is_person, node.siblings.values()))):
            self._feedback.append((keys, value))
        elif not self._outcome(keys, value):
            self._entries.append(Entry(keys, above, value))

    def _outcome(self, keys: tuple[str, ...], value: str | int | float | bool) -> bool:
        """Whether this says how it went, and not what came of it."""
        if _is_error(keys) and not any(word in self._task_words for word in keys):
            if value is not False and value != 0:
                self._hard = max(self._hard, 1.0)
            return True
        if isinstance(value, bool):
            return self._yes_or_no(keys, value=value)
        if isinstance(value, (int, float)):
            empty = value == 0 and _named(keys, "count_key")
            self._zero |= empty
            return empty
        return self._worded(keys, value)

    def _yes_or_no(self, keys: tuple[str, ...], *, value: bool) -> bool:
        if _named(keys, "done_key"):
            self._hard = max(self._hard, 0.0 if value else 0.85)
            return True
        if _named(keys, "did_key") and not value:
            self._soft = max(self._soft, 0.4)
        return False

    def _worded(self, keys: tuple[str, ...], value: str) -> bool:
        words = words_and_numbers(value)[:_OPENING]
        failed = _named(keys, "status_key") and any(
            begin == 0 for begin, _ in phrases(_FILE, "failed_status").find(words)
        )
        if failed and not any(words[0][:5] == word[:5] for word in self._task_words):  # a task to cancel is served
            self._hard = max(self._hard, 0.95)
            return True
        if (not keys or _named(keys, "message_key")) and phrases(_FILE, "failed_text").are_in(words):
            self._soft = max(self._soft, 0.9)
            return True
        return False


_PLAIN_KINDS: Final = frozenset(
    ("dict", "list", "tuple", "str", "int", "float", "bool", "NoneType", "set", "frozenset", "SimpleNamespace", "bytes")
)


def _named(keys: tuple[str, ...], kind: str) -> bool:
    names = word_set(_FILE, kind)
    return " ".join(keys) in names or (bool(keys) and (keys[-1] in names or keys[0] in names))


def _is_error(keys: tuple[str, ...]) -> bool:
    """Of `errors`, `error_message` and `last_error`, but not of `errors_corrected`."""
    names = word_set(_FILE, "error_key")
    about = word_set(_FILE, "error_part")
    return bool(keys) and (keys[-1] in names or (keys[0] in names and about.issuperset(keys[1:])))
