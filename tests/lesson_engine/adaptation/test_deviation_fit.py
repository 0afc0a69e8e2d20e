"""What `python -m benchmarks.deviation` writes and by which cuts it measures; what it finds is not tested here."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks import deviation, deviation_fit
from lesson_engine.adaptation.deviation_model import deviation_model
from lesson_engine.adaptation.deviation_space import TopicSpace, topic_space


class Trial:
    """One whose space is fitted and whose model cannot be."""

    judged = ()

    def cross_validate(self) -> None:
        """Of nothing."""

    def space(self) -> TopicSpace:
        return topic_space()

    def model(self) -> None:
        raise RuntimeError("it does not converge")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    for name, value in (("Trial", Trial()), ("Embedder", None), ("read_sets", None)):
        monkeypatch.setattr(deviation, name, lambda *_, value=value: value)
    monkeypatch.setattr(deviation_fit, "SPACE_FILE", tmp_path / "space.npz")
    monkeypatch.setattr(deviation, "other_subjects", lambda _: ())

    def run_(*options: str) -> None:
        monkeypatch.setattr("sys.argv", ["deviation", "--data", str(tmp_path), *options])
        deviation.main()

    return run_


def test_nothing_is_written_until_both_files_are_fitted(run: Callable[..., None], tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="does not converge"):
        run("--fit")
    assert not list(tmp_path.iterdir())


def test_the_tables_are_of_the_file_s_own_cuts(
    run: Callable[..., None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = replace(deviation_model(), on_topic=0.75, vague=0.125)
    monkeypatch.setattr(deviation, "deviation_model", lambda: shipped)
    monkeypatch.setattr(deviation, "tables", lambda _, on_topic, vague: [f"{on_topic} {vague}"])
    run()
    assert capsys.readouterr().out.strip() == "0.75 0.125"
