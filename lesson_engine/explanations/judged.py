"""A judged answer, what any version of the grader found in it, and the sentences about it. Nothing is matched here."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from core.pages.markup import markdown_line
from language.fold import visible
from lesson_engine.contracts import Ask, Verdict, VerdictResult

Sort = Literal["", "counts", "missing", "against", "look", "doubt"]
MAX_QUOTED = 80
"""Characters of one quote of the learner's; more would explain nothing."""
MAX_QUOTES = 8
"""Quotes in one sentence."""


@dataclass(frozen=True)
class Line:
    """A sentence. `own`: it repeats words of the learner's. `sort` is how it is marked on the page."""

    text: str
    html: SafeString
    own: bool = False
    sort: Sort = ""

    def __str__(self) -> str:
        return self.text


TRICKS = frozenset({"no_statement", "alternatives", "echo", "order", "about_answer", "too_long"})
"""Rules for replies that do something else than answer, whatever words are in them."""


@dataclass(frozen=True)
class Judged:
    """A verdict with its question. `language` is the lesson's, `hints` the number of hints shown.

    `reread`: the page shows the reading with the question already.
    """

    ask: Ask
    verdict: Verdict
    language: str
    hints: int = 0
    reread: bool = False

    @property
    def in_words(self) -> bool:
        """Whether the answer is judged by its meaning."""
        return self.ask.answer.kind in ("open", "definition")

    @property
    def reason(self) -> str:
        """The last part of the rule's name."""
        return self.verdict.rule.rsplit(".", 1)[-1]

    def line(
        self,
        sentence: str,
        *,
        sort: Sort = "",
        own: Sequence[str] = (),
        authored: Sequence[str] = (),
        **numbers: object,
    ) -> Line:
        """The sentence with quotes of the learner at `%(own)s`, and of the lesson, in Markdown, at `%(authored)s`.

        What a learner wrote acts nowhere: it is escaped, cut, and turns no other text round.
        """
        written = [Truncator(visible(words)).chars(MAX_QUOTED) for words in own[:MAX_QUOTES]]
        taught = authored[:MAX_QUOTES]
        # Braces for `format_html`, which escapes what it puts in.
        form = sentence % {"own": "{own}", "authored": "{authored}", **numbers}
        return Line(
            text=form.format(own=_plain(written), authored=_plain(taught)),
            html=format_html(form, own=self._marked(written), authored=self._marked(map(markdown_line, taught))),
            own=bool(own),
            sort=sort,
        )

    def _marked(self, quotes: Iterable[str]) -> SafeString:
        """In HTML that says which language a quote is in."""
        pairs = ((self.language, quote) for quote in quotes)
        return format_html_join(", ", '“<bdi class="quote" lang="{}">{}</bdi>”', pairs)

    def texts(self, name: str) -> tuple[str, ...]:
        """Texts at this name of the details: one, several or none, by the version of the grader; each once."""
        value = self.verdict.details.get(name)
        texts = value if isinstance(value, list | tuple) else [value]
        return tuple(dict.fromkeys(text for text in texts if isinstance(text, str) and text.strip()))

    def places(self, name: str, count: int) -> list[int]:
        """Places below `count` at this name of the details."""
        value = self.verdict.details.get(name)
        return [at for at in value if at in range(count)] if isinstance(value, list | tuple) else []

    def number(self, name: str) -> int:
        """A count at this name of the details; 0 where there is none."""
        value = self.verdict.details.get(name)
        return value if isinstance(value, int) else 0

    def figure(self, name: str) -> float | None:
        """A share or likeness at this name of the details."""
        value = self.verdict.details.get(name)
        return float(value) if isinstance(value, int | float) else None

    @property
    def reference(self) -> int:
        """Place of the accepted answer that is nearest to this one; -1 where the details have none."""
        value = self.verdict.details.get("reference")
        count = len(getattr(self.ask.answer, "accepted", ()))
        return value if isinstance(value, int) and 0 <= value < count else -1

    @property
    def ideas(self) -> Sequence[Sequence[str]]:
        """The ideas that the author expects, each as the words for it."""
        groups: Sequence[Sequence[str]] = getattr(self.ask.answer, "keyword_groups", ())
        return groups

    @property
    def lacking(self) -> list[str]:
        """Names of the ideas that the answer lacks; where an earlier grader gave none, the first words for them."""
        name = "lacking_nearest" if self.verdict.result is VerdictResult.ACCEPT else "lacking"
        names: Any = self.verdict.details.get(name)
        if isinstance(names, list):
            return names
        missing = self.texts("missing_ideas")
        return [idea[0] for idea in self.ideas if idea[0] in missing]

    @property
    def reading(self) -> str:
        """The title of a reading that has what is missing and may be named now; empty for none."""
        if self.reread:
            return ""
        readings = self.verdict.details.get("readings", ())
        return next((reading["title"] for reading in readings if reading["hints"] <= self.hints), "")

    @property
    def unit_problem(self) -> str:
        """What is wrong with the unit of a number that is right; empty where nothing is said of a unit."""
        value = self.verdict.details.get("unit_problem")
        return value if isinstance(value, str) and self.reason in ("unit_missing", "unit_wrong") else ""

    @property
    def is_trick(self) -> bool:
        """Whether the reply does something else than answer."""
        return self.reason in TRICKS


def _plain(quotes: Iterable[str]) -> str:
    return ", ".join(f"“{quote}”" for quote in quotes)
