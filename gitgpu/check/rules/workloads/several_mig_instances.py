"""A program uses one MIG instance, however many its pod has."""

from collections.abc import Iterator

from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec:
  clusters: [prod-swc]
  sku: Standard_NC48ads_A100_v4
  driver: operator
  image: {family: Ubuntu2204}
  limits: {gpus: 8}
  partition: {mig: {profiles: {7g.80gb: 1}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: ranker, namespace: serving}
spec:
  pools: [a100]
  target: {kind: Deployment, name: ranker}
  gpus: 2
"""
GOOD = BAD.replace("gpus: 2\n", "gpus: 1\n")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose pods ask for more than one instance."""
    for workload in inputs.workloads:
        pools = inputs.pools_of(workload) if workload.gpus > 1 else ()
        names = [pool.name for pool in pools if pool.mig and (pool.mig.single or workload.mig)]
        if names:
            message = (
                f"a pod asks for {workload.gpus} instances of pool {join_names(names)}, and a program in it uses one"
            )
            remedy = "write gpus: 1, and take a larger profile or more replicas"
            yield Finding(workload.origin, ("spec", "gpus"), message, remedy)


RULE = Rule(
    code="PRT010",
    name="several-mig-instances",
    severity=Severity.WARNING,
    summary="A pod asks for several MIG instances.",
    help="CUDA shows a process one MIG instance, and instances do not speak to each other as GPUs do. The others only "
    "serve a pod that runs several programs and gives each its own.",
    sources=("https://docs.nvidia.com/datacenter/tesla/mig-user-guide/mig-device-names.html",),
    check=check,
    bad=BAD,
    good=GOOD,
)
