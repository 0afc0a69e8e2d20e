"""No text of a template stands outside translation tags."""

import re
from html.parser import HTMLParser
from pathlib import Path

from django.conf import settings

from tests.each import each

TEMPLATES = Path(settings.BASE_DIR) / "templates"
BOTH_LANGUAGES = {"500.html"}  # shown when nothing works any more, so it is one static page in both languages
NAMES = {"Andamio", "Español", "English"}
SPOKEN = {"alt", "aria-description", "aria-label", "aria-roledescription", "aria-valuetext", "content", "label"}
SPOKEN |= {"placeholder", "title", "data-lost", "hx-confirm"}
SILENT = {"script", "style", "code"}
TRANSLATED = re.compile(
    r"{%\s*blocktrans(?:late)?\b.*?{%\s*endblocktrans(?:late)?\s*%}|{%\s*comment\b.*?{%\s*endcomment\s*%}", re.S
)
TAG = re.compile(r"{%.*?%}|{{.*?}}|{#.*?#}", re.S)
LETTERS = re.compile(r"[^\W\d_]{2,}")


class Texts(HTMLParser):
    """Collects what a reader sees or hears."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.silent = 0
        self.feed(TAG.sub(" ", TRANSLATED.sub(" ", source)))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in SILENT
        values = dict(attrs)
        if tag == "meta" and values.get("name") != "description":
            return
        self.found += [value for name, value in attrs if name in SPOKEN and value]
        if tag == "input" and values.get("type") in ("submit", "button"):
            self.found.append(values.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in SILENT

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.found.append(data)


def untranslated(source: str) -> list[str]:
    """The texts with words in them that are not a name."""
    texts = (" ".join(text.split()) for text in Texts(source).found)
    return [text for text in texts if set(LETTERS.findall(text)) - NAMES]


@each("path", sorted(TEMPLATES.rglob("*.html")))
def test_every_text_can_be_translated(path: Path) -> None:
    if path.relative_to(TEMPLATES).as_posix() in BOTH_LANGUAGES:
        source = path.read_text()
        assert '<html lang="en">' in source
        assert 'lang="es"' in source
        return
    assert untranslated(path.read_text()) == []


@each(
    ("source", "found"),
    [
        ("<p>Stray words</p>", ["Stray words"]),
        ('<img alt="Stray words">', ["Stray words"]),
        ('<p{% if a %} class="b"{% endif %}>{{ a|default:"x" }} left</p>', ["left"]),
        ('<p title="{% translate "Fine" %}">{% blocktranslate %}Fine {{ a }}{% endblocktranslate %} · 5 %</p>', []),
        ("<title>{% block title %}Andamio{% endblock %}</title><script>const fine = 1;</script>", []),
    ],
)
def test_the_search_finds_what_it_should(source: str, found: list[str]) -> None:
    assert untranslated(source) == found
