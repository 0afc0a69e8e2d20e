"""A plan on a file as the project opens it: sandboxed, with locked settings."""

from pathlib import Path

from analysis.files.opening import files_open
from tests.analysis.execution.conftest import Runner


def test_a_plan_runs_on_an_open_file(run: Runner, tmp_path: Path) -> None:
    path = tmp_path / "ventas.csv"
    path.write_text("Fecha,Región,Importe\n05/01/2024,Norte,10\n20/02/2024,Sur,30\n21/02/2024,Norte,5\n")
    with files_open([path]) as source:
        steps = (
            ("parse_datetime", {"column": "fecha", "grain": "month"}),
            ("aggregate", {"group_by": ["fecha"], "agg_func": "sum", "metrics": ["importe"]}),
            ("plot_line", {"x": "fecha", "y": "importe"}),
        )
        execution = run(source, *steps)
    assert execution.table.rows == (("2024-01-01", 10), ("2024-02-01", 35))
    assert execution.charts[0].y == "Importe"
