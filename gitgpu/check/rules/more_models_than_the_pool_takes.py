"""A model's most replicas fit below the limits of its pool."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.served import POOLS, Fault, Served, findings
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", stack: {kaito: helm}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec: {clusters: [prod-swc], sku: Standard_NC24ads_A100_v4, limits: {gpus: 4}, image: {osDiskGB: 256}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: chat, namespace: serving}
spec:
  pools: [a100]
  inference: {preset: phi-4-mini-instruct, replicas: 6}
"""
GOOD = BAD.replace("replicas: 6", "replicas: 4")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Each fault once, however many clusters have it."""
    return findings(inputs, _faults)


def _faults(one: Served, row: Facts) -> Iterator[Fault]:
    """Models with more replicas than nodes are allowed."""
    del row
    told = one.model.told
    path = ("scaling", "max") if "scaling" in told else ("replicas",)
    most = told.get("scaling", {}).get("max") or told.get("replicas", 1)
    for pool in () if one.on_add_on else one.pools:
        gpus = max((sku.gpus or 1 for sku in pool.skus), default=1)
        room = pool.limits.gpus
        if room is not None and most * gpus > room:
            where = one.place(*path) if path[0] in told else POOLS
            message = f"{most} replicas want {most * gpus} GPUs, and pool {pool.name} may have {room}"
            yield where, message, f"write {path[-1]}: {max(1, room // gpus)}, or raise limits.gpus of {pool.name}"


RULE = Rule(
    code="KTO015",
    name="more-models-than-the-pool-takes",
    severity=Severity.ERROR,
    summary="The most replicas of a model want more GPUs than the limits of its pool allow.",
    help="Each replica takes a node with all its GPUs. Above the limit Karpenter starts no node, and the replicas stay "
    "pending.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/workspace/inference/preset_inferences.go",
        "https://karpenter.sh/docs/concepts/nodepools/",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
