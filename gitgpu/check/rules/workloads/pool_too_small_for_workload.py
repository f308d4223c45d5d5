"""Each pool of a workload should have nodes with as many GPUs as a pod asks for."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec: {clusters: [prod-swc], sku: Standard_NC16as_T4_v3, limits: {gpus: 8}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4-four}
spec: {clusters: [prod-swc], sku: Standard_NC64as_T4_v3, limits: {gpus: 8}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: trainer, namespace: research}
spec:
  pools: [t4, t4-four]
  target: {kind: Job, name: trainer}
  gpus: 4
"""
GOOD = BAD.replace("[t4, t4-four]", "[t4-four]")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools that a workload names in vain beside one that will do; when none will, another rule says so."""
    for workload in inputs.workloads:
        most = {pool.name: _most(pool) for pool in inputs.pools_of(workload)}
        will_do = any(room is None or room >= workload.gpus for room in most.values())
        for index, name in enumerate(workload.pools) if will_do else ():
            room = most.get(name)
            if room is not None and room < workload.gpus:
                message = f"a pod asks for {workload.gpus} GPUs, and a node of pool {name} has {room} at most"
                yield Finding(
                    workload.origin, ("spec", "pools", index), message, f"take {name} out, or write fewer gpus"
                )


def _most(pool: Pool) -> int | None:
    """The GPUs of the largest node; None where one is not known, or where the GPUs are shared."""
    counts = [sku.gpus for sku in pool.skus]
    known = [count for count in counts if count is not None]
    return max(known) if known and len(known) == len(counts) and not pool.sharing.way else None


RULE = Rule(
    code="SCH020",
    name="pool-too-small-for-workload",
    severity=Severity.WARNING,
    summary="A workload names a pool whose nodes have fewer GPUs than a pod of it asks for.",
    help="All GPUs of a pod are on one node. The pods never land in that pool, so it is no fallback when the other "
    "pools are full.",
    sources=("https://kubernetes.io/docs/tasks/manage-gpus/scheduling-gpus/",),
    check=check,
    bad=BAD,
    good=GOOD,
)
