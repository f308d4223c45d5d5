"""Import of many NodePools, and of as many pools from `az`, against parsing them with PyYAML's C code."""

import json
from collections.abc import Iterator

from bench.figure import Bench, Figure, Goal, Row
from bench.figures.lint import PARSE, pool_text
from bench.measure import GITGPU, PYTHON, process, row, side_by_side

CLASS = """\
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata:
  name: default
spec:
  imageFamily: Ubuntu
  osDiskSizeGB: 128
"""
REPOSITORY = "https://github.com/contoso/fleet"
CLUSTER = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/gpus/providers/%s/managedClusters/prod"
AZ_POOL = {  # in the shape of `az aks nodepool list -o json`
    "count": 1,
    "enableAutoScaling": True,
    "maxCount": 5,
    "maxPods": 110,
    "minCount": 0,
    "mode": "User",
    "nodeLabels": {"team": "research"},
    "nodeTaints": ["sku=gpu:NoSchedule"],
    "osDiskSizeGb": 128,
    "osDiskType": "Ephemeral",
    "osSku": "Ubuntu",
    "osType": "Linux",
    "provisioningState": "Succeeded",
    "type": "Microsoft.ContainerService/managedClusters/agentPools",
    "typePropertiesType": "VirtualMachineScaleSets",
    "upgradeSettings": {"maxSurge": "10%"},
    "vmSize": "Standard_NC24ads_A100_v4",
}


def measure(bench: Bench) -> Iterator[Row]:
    """Whole processes on both sides, including their start. The import adopts, compiles and compares every pool."""
    texts = [CLASS, *map(pool_text, range(bench.clusters))]
    yield _row(bench, "NodePools", "---\n".join(texts))
    pools = [_az_pool(f"p{number}") for number in range(bench.clusters)]
    yield _row(bench, "pools of `az`", json.dumps(pools, indent=1))


def _az_pool(name: str) -> dict[str, object]:
    return {**AZ_POOL, "id": f"{CLUSTER % 'Microsoft.ContainerService'}/agentPools/{name}", "name": name}


def _row(bench: Bench, what: str, text: str) -> Row:
    folder = bench.folder / "adopt" / what.split(maxsplit=1)[0]
    folder.mkdir(parents=True)
    (folder / "all.yaml").write_text(text, encoding="utf-8")  # JSON is YAML, so the same program parses both
    known = ("--cluster", "prod", "--region", "swedencentral", "--kubernetes", "1.36", "--repository", REPOSITORY)
    words = ("import", ".", *known, "--dry-run")
    subjects = {"import": process((*GITGPU, *words), folder), "parse": process((*PYTHON, "-c", PARSE), folder)}
    costs = side_by_side(subjects, bench.rounds)
    return row(
        f"import, {bench.clusters:,} {what}", "CSafeLoader parsing them", (costs["import"], costs["parse"]), Goal(5)
    )


FIGURE = Figure("adopt", "import of many NodePools, against parsing them", measure)
