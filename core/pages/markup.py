"""Authors' Markdown with LaTeX as HTML that cannot act: no raw HTML, no scripts, no htmx, mathematics as MathML."""

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from xml.etree.ElementTree import tostring

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from latex2mathml.converter import Converter
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

_TEXT_TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
_MATH_TAGS = {
    *("math", "mrow", "mi", "mo", "mn", "ms", "mtext", "mspace", "mfrac", "msqrt", "mroot", "msub", "msup", "msubsup"),
    *("munder", "mover", "munderover", "mtable", "mtr", "mtd", "mstyle", "mpadded", "mphantom"),
    *("menclose", "mmultiscripts"),
}
_MATH_ATTRIBUTES = {
    *("display", "mathvariant", "stretchy", "fence", "form", "separator", "accent", "accentunder", "displaystyle"),
    *("lspace", "rspace", "width", "height", "depth", "linethickness", "columnalign", "rowspacing", "columnspacing"),
    *("minsize", "maxsize", "movablelimits", "scriptlevel", "notation"),
}
_ATTRIBUTES = {"a": {"href"}, "ol": {"start"}, **dict.fromkeys(_MATH_TAGS, _MATH_ATTRIBUTES)}
_ATTRIBUTES["math"] = _MATH_ATTRIBUTES | {"tabindex"}
_LENGTHS = {
    *("lspace", "rspace", "width", "height", "depth", "linethickness", "rowspacing", "columnspacing", "minsize"),
    "maxsize",
}
_SENSIBLE_LENGTH = re.compile(r"[+-]?(?:\d?(?:\.\d{1,4})?(?:em|ex)|\d{1,2}(?:\.\d{1,4})?(?:px|pt|%)?)")
_MAX_FORMULA = 2_000
_ESCAPED_REFERENCE = re.compile(r"&amp;(#x[0-9A-Fa-f]{1,6};)")


def _mathml(latex: str, display: str) -> str:
    # The converter's own text form undoes all escaping, so that \text{a<b} would become a tag. It writes symbols as
    # character references; only those are meant.
    tree = Converter(display=display).convert_to_element(latex)
    if display == "block":
        tree.set("tabindex", "0")  # a wide formula scrolls within its line, with the keyboard too
    return _ESCAPED_REFERENCE.sub(r"&\1", tostring(tree, encoding="unicode"))


def _math(content: str, options: dict[str, Any]) -> str:
    """MathML for one formula; one that cannot be read is shown as it was written."""
    display = "block" if options["display_mode"] else "inline"
    with suppress(Exception):  # the converter has no common base for its errors
        if len(content) <= _MAX_FORMULA and "newcommand" not in content:  # a macro can multiply without bound
            return _mathml(_DECIMAL_COMMA.sub(r"\\text{,}", content), display)
    return f"<code>{escape(content)}</code>"


def _parser() -> MarkdownIt:
    parser = MarkdownIt("js-default", {"html": False, "linkify": False, "maxNesting": 20}).disable("image")
    return parser.use(dollarmath_plugin, allow_digits=False, double_inline=True, renderer=_math)


_markdown = _parser()
_DECIMAL_COMMA = re.compile(r"(?<=\d)\{,\}(?=\d)")  # TeX's way to say that it separates no list; MathML knows none
_HEADING = re.compile(r"<(/?)h([1-6])>")


def _demote(match: re.Match[str]) -> str:
    # A page owns h1 and h2; an author's "#" is a heading below them.
    return f"<{match[1]}h{min(6, int(match[2]) + 2)}>"


def _keep(tag: str, name: str, value: str) -> str | None:
    # A formula 9999em wide would push the page away from under the reader.
    if name in _LENGTHS and not all(_SENSIBLE_LENGTH.fullmatch(part) for part in value.split()):
        return None
    return value


def _clean(html: str) -> SafeString:
    cleaned = nh3.clean(
        _HEADING.sub(_demote, html),
        tags=_TEXT_TAGS | _MATH_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_keep,
        url_schemes={"https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
    return mark_safe(cleaned)  # noqa: S308 - this is the one place that cleans


@lru_cache(maxsize=4096)
def markdown(text: str) -> SafeString:
    """Block Markdown as safe HTML."""
    return _clean(_markdown.render(text))


@lru_cache(maxsize=4096)
def markdown_line(text: str) -> SafeString:
    """Markdown of one line, without the paragraph around it."""
    return _clean(_markdown.renderInline(text))


@dataclass(frozen=True)
class FormattedText:
    """An author's text twice: as it was written, and as safe HTML."""

    markdown: str
    html: SafeString


def formatted(text: str) -> FormattedText:
    """Block Markdown."""
    return FormattedText(text, markdown(text))
