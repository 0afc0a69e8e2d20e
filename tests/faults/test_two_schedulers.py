"""Two beats send everything twice; the work is done once."""

import pytest

from tests.faults.site import Site, Work

pytestmark = pytest.mark.faults


def test_two_schedulers_and_two_workers(site: Site, work_left: Work) -> None:
    beats = [site.fork("beat"), site.fork("beat")]
    site.work()
    site.work()
    work_left.wait_done()
    assert all(beat.is_alive() for beat in beats)
    work_left.assert_once()
    site.assert_whole()
