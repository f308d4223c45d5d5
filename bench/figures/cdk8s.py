"""A build against a cdk8s app that synthesises the same NodePools and nothing else."""

import json
from collections.abc import Iterator
from shutil import which

from bench import fleet, nodepools
from bench.figure import Bench, Figure, Goal, Row
from bench.measure import process, row, side_by_side

AGAINST = "cdk8s synth of the NodePools"
# Not with the cdk8s command, which would start a second Node process for this app.
APP = """\
import json
from cdk8s import ApiObject, ApiObjectMetadata, App, Chart, JsonPatch

app = App(outdir="dist")
for cluster, pools in json.load(open("nodepools.json")).items():
    chart = Chart(app, cluster)
    for body in pools:
        meta = ApiObjectMetadata(**body["metadata"])
        pool = ApiObject(chart, meta.name, api_version=body["apiVersion"], kind=body["kind"], metadata=meta)
        pool.add_json_patch(JsonPatch.add("/spec", body["spec"]))
app.synth()
"""


def measure(bench: Bench) -> Iterator[Row]:
    """gitgpu builds everything, cdk8s only the NodePools."""
    clusters, goal = bench.clusters // 10, Goal(0.2)
    what, python = f"build, {clusters:,} clusters, {nodepools.EACH} NodePools each", bench.peers / "bin" / "python"
    if not which("node") or not any(bench.peers.glob("lib/python*/site-packages/cdk8s")):
        yield Row(what, AGAINST, None, goal, f"no Node.js on the PATH, or no Python package cdk8s in {bench.peers}")
        return
    folder = nodepools.start(bench.folder / "cdk8s", clusters)
    (folder / "nodepools.json").write_text(json.dumps(nodepools.bodies(fleet.built(folder))), encoding="utf-8")
    (folder / "app.py").write_text(APP, encoding="utf-8")
    costs = side_by_side(
        {
            "build": fleet.fresh(folder),
            "cdk8s": process((python, "-I", "app.py"), folder),
        },
        min(bench.rounds, 2),
    )
    yield row(what, AGAINST, (costs["build"], costs["cdk8s"]), goal)


FIGURE = Figure("cdk8s", "a build against a cdk8s app that makes the same NodePools", measure)
