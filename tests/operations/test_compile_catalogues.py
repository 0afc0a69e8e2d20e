"""manage.py compile_catalogues: no GNU gettext, nothing compiled twice, faults named."""

import gettext
import os
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

CATALOGUE = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "Answer"\nmsgstr "Respuesta"\n'


@pytest.fixture
def catalogue(tmp_path: Path, settings: Settings) -> Path:
    path = tmp_path / "es" / "LC_MESSAGES" / "django.po"
    path.parent.mkdir(parents=True)
    path.write_text(CATALOGUE)
    settings.LOCALE_PATHS = [tmp_path]
    return path


def test_a_compiled_catalogue_translates(catalogue: Path, tmp_path: Path) -> None:
    call_command("compile_catalogues", verbosity=0)
    assert gettext.translation("django", tmp_path, ["es"]).gettext("Answer") == "Respuesta"


def test_an_unchanged_catalogue_is_not_compiled_again(catalogue: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("compile_catalogues")
    assert str(catalogue) in capsys.readouterr().out
    call_command("compile_catalogues")
    assert capsys.readouterr().out == ""


def test_a_changed_catalogue_is_compiled_again(catalogue: Path, tmp_path: Path) -> None:
    call_command("compile_catalogues")
    catalogue.write_text(CATALOGUE.replace("Respuesta", "Contestación"))
    compiled = catalogue.with_suffix(".mo").stat()
    os.utime(catalogue, ns=(compiled.st_atime_ns, compiled.st_mtime_ns + 1))
    call_command("compile_catalogues")
    gettext._translations.clear()  # type: ignore[attr-defined]
    assert gettext.translation("django", tmp_path, ["es"]).gettext("Answer") == "Contestación"


def test_a_faulty_catalogue_is_named(catalogue: Path) -> None:
    catalogue.write_text(CATALOGUE + 'msgid "Hint\n')
    with pytest.raises(CommandError, match=r"django\.po: "):
        call_command("compile_catalogues")
    assert not catalogue.with_suffix(".mo").exists()
