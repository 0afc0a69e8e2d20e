"""A corpus, or every route, as one test that lists its misses: a test costs more than most cases do."""

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction

Test = Callable[..., None]


def each(names: str | tuple[str, ...], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Call the test for each case and fail with all the cases that failed. Used as `pytest.mark.parametrize` is.

    Fixtures are made once for all cases. What a case writes to the database of a test is undone after it.
    """
    columns = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    rows = list(cases)
    assert rows, "no cases"

    def decorate(test: Test) -> Test:
        def run_all(**fixtures: Any) -> None:
            misses = []
            for row in rows:
                values = dict(zip(columns, row if len(columns) > 1 else [row], strict=True))
                try:
                    with undone():
                        test(**fixtures, **values)
                except (Exception, pytest.fail.Exception) as error:
                    misses.append(f"{values}\n    {type(error).__name__}: {error}")
            assert not misses, f"{len(misses)} of {len(rows)} cases:\n" + "\n".join(misses)

        functools.update_wrapper(run_all, test)
        run_all.__signature__ = without(inspect.signature(test), columns)  # type: ignore[attr-defined]
        return run_all

    return decorate


def without(signature: inspect.Signature, names: list[str]) -> inspect.Signature:
    """The signature of the fixtures alone."""
    kept = [value for name, value in signature.parameters.items() if name not in names]
    return signature.replace(parameters=kept)


@contextmanager
def undone() -> Iterator[None]:
    """Take back what is written within; nothing is done outside the transaction of a test."""
    if connection.connection is None or not connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
