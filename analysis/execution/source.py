"""What plans run on."""

from collections.abc import Mapping
from typing import Protocol

import ibis


class Source(Protocol):
    """Tables of one ibis backend. A source serves one execution at a time: stopping it stops its connection."""

    @property
    def backend(self) -> ibis.BaseBackend: ...

    @property
    def tables(self) -> Mapping[str, ibis.Table]: ...
