"""A pool with MIG needs somebody who cuts its GPUs."""

from collections.abc import Iterator

from gitgpu.check.drivers import beside, installers, place
from gitgpu.check.mig import MIG, cut_pools
from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import BY_AKS, Inputs, driver_on

WITHOUT = {
    "managed": "AKS cuts the GPUs of node pools only, managed ones too",
    "none": "driver is none, so gitgpu brings nothing to the node",
    "aks": "AKS cuts the GPUs of node pools only, and node auto-provisioning has no such setting",
}
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec:
  clusters: [prod-swc]
  sku: Standard_NC24ads_A100_v4
  driver: aks
  image: {family: Ubuntu2204}
  limits: {gpus: 8}
  partition: {mig: {profiles: {7g.80gb: 1}}}
"""
GOOD = BAD.replace("driver: aks", "driver: operator")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with MIG on clusters where nobody applies their layout."""
    for pool, _, clusters in cut_pools(inputs):
        for driver, names in sorted(installers(inputs, pool, (one for one in clusters if _idle(pool, one))).items()):
            message = f"{beside(pool, 'nobody cuts these GPUs', MIG)} on {join_names(names)}: {WITHOUT[driver]}"
            remedy = "write driver: operator, whose MIG manager cuts them"
            yield Finding(pool.origin, place(pool, MIG), message, remedy)


def _idle(pool: Pool, cluster: Cluster) -> bool:
    """Does nobody cut the GPUs there?"""
    driver = driver_on(cluster, pool)
    return driver != "operator" and not (driver in BY_AKS and cluster.has_node_pools)


RULE = Rule(
    code="PRT005",
    name="mig-that-nobody-cuts",
    severity=Severity.ERROR,
    summary="A pool cuts GPUs by MIG where nobody applies the layout.",
    help="AKS partitions GPUs by gpuInstanceProfile, a setting of its node pools that an AKSNodeClass does not have. "
    "The GPU Operator's MIG manager cuts them on any node whose driver is the operator's.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/aksnodeclass.go",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/gpu-multi-instance.md",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-operator-mig.rst",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
