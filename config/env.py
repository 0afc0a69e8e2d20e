"""Reading settings from the environment: typed, strict, and able to read a secret from a file."""

import os
import re
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

# A host as Django takes it in a request; one slash at the end is forgiven, as it comes with copying an address.
_ORIGIN = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[a-f0-9:.]+\])(:(?P<port>[0-9]{1,5}))?/?"
)
_TRUE, _FALSE = {"1", "true", "yes", "on"}, {"0", "false", "no", "off", ""}


def text(name: str, default: str = "") -> str:
    """The variable's value; with `NAME_FILE` set instead, the content of that file without its last newline."""
    if path := os.environ.get(f"{name}_FILE"):
        try:
            return Path(path).read_text().rstrip("\n")
        except OSError as error:
            raise ImproperlyConfigured(f"{name}_FILE cannot be read: {error}") from error
    return os.environ.get(name, default)


def integer(name: str, default: int, *, minimum: int = 0) -> int:
    """The variable as a whole number of at least `minimum`."""
    raw = text(name, str(default))
    try:
        value = int(raw)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {raw!r}") from error
    if value < minimum:
        raise ImproperlyConfigured(f"{name} must be at least {minimum}, not {value}")
    return value


def flag(name: str, default: bool = False) -> bool:
    """The variable as true or false; anything but the usual spellings of either is refused."""
    raw = text(name, str(default)).lower()
    if raw in _TRUE or raw in _FALSE:
        return raw in _TRUE
    raise ImproperlyConfigured(f"{name} must be true or false, not {raw!r}")


def words(name: str, default: str = "") -> list[str]:
    """A comma-separated list, without blanks."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]


def origin(name: str) -> str:
    """The variable as `http(s)://host[:port]`, spelt as browsers spell it in `Origin`; empty when it is not set."""
    raw = text(name)
    if not raw:
        return ""
    match = _ORIGIN.fullmatch(raw.lower())
    if not match or not 0 < int(match["port"] or 1) < 65536:
        raise ImproperlyConfigured(f"{name} must be http(s)://host or http(s)://host:port without a path, not {raw!r}")
    usual = {"http": "80", "https": "443"}[match["scheme"]]
    return f"{match['scheme']}://{match['host']}" + (f":{match['port']}" if match["port"] not in (None, usual) else "")


def choice(name: str, allowed: tuple[str, ...]) -> str:
    """One of the allowed values; the first when the variable is not set."""
    value = text(name, allowed[0])
    if value not in allowed:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(allowed)}, not {value!r}")
    return value
