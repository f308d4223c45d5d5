"""The GPU Operator's chart calls its own driver object default."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

TAKEN = "default"
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: default}
spec:
  clusters: [prod-swc]
  sku: Standard_NC40ads_H100_v5
  driver: operator
  driverBranch: "580"
  image: {family: Ubuntu2204}
  limits: {gpus: 8}
"""
GOOD = BAD.replace("name: default", "name: h100")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with a branch whose driver object would be the chart's."""
    for pool in inputs.pools:
        if pool.branch and pool.name == TAKEN:
            message = f"the driver of pool {TAKEN} would take the place of the operator's default"
            yield Finding(pool.origin, ("metadata", "name"), message, "give the pool another name")


RULE = Rule(
    code="DRV062",
    name="driver-called-default",
    severity=Severity.ERROR,
    summary="A pool with a driver branch has the name of the GPU Operator's default driver.",
    help="The driver of a branch is an NVIDIADriver with the pool's name. The operator's chart makes one called "
    "default, for the nodes of all other pools: the two would overwrite each other.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/deployments/gpu-operator/templates/nvidiadriver.yaml",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
