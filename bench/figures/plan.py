"""A plan over a whole fleet, against building both of its sides, and against ten times fewer clusters."""

from collections.abc import Callable, Iterator
from pathlib import Path

from bench import fleet
from bench.figure import Bench, Figure, Goal, Row
from bench.measure import Cost, gitgpu, row, side_by_side

EDIT = ("limits: {gpus: 8}", "limits: {gpus: 8}\n  maxPods: 50")
PLAN = ("plan", "--against", fleet.OUT, "--fail-on", "never", "-o", "json")


def measure(bench: Bench) -> Iterator[Row]:
    """The sides differ in a field of every pool, or not at all; then only bytes are compared."""
    few, many = bench.clusters // 10, bench.clusters
    small, large = (_edited(bench.folder / "plan" / name, size) for name, size in (("small", few), ("large", many)))
    same = fleet.start(bench.folder / "plan" / "same", many)
    gitgpu("build", "--out", fleet.OUT, folder=same)
    subjects = {"both": _both(large), "all": _plan(large), "few": _plan(small), "none": _plan(same)}
    costs = side_by_side(subjects, min(bench.rounds, 2))
    what = f"plan, {many:,} clusters"
    yield row(f"{what}, all differ", "building both sides", (costs["all"], costs["both"]), Goal(1.5))
    yield row(f"{what}, none differs", "building both sides", (costs["none"], costs["both"]), Goal(0.75))
    yield row(f"{what}, all differ: time", f"{few:,} clusters", (costs["all"], costs["few"]), Goal(11))
    peaks = costs["all"].mebibytes, costs["few"].mebibytes
    note = f"{peaks[0]:.0f} / {peaks[1]:.0f} MiB"
    yield Row(f"{what}, all differ: peak memory", f"{few:,} clusters", peaks[0] / peaks[1], Goal(11), note)


def _edited(folder: Path, clusters: int) -> Path:
    """A fleet whose overlays are older than an edit of every pool."""
    fleet.start(folder, clusters)
    gitgpu("build", "--out", fleet.OUT, folder=folder)
    spec = folder / "fleet.yaml"
    spec.write_text(spec.read_text(encoding="utf-8").replace(*EDIT), encoding="utf-8")
    return folder


def _plan(folder: Path) -> Callable[[int], Cost]:
    return lambda _: gitgpu(*PLAN, folder=folder)


def _both(folder: Path) -> Callable[[int], Cost]:
    """The cost of two fresh builds, as needed to compare without `plan`."""

    def build(turn: int) -> Cost:
        old, new = (gitgpu("build", "--out", f"built{turn}{side}", folder=folder) for side in ("old", "new"))
        return Cost(old.seconds + new.seconds, max(old.mebibytes, new.mebibytes))

    return build


FIGURE = Figure("plan", "a plan against building both of its sides", measure)
