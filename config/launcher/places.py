"""Where things are, known before the settings are read: reading them already starts the embedded database."""

from pathlib import Path

from config import env

PROJECT = Path(__file__).resolve().parent.parent.parent
DEMO_LESSON = PROJECT / "lesson_engine" / "lessons" / "fotosintesis.json"


def var() -> Path:
    """The folder of everything that changes; the same rule as in the settings."""
    return (PROJECT / env.text("ANDAMIO_VAR", "var")).resolve()


def short(path: Path) -> str:
    """The path as seen from the project when it lies inside."""
    return str(path.relative_to(PROJECT)) if path.is_relative_to(PROJECT) else str(path)


def database_folder() -> Path | None:
    """The data of the embedded server; None when `DATABASE_URL` names another one."""
    return None if env.text("DATABASE_URL") else var() / "postgres"
