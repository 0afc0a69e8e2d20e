"""The client goes in the middle of its request, before its answer, and in the middle of it."""

import socket
import struct

import pytest

from benchmarks.learner import Step
from tests.browser.server import until
from tests.faults.learner import Learner
from tests.faults.site import Site
from tests.provider import hangs

pytestmark = pytest.mark.faults
HOW_MUCH = [0.1, 0.5, 0.99, 1.0]
RUNNING = "SELECT count(*) FROM lesson_engine_turn WHERE state = 'running'"


def connected(site: Site) -> socket.socket:
    return socket.create_connection(("127.0.0.1", site.port), timeout=30)


def vanish(client: socket.socket) -> None:
    """Close with a reset, as a machine does whose network is gone."""
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


@pytest.mark.parametrize("share", HOW_MUCH)
def test_client_gone_in_its_request(site: Site, learner: Learner, share: float) -> None:
    step = learner.write()
    request = learner.request(step)
    client = connected(site)
    client.sendall(request[: int(share * len(request))])
    vanish(client)
    assert learner.send(step).status_code == 200
    learner.assert_counted()
    site.assert_whole()


def test_client_gone_while_the_model_is_asked(site: Site, learner: Learner) -> None:
    """Its answer counts, whether or not it comes back for it."""
    calls = len(site.provider.calls)
    site.provider.next(hangs())
    client = connected(site)
    client.sendall(learner.request(learner.write()))
    site.provider.wait_calls(calls + 1)
    vanish(client)
    site.provider.release()
    until(lambda: site.rows(RUNNING) == [(0,)], "the turn ends")
    learner.assert_counted()
    site.assert_whole()


def test_client_gone_in_its_answer(site: Site, learner: Learner) -> None:
    client = connected(site)
    client.sendall(learner.request(learner.write()))
    assert client.recv(20).startswith(b"HTTP/1.1 200")
    vanish(client)
    learner.assert_counted()
    site.assert_whole()


def test_same_answer_on_many_connections_of_which_most_go(site: Site, learner: Learner) -> None:
    step: Step = learner.write()
    for _ in range(20):
        client = connected(site)
        client.sendall(learner.request(step))
        vanish(client)
    assert learner.send(step).status_code == 200
    learner.assert_counted()
    site.assert_whole()
