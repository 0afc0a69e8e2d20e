"""`python -m tests.provider --port N`: the provider in a process of its own, for benches and for kills.

Prints its address in one line when it serves; `GET /` tells in JSON what it has counted, `GET /bill` what each call is
charged for.
"""

import argparse
import signal
import sys

from tests.provider.behaviour import Behaviour, cuts, fails, garbage, hangs, no_usage
from tests.provider.server import Provider

_FAULTS = (fails(500), fails(429, retry_after=0.2), cuts(), garbage(), no_usage(), hangs())
_ENDS = {signal.SIGTERM, signal.SIGINT}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.provider", description="A provider of models, for tests.")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--pace", type=float, default=0.0, help="seconds between the chunks of a stream")
    parser.add_argument("--reply", help="the text of each answer")
    parser.add_argument("--status", type=int, default=200)
    parser.add_argument("--hang", action="store_true", help="never answer")
    parser.add_argument("--faults", type=float, default=0.0, help="this share of the calls meets a fault instead")
    options = parser.parse_args()
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDS)  # in all threads: one of them waits
    with Provider(options.port) as provider:
        provider.always(
            Behaviour(
                text=options.reply,
                delay=options.delay,
                pace=options.pace,
                status=options.status,
                hang=options.hang,
            )
        )
        provider.sometimes(options.faults, *_FAULTS)
        sys.stdout.write(provider.url + "\n")
        sys.stdout.flush()
        signal.sigwait(_ENDS)


if __name__ == "__main__":
    main()
