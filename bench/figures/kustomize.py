"""Compiling a fleet against `kubectl kustomize` over its overlays, in one process."""

from collections.abc import Iterator
from pathlib import Path
from shutil import which

from bench import fleet
from bench.figure import Bench, Figure, Goal, Row
from bench.measure import process, row, side_by_side

AGAINST = "kubectl kustomize, one process"
# In one run, all clusters would be one set of objects, in which names must be unique.
RENAMED = "namePrefix: {0}-\nnamespace: {0}\nresources: [../../{1}/{0}]\n"


def measure(bench: Bench) -> Iterator[Row]:
    """With a fifth of the clusters, because the time of kustomize grows with the square of their number."""
    clusters, goal = bench.clusters // 5, Goal(0.1)
    what, program = f"build, {clusters:,} clusters", which("kubectl")
    if not program:
        yield Row(what, AGAINST, None, goal, "no kubectl on the PATH")
        return
    folder = fleet.start(bench.folder / "kustomize", clusters)
    fleet.built(folder)
    _join(folder, clusters)
    costs = side_by_side(
        {
            "build": fleet.fresh(folder),
            "kustomize": process((program, "kustomize", "all"), folder),
        },
        min(bench.rounds, 2),
    )
    yield row(what, AGAINST, (costs["build"], costs["kustomize"]), goal)


def _join(folder: Path, clusters: int) -> None:
    names = [fleet.cluster_name(number) for number in range(clusters)]
    for name in names:
        (folder / "all" / name).mkdir(parents=True)
        (folder / "all" / name / "kustomization.yaml").write_text(RENAMED.format(name, fleet.OUT), encoding="utf-8")
    text = f"resources: [{', '.join(names)}]\n"
    (folder / "all" / "kustomization.yaml").write_text(text, encoding="utf-8")


FIGURE = Figure("kustomize", "a build against kubectl kustomize over the same overlays", measure)
