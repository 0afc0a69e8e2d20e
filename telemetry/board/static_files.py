"""plotly's script from its Python package: that file alone."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import plotly
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

NAME = "plotly.min.js"
_FOLDER = Path(plotly.__file__).parent / "package_data"


class PlotlyFinder(BaseFinder):
    """Finds `plotly.min.js`; for STATICFILES_FINDERS."""

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """A path, or a list for `find_all` and where nothing is found, as Django's own finders do."""
        paths = [str(_FOLDER / NAME)] if path == NAME else []
        return paths[0] if paths and not find_all else paths

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        """The one file."""
        yield NAME, FileSystemStorage(location=_FOLDER)
