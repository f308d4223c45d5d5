"""Lint of many NodePools, in separate files and in one, against parsing the same files with PyYAML's C code."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copy, which

from bench.figure import Bench, Figure, Goal, Row
from bench.measure import GITGPU, PYTHON, ROOT, process, row, side_by_side

PARSE = """\
import pathlib, yaml
for path in pathlib.Path(".").glob("*.yaml"):
    with path.open() as file:
        for document in yaml.load_all(file, yaml.CSafeLoader):
            pass
"""
POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: t4-{at}
spec:
  template:
    spec:
      nodeClassRef:
        group: karpenter.azure.com
        kind: AKSNodeClass
        name: default
      requirements:
      - key: karpenter.azure.com/sku-name
        operator: In
        values: [{size}]
      - key: karpenter.sh/capacity-type
        operator: In
        values: [on-demand]
      - key: team
        operator: In
        values: [team-{at}]
      taints:
      - key: sku
        value: gpu
        effect: NoSchedule
  disruption:
    consolidationPolicy: WhenEmpty
    consolidateAfter: 10m
  limits:
    nvidia.com/gpu: "8"
"""
SIZES = ("Standard_NC16as_T4_v3", "Standard_NC24ads_A100_v4", "Standard_NC40ads_H100_v5", "Standard_NV36ads_A10_v5")


def measure(bench: Bench) -> Iterator[Row]:
    """Whole processes on both sides, including their start."""
    files, pools = 2 * bench.clusters, 5 * bench.clusters
    folder = _pools(bench.folder / "lint", files)
    yield from _against(bench, folder, f"lint, {files:,} NodePools in {files:,} files", 1.0)
    single = bench.folder / "lint-one"
    single.mkdir()
    (single / "all.yaml").write_text("---\n".join(map(pool_text, range(pools))), encoding="utf-8")
    yield from _against(bench, single, f"lint, {pools:,} NodePools in one file", 1.2)


def _against(bench: Bench, folder: Path, what: str, goal: float) -> Iterator[Row]:
    lint = process((*GITGPU, "lint", "."), folder)
    if peer := which("kubeconform"):
        schemas = _schemas(bench.folder / "kubeconform")
        options = ("-summary", "-schema-location", f"{schemas}/{{{{.ResourceKind}}}}.json", ".")
        costs = side_by_side({"lint": lint, "peer": process((peer, *options), folder)}, bench.rounds)
        yield row(what, "kubeconform", (costs["lint"], costs["peer"]), Goal(1.3))
    else:
        yield Row(what, "kubeconform", None, Goal(1.3), "kubeconform is not in PATH")
    costs = side_by_side({"lint": lint, "parse": process((*PYTHON, "-c", PARSE), folder)}, bench.rounds)
    yield row(what, "CSafeLoader parsing them", (costs["lint"], costs["parse"]), Goal(goal))


def _schemas(folder: Path) -> Path:
    """A directory with the schema that kubeconform would otherwise download."""
    folder.mkdir(exist_ok=True)
    copy(ROOT / "schemas" / "contracts" / "karpenter.sh_nodepool.json", folder / "nodepool.json")
    return folder


def _pools(folder: Path, number: int) -> Path:
    folder.mkdir()
    for at in range(number):
        (folder / f"pool-{at}.yaml").write_text(pool_text(at), encoding="utf-8")
    return folder


def pool_text(at: int) -> str:
    """One of many NodePools: each has its own name and label, and one of four sizes."""
    return POOL.format(at=at, size=SIZES[at % len(SIZES)])


FIGURE = Figure("lint", "lint of many NodePools against parsing their files", measure)
