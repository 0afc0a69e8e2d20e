"""What is counted."""

import hashlib
import json

from pydantic import Field

from core.contracts import Contract

_COUNTING = (
    1  # to be raised when `telemetry.rollups.advancing` counts in another way: all measures are then counted anew
)
_NUMBER_LIMIT = 10**15


class Measure(Contract):
    """What is counted, by day, course, mode and label: the events named, with `where`, and the sum of `amount`.

    The expressions are SQL over an event's columns `event` and `data`, constants of the code and never input
    of users, with `%` written twice; `text`, `number` and `is_true` write the usual ones. They must not fail, whatever
    the data hold: one event that cannot be counted would stop all counting.
    """

    name: str = Field(pattern=r"^[a-z][a-z_]{0,39}$")
    events: tuple[str, ...] = Field(min_length=1)
    label: str = "''"
    amount: str = "0"
    where: str = "true"

    @property
    def definition(self) -> str:
        """SHA-256 of what is counted and how: another one, and all is counted anew."""
        parts = [_COUNTING, self.events, self.label, self.amount, self.where]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def text(key: str) -> str:
    """SQL of a text in the data; NULL where there is none."""
    return f"(data->>'{_plain(key)}')"


def number(key: str) -> str:
    """SQL of a number in the data, cut to what can be summed up; NULL for anything else."""
    value = f"least(greatest({text(key)}::numeric, -{_NUMBER_LIMIT}), {_NUMBER_LIMIT})::float8"
    return f"(CASE WHEN jsonb_typeof(data->'{key}') = 'number' THEN {value} END)"


def is_true(key: str) -> str:
    """SQL of whether the data say true here; anything else is no."""
    return f"(data->'{_plain(key)}' IS NOT DISTINCT FROM 'true'::jsonb)"


def _plain(key: str) -> str:
    if not (key.isascii() and key.isidentifier()):
        raise ValueError(f"{key!r} is no plain key")
    return key
