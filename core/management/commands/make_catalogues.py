"""`manage.py make_catalogues`: the .po files brought up to date with code and templates, without GNU gettext."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.pofile import PoFileError, read_po, write_po
from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation.template import templatize

_LAZY = ("gettext", "ngettext", "pgettext", "npgettext")
KEYWORDS = {
    **DEFAULT_KEYWORDS,
    **{f"{name}_lazy": DEFAULT_KEYWORDS[name] for name in _LAZY},
    "gettext_noop": None,
}
TEMPLATES = ("*.html", "*.txt")

BORROWED: tuple[str | tuple[str, str], ...] = (
    "Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
    "Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.",
    (
        "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
    ),
    "Your password can’t be too similar to your other personal information.",
    (
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
    ),
    "Your password can’t be a commonly used password.",
    "Your password can’t be entirely numeric.",
    "Password confirmation",
    "Enter the same password as before, for verification.",
    "The two password fields didn’t match.",
    "The password is too similar to the %(verbose_name)s.",
    (
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
    ),
    "This password is too common.",
    "This password is entirely numeric.",
    "Your old password was entered incorrectly. Please enter it again.",
    "Please enter a correct %(username)s and password. Note that both fields may be case-sensitive.",
)
"""Django's own texts that learners meet: its Spanish addresses them formally, Andamio does not."""

# No dates, versions or line numbers: a catalogue changes where its messages do, and nowhere else.
_HEADER = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plural_forms}\\n"

"""


class Command(BaseCommand):
    help = "Adds new messages to every catalogue of locale/, drops those no longer used and keeps the translations."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        messages = extracted()
        for path in catalogue_paths():
            catalogue = merged(messages, read_catalogue(path), language=path.parent.parent.name)
            path.write_bytes(written(catalogue))
            missing = sum(not translated(message) for message in catalogue if message.id)
            self.stdout.write(f"{path}: {len(catalogue)} messages, {missing} to translate")


def catalogue_paths() -> list[Path]:
    """The catalogue of every language that has a folder in `LOCALE_PATHS`; the file itself may be missing yet."""
    folders = [Path(folder) for folder in settings.LOCALE_PATHS]
    return sorted(path / "django.po" for folder in folders for path in folder.glob("*/LC_MESSAGES"))


def extracted() -> Catalog:
    """Every message of the project's own packages and templates by file and line, then those of `BORROWED`."""
    catalogue = Catalog()
    for path in _sources():
        name = path.relative_to(settings.BASE_DIR).as_posix()
        for line, message, comments, context in _messages(path):
            catalogue.add(message, locations=[(name, line)], auto_comments=comments, context=context)
    for borrowed in BORROWED:
        catalogue.add(borrowed, locations=[("django", 0)])
    return catalogue


def read_catalogue(path: Path) -> Catalog:
    """The catalogue of a file, empty where there is none. Raises `CommandError` naming file and line."""
    if not path.exists():
        return Catalog()
    try:
        with path.open("rb") as source:
            return read_po(source, locale=path.parent.parent.name, abort_invalid=True)
    except PoFileError as error:
        raise CommandError(f"{path}: {error}") from error


def merged(messages: Catalog, old: Catalog, *, language: str) -> Catalog:
    """The found messages with the translations of the old catalogue, flags and translators' comments included."""
    catalogue = Catalog(locale=language)
    for message in messages:
        if not message.id:
            continue
        translation = old.get(message.id, context=message.context)
        # Of a plural with a changed second form only the first would be found; its translation is not kept either.
        kept = translation if translation is not None and translation.id == message.id else None
        catalogue.add(
            message.id,
            kept.string if kept else None,
            locations=message.locations,
            flags=[flag for flag in kept.flags if flag == "fuzzy"] if kept else (),
            auto_comments=message.auto_comments,
            user_comments=kept.user_comments if kept else (),
            context=message.context,
        )
    return catalogue


def written(catalogue: Catalog) -> bytes:
    """The catalogue as its file holds it."""
    header = _HEADER.format(language=catalogue.locale, plural_forms=catalogue.plural_forms)
    body = BytesIO()
    write_po(body, catalogue, width=0, omit_header=True, ignore_obsolete=True, include_lineno=False)
    return header.encode() + body.getvalue().strip() + b"\n"


def translated(message: Message) -> bool:
    """Whether the message has all its forms and is not marked as fuzzy."""
    forms = message.string if isinstance(message.string, (list, tuple)) else [message.string]
    return bool(forms) and all(forms) and not message.fuzzy


def _sources() -> list[Path]:
    """The Python files of the project's packages and the templates of the project and its apps."""
    base = Path(settings.BASE_DIR)
    # Installed packages may lie below the project too, in its virtual environment: ours are its direct children.
    packages = {Path(app.path) for app in apps.get_app_configs() if Path(app.path).parent == base}
    packages.add(base / settings.ROOT_URLCONF.partition(".")[0])
    folders = [folder / "templates" for folder in (base, *packages)]
    modules = {path for package in packages for path in package.rglob("*.py") if "migrations" not in path.parts}
    templates = {path for folder in folders for pattern in TEMPLATES for path in folder.rglob(pattern)}
    return sorted(modules | templates, key=Path.as_posix)


_Found = tuple[int, str | tuple[str, ...], list[str], str | None]


def _messages(path: Path) -> Iterator[_Found]:
    source = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        # As `makemessages` does it: tags become calls of gettext, everything else is blanked out. What is left of the
        # indentation means nothing and would only confuse a reader of Python.
        source = "\n".join(line.lstrip() for line in templatize(source, origin=str(path)).split("\n"))
    yield from extract(
        "python", BytesIO(source.encode()), KEYWORDS, comment_tags=("Translators:",), options={"encoding": "utf-8"}
    )
