"""`python -m benchmarks.dashboard`: the staff's page over a million events, and how fast they are rolled up."""

import argparse
import http.client
import os
import time
from statistics import median, quantiles

from benchmarks.own_place import own_place
from benchmarks.servers import HOST, Site, stop
from config.launcher import prepare

_ABOUT = """
{events:,} events of {sessions:,} sessions in eight courses over sixty days, made from real walks, with hashes that
hold ({made:.0f} s). The page shows the last thirty days, asked for by one browser of staff, {rounds} times each, in
turns with the floor: the same page, middleware and template from another web process, whose figures are constants.
"""
_HEADER = f"{'':<52} {'page p50 ms':>12} {'p95 ms':>8} {'floor p50 ms':>13} {'p95 ms':>8} {'page/floor':>11}"
_PAGES = {"": "all courses", "?course=fotosintesis": "one lesson, step by step"}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.dashboard", description=__doc__)
    parser.add_argument("--events", type=int, default=1_000_000, help="events stored")
    parser.add_argument("--tail", type=int, default=100_000, help="of these, events not rolled up yet at first")
    parser.add_argument("--rounds", type=int, default=30, help="requests of each kind")
    options = parser.parse_args()
    with own_place():
        _measure(options)


def _measure(options: argparse.Namespace) -> None:
    prepare.prepare()
    from benchmarks.events import events_make
    from telemetry.models import Chain
    from telemetry.services import rollups_advance

    print(f"\nLoad of the machine before: {os.getloadavg()[0]:.1f}")
    began = time.monotonic()
    made = events_make(options.events - options.tail)
    took = time.monotonic() - began
    began = time.monotonic()
    rolled = rollups_advance()
    rate = rolled / (time.monotonic() - began)
    tail = events_make(options.tail)
    sessions = Chain.objects.count()
    print(_ABOUT.format(events=made + tail, sessions=sessions, made=took, rounds=options.rounds))
    print(f"rolled up at {rate:,.0f} events a second", _HEADER, sep="\n")
    lifeline, writing_end = os.pipe()
    sites: list[Site] = []
    try:
        sites.append(Site("page", 1, lifeline, {}))
        sites.append(Site("floor", 1, lifeline, {"DJANGO_SETTINGS_MODULE": "benchmarks.floor.board_settings"}))
        for site in sites:
            site.wait()
        _rows(sites, f"{tail:,} events not rolled up", options.rounds)
        rollups_advance()
        _rows(sites, "all rolled up", options.rounds)
    finally:
        stop(sites)
        os.close(writing_end)


def _rows(sites: list[Site], state: str, rounds: int) -> None:
    cookie = _signed_in()
    page, floor = (_Staff(site.port, cookie) for site in sites)
    for query, name in _PAGES.items():
        times: dict[_Staff, list[float]] = {page: [], floor: []}
        for number in range(rounds + 2):
            for one, found in times.items():
                took = one.ask(f"/admin/dashboard/{query}")
                if number >= 2:  # the first ones only warm up
                    found.append(took)
        ratio = median(one / other for one, other in zip(*times.values(), strict=True))
        (p50, p95), (floor50, floor95) = (_cuts(found) for found in times.values())
        print(f"{name + ', ' + state:<52} {p50:>12.1f} {p95:>8.1f} {floor50:>13.1f} {floor95:>8.1f} {ratio:>11.2f}")


def _cuts(seconds: list[float]) -> tuple[float, float]:
    cuts = quantiles(seconds, n=20)
    return 1000 * cuts[9], 1000 * cuts[18]


def _signed_in() -> str:
    """The cookie of a session of the demo's staff; a server for this machine alone asks for no second factor."""
    from django.conf import settings
    from django.test import Client

    from accounts.models import User

    browser = Client(SERVER_NAME=HOST)
    browser.force_login(User.objects.get(username="staff"), backend="django.contrib.auth.backends.ModelBackend")
    return f"{settings.SESSION_COOKIE_NAME}={browser.cookies[settings.SESSION_COOKIE_NAME].value}"


class _Staff:
    """A browser with one kept connection."""

    def __init__(self, port: int, cookie: str) -> None:
        self._connection = http.client.HTTPConnection(HOST, port, timeout=120)
        self._headers = {"Cookie": cookie}

    def ask(self, path: str) -> float:
        """Seconds until the whole page was there."""
        began = time.monotonic()
        self._connection.request("GET", path, headers=self._headers)
        response = self._connection.getresponse()
        page = response.read()
        took = time.monotonic() - began
        if response.status != http.client.OK or b'class="tiles"' not in page:
            raise RuntimeError(f"{path} answered {response.status}: {page[:200]!r}")
        return took


if __name__ == "__main__":
    main()
