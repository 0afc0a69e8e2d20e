"""Kinds of text in a lesson file, each with the limits that keep a page and the grader safe."""

from typing import Annotated

from pydantic import StringConstraints

Code = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
Language = Annotated[str, StringConstraints(pattern=r"^[a-z]{2}(-[A-Z]{2})?$")]
Line = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
Markdown = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000)]
