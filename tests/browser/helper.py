"""A process on the server's database that is started once and asked often: starting Django costs two seconds.

Standard input brings a JSON list a line: `["-c", code, argument, ...]` or a management command with its arguments.
Each is answered by a line: whether it ended well, what it printed, and what it printed as errors. It leaves no
connection open.
"""

import contextlib
import io
import json
import sys
import traceback

import django
from django.core.management import ManagementUtility
from django.db import connections


def answer(arguments: list[str]) -> bool:
    """Do what Python would do with these arguments."""
    try:
        if arguments[0] == "-c":
            sys.argv = ["-c", *arguments[2:]]
            exec(compile(arguments[1], "<helper>", "exec"), {"__name__": "__main__"})
        else:
            ManagementUtility(["manage.py", *arguments]).execute()
    except SystemExit as end:
        return not end.code
    except Exception:
        traceback.print_exc()
        return False
    return True


def serve() -> None:
    """Answer until the input ends."""
    django.setup()
    answers = sys.stdout
    for line in sys.stdin:
        printed, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
            is_well = answer(json.loads(line))
        connections.close_all()
        for connection in connections.all():
            connection.close_pool()  # type: ignore[attr-defined]
        answers.write(json.dumps([is_well, printed.getvalue(), errors.getvalue()]) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()
