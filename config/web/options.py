"""How uvicorn is run, by `make run` and by `python -m config.serve`."""

import os
import resource
from typing import Any

GRACE_SECONDS = 10  # to finish what is under way, before the process is ended for good
DESCRIPTORS = 4096  # connections, static files that are read over them, the database and what is waiting to be let in


def raise_descriptors() -> None:
    """Let this process, and those that it starts, have the descriptors that connections need."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < DESCRIPTORS:
        wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def web_options() -> dict[str, Any]:
    """Options of uvicorn.

    `X-Forwarded-For` is trusted only from the proxies that the environment or the command names. By default uvicorn
    trusts every program of this machine, which could then choose an address for each guess.
    """
    return {
        "access_log": False,
        "forwarded_allow_ips": os.environ.get("FORWARDED_ALLOW_IPS", ""),
        "http": "config.web.connections:Connection",
        "lifespan": "off",
        "log_config": None,  # the settings' own
        "server_header": False,
        "timeout_graceful_shutdown": GRACE_SECONDS // 2,
        "ws": "none",
    }
