"""A pool of single virtual machines that AKS does not take with GPUs."""

from collections.abc import Iterator

from gitgpu.conform.node.agent_pools import AgentPool, agent_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        if pool.spec.get("type") == "VirtualMachines":
            yield from (Finding(pool.item, *fault) for fault in _faults(pool, objects))


def _faults(pool: AgentPool, objects: Objects) -> Iterator[tuple[Pointer, str, str]]:
    sizes = pool.sizes(objects)
    gpus = [(place, name) for place, name, sku in sizes if sku and sku.gpu]
    others = [name for _, name, _ in sizes if not _is_gpu_name(name)]
    if gpus and others:
        message = f"the pool mixes {gpus[0][1]} with {others[0]}, which is no GPU size"
        yield gpus[0][0], message, "make one pool of each"
    if gpus and pool.spec.get("enableAutoScaling") is True:
        message = "the cluster autoscaler does not scale GPU nodes of a VirtualMachines pool"
        yield pool.place("enableAutoScaling"), message, "write type: VirtualMachineScaleSets"
    if pool.os_type == "Windows":
        yield pool.place("osType"), "a VirtualMachines pool cannot run Windows", "write type: VirtualMachineScaleSets"
    if set(pool.spec.get("availabilityZones") or ()) - {"auto"}:  # AKS's guides disagree on these
        message = "a VirtualMachines pool takes no availability zones"
        yield pool.place("availabilityZones"), message, "remove them, or write type: VirtualMachineScaleSets"


def _is_gpu_name(name: str) -> bool:
    return name.lower().removeprefix("standard_").startswith("n")


RULE = Rule(
    code="APL011",
    name="bad-machines-pool",
    severity=Severity.ERROR,
    summary="A pool of type VirtualMachines mixes or autoscales GPU sizes, or asks for zones or Windows.",
    help="Such a pool holds sizes of one family; its autoscaler does not support GPU nodes.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/virtual-machines-node-pools.md",
        "https://github.com/Azure/AKS/issues/5911",
    ),
    check=_check,
    bad="""
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: fleet}
spec:
  owner: {name: contoso}
  type: VirtualMachines
  mode: User
  enableAutoScaling: true
  minCount: 0
  maxCount: 4
  vmSize: Standard_NC24ads_A100_v4
""",
    good="""
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: fleet}
spec:
  owner: {name: contoso}
  type: VirtualMachines
  mode: User
  virtualMachinesProfile:
    scale: {manual: [{size: Standard_NC24ads_A100_v4, count: 2}, {size: Standard_NC48ads_A100_v4, count: 1}]}
""",
)
