"""The bench runs its figures independently of each other."""

from collections.abc import Iterator
from pathlib import Path

from bench.__main__ import measured
from bench.figure import Bench, Figure, Goal, Row


def test_figures_that_create_the_same_directory_name_can_run_together(tmp_path: Path) -> None:
    def measure(bench: Bench) -> Iterator[Row]:
        (bench.folder / "fresh").mkdir()
        yield Row("a", "b", 1.0, Goal(1))

    bench = Bench(tmp_path, 1, 50, tmp_path)
    assert [row.verdict for name in ("fresh", "example") for row in measured(Figure(name, "", measure), bench)] == [
        "ok",
        "ok",
    ]


def test_a_figure_that_fails_has_a_row_with_the_reason(tmp_path: Path) -> None:
    def measure(_: Bench) -> Iterator[Row]:
        yield Row("a", "b", 1.0, Goal(1))
        raise RuntimeError("gitgpu: exit status 2")

    (row,) = measured(Figure("fresh", "", measure), Bench(tmp_path, 1, 50, tmp_path))
    assert (row.figure, row.verdict, row.note) == ("fresh", "skipped", "failed: gitgpu: exit status 2")
