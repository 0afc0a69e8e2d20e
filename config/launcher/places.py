"""Where things are, known before the settings are read: reading them already starts the embedded database."""

from pathlib import Path

from config import env

PROJECT = Path(__file__).resolve().parent.parent.parent
LESSONS = PROJECT / "lesson_engine" / "lessons"
DEMO_LESSON = LESSONS / "fotosintesis.json"
"""The one that the demonstration and the benchmarks walk."""
COURSES = PROJECT / "lesson_engine" / "courses"


def bundled_lessons() -> list[Path]:
    """The lessons that come with Andamio, by name."""
    return sorted(LESSONS.glob("*.json"))


def bundled_courses() -> list[Path]:
    """The courses that come with Andamio, by name."""
    return sorted(COURSES.glob("*.json"))


def var() -> Path:
    """The folder of everything that changes; the same rule as in the settings."""
    return (PROJECT / env.text("ANDAMIO_VAR", "var")).resolve()


def short(path: Path) -> str:
    """The path as seen from the project when it lies inside."""
    return str(path.relative_to(PROJECT)) if path.is_relative_to(PROJECT) else str(path)


def database_folder() -> Path | None:
    """The data of the embedded server; None when `DATABASE_URL` names another one."""
    return None if env.text("DATABASE_URL") else var() / "postgres"
