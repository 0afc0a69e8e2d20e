"""Tables of layers above stand beside events."""

from dataclasses import replace

import pytest

from telemetry.chains.events import EVENTS
from telemetry.chains.tables import chained_register, chained_tables, moment_text


def test_events_come_first_and_entries_of_the_consult_behind_them() -> None:
    assert [table.name for table in chained_tables()][:2] == ["event", "entry"]


def test_a_table_can_be_registered_again_but_not_another_under_its_name() -> None:
    chained_register(EVENTS)
    with pytest.raises(ValueError, match="another chained table 'event'"):
        chained_register(replace(EVENTS, plural="others"))
    assert chained_tables()[0] is EVENTS


def test_only_times_of_our_era_have_the_form_that_is_hashed() -> None:
    assert moment_text("2024-01-01T12:00:00.000000ZAD") == "2024-01-01T12:00:00.000000Z"
    assert moment_text("2024-01-01T12:00:00.000000ZBC") == "2024-01-01T12:00:00.000000ZBC"
    assert moment_text(None) == ""
