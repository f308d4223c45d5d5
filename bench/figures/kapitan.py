"""A build against kapitan, which compiles the same NodePools and nothing else."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from shutil import which
from typing import Any

from bench import fleet, nodepools
from bench.figure import Bench, Figure, Goal, Row
from bench.measure import process, row, side_by_side

AGAINST = "kapitan compile of the NodePools"
COMPONENT = """\
from kapitan.inputs.kadet import BaseObj, inventory


def main(input_params):
    objects = BaseObj()
    for body in inventory().parameters.nodepools:
        objects.root[body["metadata"]["name"]] = body
    return objects
"""
STEP = {"output_path": ".", "input_type": "kadet", "output_type": "yaml", "input_paths": ["components/nodepools"]}


def measure(bench: Bench) -> Iterator[Row]:
    """gitgpu builds everything, kapitan only the NodePools: one target per cluster, one component for all."""
    clusters, goal = bench.clusters // 50, Goal(0.125)
    what = f"build, {clusters:,} clusters, {nodepools.EACH} NodePools each"
    program = which("kapitan", path=str(bench.peers / "bin")) or which("kapitan")
    if not program:
        yield Row(what, AGAINST, None, goal, f"no kapitan on the PATH or in {bench.peers}")
        return
    folder = nodepools.start(bench.folder / "kapitan", clusters)
    _inventory(folder, nodepools.bodies(fleet.built(folder)))
    costs = side_by_side(
        {
            "build": fleet.fresh(folder),
            "kapitan": process((program, "compile"), folder),
        },
        min(bench.rounds, 2),
    )
    yield row(what, AGAINST, (costs["build"], costs["kapitan"]), goal)


def _inventory(folder: Path, pools: Mapping[str, list[dict[str, Any]]]) -> None:
    for part in ("inventory/targets", "inventory/classes", "components/nodepools"):
        (folder / part).mkdir(parents=True)
    (folder / "components/nodepools/__init__.py").write_text(COMPONENT, encoding="utf-8")
    for cluster, bodies in pools.items():
        settings = {"vars": {"target": cluster}, "compile": [STEP]}
        target = json.dumps({"parameters": {"kapitan": settings, "nodepools": bodies}})
        (folder / f"inventory/targets/{cluster}.yml").write_text(target, encoding="utf-8")


FIGURE = Figure("kapitan", "a build against kapitan compiling the same NodePools", measure)
