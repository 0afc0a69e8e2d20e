"""How much a file may be. Beyond, it is refused."""

from typing import Final

FILES: Final = 10
FILE_BYTES: Final = 500_000_000
BYTES_TOGETHER: Final = 1_000_000_000
UNPACKED_BYTES: Final = 4_000_000_000
"""What the metadata of a Parquet file may promise."""
COLUMNS: Final = 1_000
ROWS: Final = 20_000_000
CELLS: Final = 300_000_000
LINE_BYTES: Final = 1_000_000
CELL_CHARACTERS: Final = 100_000
NAME_CHARACTERS: Final = 300
"""Of a column's name."""

LOADING_SECONDS: Final = 120.0
MEMORY: Final = "4GB"
"""Of a connection, for the tables and for queries over them."""
THREADS: Final = 4
