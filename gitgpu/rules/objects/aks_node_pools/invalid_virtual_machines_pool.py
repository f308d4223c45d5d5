"""A node pool of type VirtualMachines with a setting that AKS rejects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import AgentPool, agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
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
        message = (
            f"a VirtualMachines pool cannot mix the GPU size {gpus[0][1]} with {others[0]}, which is not a GPU size"
        )
        yield gpus[0][0], message, "use a separate pool for each"
    if pool.os_type == "Windows":
        yield pool.place("osType"), "a VirtualMachines pool cannot run Windows", "set type: VirtualMachineScaleSets"
    if set(pool.spec.get("availabilityZones") or ()) - {"auto"}:  # AKS's guides disagree on "auto"
        message = "a VirtualMachines pool cannot have availability zones"
        remedy = "remove availabilityZones, or set type: VirtualMachineScaleSets"
        yield pool.place("availabilityZones"), message, remedy


def _is_gpu_name(name: str) -> bool:
    # Azure names all of its GPU sizes in the N family; this also covers sizes that the catalog does not have.
    return name.lower().removeprefix("standard_").startswith("n")


RULE = Rule(
    code="APL011",
    name="invalid-virtual-machines-pool",
    twin="AGP026",
    severity=Severity.ERROR,
    summary="A VirtualMachines pool mixes GPU and CPU sizes, or sets zones or Windows.",
    help="All sizes in such a pool must be of one family.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/virtual-machines-node-pools.md",
        "https://github.com/Azure/AKS/issues/5911",
    ),
    facts=("skus",),
    check=_check,
)
