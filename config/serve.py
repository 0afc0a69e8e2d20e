"""What runs the web server where it has machines of its own: `python -m config.serve --host 0.0.0.0 --workers 4`.

Takes the options of uvicorn, whose defaults are those of `make run`.
"""

import sys

import uvicorn.main

from config.web.options import raise_descriptors, web_options


def main() -> None:
    raise_descriptors()
    # With --workers each process starts with these options again, from the environment and what is handed down.
    uvicorn.main.main(args=["config.asgi:application", *sys.argv[1:]], default_map=web_options())


if __name__ == "__main__":
    main()
