"""What the documentation promises is there, and what is there is documented."""

import re
from pathlib import Path

from django.conf import settings
from django.core.management import get_commands

from tests.each import each

ROOT = Path(settings.BASE_DIR)
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
OWN_APPS = (
    "core",
    "accounts",
    "analysis",
    "telemetry",
    "gateway",
    "memory",
    "planning",
    "evaluation",
    "reflection",
    "routing",
    "lesson_engine",
)


def test_every_setting_is_documented_for_operators() -> None:
    documented = set(re.findall(r"`([A-Z][A-Z_]+)`", (ROOT / "docs" / "operator.md").read_text()))
    reading = re.compile(r"""env\.(?:text|integer|flag|words|origin|choice)\(\s*["']([A-Z_]+)["']""")
    read = {name for path in (ROOT / "config").rglob("*.py") for name in reading.findall(path.read_text())}
    assert read
    assert read <= documented


def test_every_command_is_documented_for_operators() -> None:
    documented = (ROOT / "docs" / "operator.md").read_text()
    own = [name for name, app in get_commands().items() if app in OWN_APPS]
    assert own
    assert [name for name in own if f"`{name}" not in documented] == []


def test_every_decision_is_in_the_index() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text()
    assert [page.name for page in folder.glob("0*.md") if page.name not in index] == []


@each("page", PAGES)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text())
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_the_lesson_in_the_authors_page_can_be_imported() -> None:
    from lesson_engine.lesson_file.lesson import lesson_read

    example = re.search(r"```json\n(.*?)```", (ROOT / "docs" / "author.md").read_text(), re.S)
    assert example is not None
    assert lesson_read(example[1].encode()).meta.slug == "light"
