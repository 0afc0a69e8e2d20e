"""The application's own settings, with a dashboard whose figures are constants."""

from config.settings import *  # noqa: F403 - the floor differs in one address

ROOT_URLCONF = "benchmarks.floor.board_urls"
