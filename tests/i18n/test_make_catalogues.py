"""manage.py make_catalogues: what is found, what is kept, and a file that stays as it is."""

from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from core.management.commands.make_catalogues import BORROWED, read_catalogue

CODE = """\
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, npgettext, pgettext_lazy

A = _("Answer")
B = gettext_lazy("One " "sentence.")
C = ngettext("%(n)s step", "%(n)s steps", 2)
D = pgettext_lazy("month", "May")
E = npgettext("music", "%(n)s bar", "%(n)s bars", 2)
F = _(A)
"""
TEMPLATE = """\
{% load i18n %}
  <p title="{% trans 'Title' %}">{% translate "100 % sure" %}
{% if a %}{{ b|default:_("Fallback") }}{% endif %}</p>
      {% translate "May" context "permission" %}
{% blocktranslate with left=a %}Rule <code>{{ left }}</code> · 5 %{% endblocktranslate %}
   {% blocktranslate count n=m trimmed %}
      {{ n }} "question"
   {% plural %}
      {{ n }} "questions"
   {% endblocktranslate %}
{# Translators: a button #}
{% translate "Answer" %}
"""


@pytest.fixture
def project(tmp_path: Path, settings: Settings) -> Path:
    """A project of one module and one template, with a Spanish catalogue to be."""
    for folder in ("config", "templates", "locale/es/LC_MESSAGES"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "config" / "words.py").write_text(CODE)
    (tmp_path / "templates" / "page.html").write_text(TEMPLATE)
    settings.BASE_DIR, settings.LOCALE_PATHS = tmp_path, [tmp_path / "locale"]
    return tmp_path / "locale" / "es" / "LC_MESSAGES" / "django.po"


def made(path: Path) -> Catalog:
    call_command("make_catalogues", verbosity=0)
    return read_catalogue(path)


def test_code_and_templates_are_read_in_order(project: Path) -> None:
    found = [(message.id, message.context) for message in made(project) if message.id]
    assert found[: -len(BORROWED)] == [
        ("Answer", None),
        ("One sentence.", None),
        (("%(n)s step", "%(n)s steps"), None),
        ("May", "month"),
        (("%(n)s bar", "%(n)s bars"), "music"),
        ("Title", None),
        ("100 %% sure", None),
        ("Fallback", None),
        ("May", "permission"),
        ("Rule <code>%(left)s</code> · 5 %%", None),
        (('%(n)s "question"', '%(n)s "questions"'), None),
    ]


def test_a_second_run_changes_nothing(project: Path) -> None:
    made(project)
    first = project.read_bytes()
    made(project)
    assert project.read_bytes() == first


def test_moving_a_line_changes_nothing(project: Path) -> None:
    made(project)
    first = project.read_bytes()
    (project.parents[3] / "templates" / "page.html").write_text("\n\n" + TEMPLATE)
    made(project)
    assert project.read_bytes() == first


def test_translations_and_remarks_are_kept(project: Path) -> None:
    made(project)
    before = project.read_text()
    project.write_text(before.replace('msgid "Answer"\nmsgstr ""', 'msgid "Answer"\nmsgstr "Respuesta"'))
    project.write_text(project.read_text().replace('#: config/words.py\nmsgid "One', '# Short.\n#, fuzzy\nmsgid "One'))
    catalogue = made(project)
    kept, doubtful = catalogue.get("Answer"), catalogue.get("One sentence.")
    assert kept is not None
    assert kept.string == "Respuesta"
    assert doubtful is not None
    assert doubtful.fuzzy
    assert doubtful.user_comments == ["Short."]


def test_what_is_no_longer_used_goes(project: Path) -> None:
    made(project)
    (project.parents[3] / "config" / "words.py").write_text("")
    catalogue = made(project)
    assert catalogue.get("One sentence.") is None
    assert catalogue.get("Title") is not None
    assert "#~" not in project.read_text()


def test_a_plural_whose_second_form_changed_is_to_be_translated_again(project: Path) -> None:
    made(project)
    project.write_text(
        project.read_text().replace('msgstr[0] ""', 'msgstr[0] "x"').replace('msgstr[1] ""', 'msgstr[1] "y"')
    )
    module = project.parents[3] / "config" / "words.py"
    module.write_text(CODE.replace("%(n)s steps", "%(n)s more steps"))
    catalogue = made(project)
    changed, unchanged = catalogue.get("%(n)s step"), catalogue.get("%(n)s bar", context="music")
    assert changed is not None
    assert list(changed.string or ()) == ["", ""]
    assert unchanged is not None
    assert list(unchanged.string or ()) == ["x", "y"]


def test_what_is_missing_is_counted(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("make_catalogues")
    count = 11 + len(BORROWED)
    assert f"{count} messages, {count} to translate" in capsys.readouterr().out


def test_a_faulty_catalogue_is_named_and_left_alone(project: Path) -> None:
    project.write_text('msgid "Hint\n')
    with pytest.raises(CommandError, match=r"django\.po: "):
        call_command("make_catalogues")
    assert project.read_text() == 'msgid "Hint\n'
