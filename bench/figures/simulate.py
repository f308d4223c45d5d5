"""Simulating many workloads on many pools: against reading the same files, against a bare loop, and ten times as many.

The loop is the minimum that any answer costs: for every workload, pool and size, it only checks whether the size has
enough GPUs and memory. The simulation also checks labels, taints, offerings, limits and other pods.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from bench.figure import Bench, Figure, Goal, Row
from bench.measure import GITGPU, PYTHON, Cost, call, process, row, side_by_side
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.runs.simulate import Assumptions, of_manifests

POOLS, REGION = 100, "eastus"
ASSUMPTIONS = Assumptions({}, {}, REGION, "1.36")
GPUS, NAMES = (1, 1, 1, 2, 4, 8), ("A100", "T4", "H100")  # no size has eight T4s
PARSE = """\
import pathlib, yaml
for path in pathlib.Path(".").glob("*.yaml"):
    with path.open() as file:
        for document in yaml.load_all(file, yaml.CSafeLoader):
            pass
"""


def measure(bench: Bench) -> Iterator[Row]:
    """Thousands of different workloads (a fifth with --quick). A third of them select one pool in fifty."""
    number = bench.clusters
    folder = _files(bench.folder / "simulate", number)
    words = (*GITGPU, "simulate", "--pools", "pools.yaml", "--workloads", "apps.yaml", "--region", REGION, "-o", "json")
    what = f"simulate, {number:,} workloads, {POOLS} pools"
    costs = side_by_side(
        {"simulate": process(words, folder), "parse": process((*PYTHON, "-c", PARSE), folder)}, bench.rounds
    )
    yield row(what, "CSafeLoader parsing the files", (costs["simulate"], costs["parse"]), Goal(10))
    few, many = _decision(number), _decision(10 * number)
    subjects: dict[str, Callable[[int], Cost]] = {
        "few": lambda _: call(few),
        "loop": lambda _: call(_loop(number)),
        "many": lambda _: call(many),
    }
    costs = side_by_side(subjects, min(bench.rounds, 2))
    yield row(
        f"{what}: in memory", "a bare loop over workloads, pools and sizes", (costs["few"], costs["loop"]), Goal(8)
    )
    yield row(f"simulate, {10 * number:,} workloads: in memory", f"{number:,}", (costs["many"], costs["few"]), Goal(12))


def _decision(number: int) -> Callable[[], object]:
    """Everything after the files are read: checks objects against their schemas, then simulates."""
    catalog = Catalog(CatalogFiles(()))
    pools = read_manifests([Text("pools.yaml", _text(map(_pool, range(POOLS))), "pools.yaml")])
    apps = read_manifests([Text("apps.yaml", _text(map(_workload, range(number))), "apps.yaml")])
    return lambda: list(of_manifests(pools, apps, catalog, ASSUMPTIONS))


def _loop(number: int) -> Callable[[], int]:
    sizes = [(sku.counted_gpus or 0, sku.memory_gib or 0) for sku in Catalog(CatalogFiles(())).skus]
    asks = [(GPUS[at % len(GPUS)], 1 + at % 97) for at in range(number)]  # the GPUs and memory of each workload
    return lambda: sum(
        1 for gpus, memory in asks for _ in range(POOLS) for has, holds in sizes if has >= gpus and holds >= memory
    )


def _files(folder: Path, number: int) -> Path:
    folder.mkdir()
    (folder / "pools.yaml").write_text(_text(map(_pool, range(POOLS))), encoding="utf-8")
    (folder / "apps.yaml").write_text(_text(map(_workload, range(number))), encoding="utf-8")
    return folder


def _text(bodies: Iterator[dict[str, Any]]) -> str:
    """The objects as JSON, which is also YAML."""
    return "---\n".join(f"{json.dumps(body, indent=1)}\n" for body in bodies)


def _pool(at: int) -> dict[str, Any]:
    wanted = [
        {"key": "karpenter.azure.com/sku-gpu-count", "operator": "Gt", "values": ["0"]},
        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]},
    ]
    template = {
        "metadata": {"labels": {"team": f"t{at % 50}"}},
        "spec": {
            "nodeClassRef": {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "default"},
            "requirements": wanted,
            "taints": [{"key": "sku", "value": "gpu", "effect": "NoSchedule"}],
        },
    }
    spec = {"limits": {"nvidia.com/gpu": "100000"}, "template": template}
    return {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "metadata": {"name": f"p{at:03}"}, "spec": spec}


def _workload(at: int) -> dict[str, Any]:
    team, name = {"team": f"t{at % 50}"}, {"karpenter.azure.com/sku-gpu-name": NAMES[at % 3]}
    resources = {
        "requests": {"cpu": str(1 + at % 7), "memory": f"{1 + at % 97}Gi"},
        "limits": {"nvidia.com/gpu": str(GPUS[at % len(GPUS)])},
    }
    pod = {
        "nodeSelector": name if at % 3 else team,
        "tolerations": [{"key": "sku", "operator": "Exists"}],
        "containers": [{"name": "main", "image": "x", "resources": resources}],
    }
    labels = {"app": f"w{at}"}
    spec = {"replicas": 1 + at % 3, "selector": {"matchLabels": labels}}
    template = {"metadata": {"labels": labels}, "spec": pod}
    meta = {"name": f"w{at:05}", "namespace": "bench"}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta, "spec": {**spec, "template": template}}


FIGURE = Figure(
    "simulate", "1,000 workloads on 100 pools, against reading them, a bare loop, ten times as many", measure
)
