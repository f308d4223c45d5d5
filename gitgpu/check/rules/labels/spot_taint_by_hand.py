"""The spot taint is gitgpu's to write."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import pool_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import SPOT
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 8}
  capacity: [spot]
  taints:
  - {key: sku, value: gpu, effect: NoSchedule}
  - {key: kubernetes.azure.com/scalesetpriority, value: spot, effect: NoSchedule}
"""
GOOD = "\n".join(BAD.splitlines()[:-1]) + "\n"


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools that write the spot taint."""
    for pool in inputs.pools:
        for field, taints in (("taints", pool.taints), ("startupTaints", pool.startup_taints)):
            if all(taint.key != SPOT.key for taint in taints):
                continue
            why = "is gitgpu's to write" if pool.only_spot else "would stand on the pool's on-demand nodes too"
            remedy = f"remove the taint {SPOT.key}; pools with capacity: [spot] get it, and workloads tolerate it"
            yield Finding(*pool_place(inputs, pool, field), f"the spot taint {SPOT.key} {why}", remedy)


RULE = Rule(
    code="SCH010",
    name="spot-taint-by-hand",
    severity=Severity.WARNING,
    summary="A pool writes the taint of spot nodes by hand.",
    help="AKS marks spot nodes with kubernetes.azure.com/scalesetpriority. gitgpu writes that taint on pools that hold "
    "spot nodes alone. By hand it says nothing new there, and on other pools it is wrong about some nodes.",
    sources=("https://learn.microsoft.com/azure/aks/spot-node-pool",),
    check=check,
    bad=BAD,
    good=GOOD,
)
