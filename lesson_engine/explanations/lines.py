"""One sentence of an explanation with what it quotes: as text, and as HTML that says whose language a quote is in."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from core.markup import markdown_line
from lesson_engine.grading.normalise import clean

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


def line(
    sentence: str,
    language: str,
    *,
    sort: Sort = "",
    own: Sequence[str] = (),
    authored: Sequence[str] = (),
    **numbers: object,
) -> Line:
    """The sentence with quotes at `%(own)s` (the learner's) and `%(authored)s` (the lesson's, Markdown of one line).

    `language` is the lesson's. What a learner wrote acts nowhere: it is escaped, cut, and turns no other text round.
    """
    said = [Truncator(clean(words).replace("\n", " ")).chars(MAX_QUOTED) for words in own[:MAX_QUOTES]]
    taught = authored[:MAX_QUOTES]
    # Braces for `format_html`, which escapes what it puts in.
    form = sentence % {"own": "{own}", "authored": "{authored}", **numbers}
    return Line(
        text=form.format(own=_plain(said), authored=_plain(taught)),
        html=format_html(form, own=_marked(said, language), authored=_marked(map(markdown_line, taught), language)),
        own=bool(own),
        sort=sort,
    )


def _plain(quotes: Iterable[str]) -> str:
    return ", ".join(f"“{quote}”" for quote in quotes)


def _marked(quotes: Iterable[str], language: str) -> SafeString:
    return format_html_join(", ", '“<bdi class="quote" lang="{}">{}</bdi>”', ((language, quote) for quote in quotes))
