"""How uvicorn is run, by `make run` and by `python -m config.serve`."""

import os
import resource
from typing import Any

GRACE_SECONDS = 10  # to finish what is under way, before the process is ended for good
DESCRIPTORS = 4096  # connections, static files that are read over them, the database and what is waiting to be let in


def web_options() -> dict[str, Any]:
    """Options of uvicorn; also makes sure that the process may have the descriptors that its connections need.

    `X-Forwarded-For` is trusted only from the proxies that the environment names. By default uvicorn trusts every
    program of this machine, which could then choose an address for each guess.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < DESCRIPTORS:
        wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return {
        "access_log": False,
        "http": "config.web.connections:Connection",
        "lifespan": "off",
        "log_config": None,  # the settings' own
        "proxy_headers": bool(os.environ.get("FORWARDED_ALLOW_IPS")),
        "server_header": False,
        "timeout_graceful_shutdown": GRACE_SECONDS // 2,
        "ws": "none",
    }
