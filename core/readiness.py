"""What must be there before the server may be sent people: a registry that layers above fill with their own checks."""

from collections.abc import Callable

Check = Callable[[], str | None]
"""Returns None when all is well, otherwise one line that says what is missing."""

_checks: dict[str, Check] = {}


def register(name: str, check: Check) -> None:
    """Add a check under a unique name; call it from `AppConfig.ready()`."""
    _checks[name] = check


def report() -> dict[str, str | None]:
    """Every check with its complaint, or None where there is none. A check that fails with an error complains too."""
    return {name: _complaint(check) for name, check in _checks.items()}


def _complaint(check: Check) -> str | None:
    try:
        return check()
    except Exception as error:  # whatever is wrong with a part, the answer is "not ready", never a broken page
        return f"{type(error).__name__}"
