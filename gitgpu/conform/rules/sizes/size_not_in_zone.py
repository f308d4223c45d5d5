"""Zones in which the sizes of a pool are not."""

from collections.abc import Iterator, Mapping, Sequence

from gitgpu.check.names import join_names
from gitgpu.conform.node.candidate_sizes import candidates, is_decided, place, values
from gitgpu.conform.node.node_pools import node_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.sku import Sku

ZONE = "topology.kubernetes.io/zone"
ANYWHERE = "list other zones, or ask for karpenter.azure.com/placement-scope In [regional]"
BAD = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  limits: {nodes: 4}
  template:
    spec:
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements:
        - {key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}
        - {key: topology.kubernetes.io/zone, operator: In, values: [southcentralus-2]}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        wanted = _zones([zone for _, zone in values(pool, (ZONE,))])
        sizes = candidates(pool, objects) if len(wanted) == 1 and is_decided(pool, objects) else ()
        for region, zones in wanted.items() if sizes else ():
            if all(_elsewhere(sku, region, zones) for sku in sizes):
                names = join_names([sku.name for sku in sizes])
                message = f"{region} has {names} in none of the zones that the NodePool asks for"
                yield Finding(pool.item, place(pool, ZONE), message, ANYWHERE)


def _zones(names: Sequence[str]) -> Mapping[str, list[str]]:
    """The numbers of the zones by region; nothing when a VM outside the zones will do too."""
    found: dict[str, list[str]] = {}
    for name in names:
        region, dash, zone = name.rpartition("-")
        if not dash:
            return {}
        found.setdefault(region, []).append(zone)
    return found


def _elsewhere(sku: Sku, region: str, wanted: Sequence[str]) -> bool:
    """Is it known that the size is in none of these zones?"""
    known = sku.zones.get(region)
    return known is not None and not set(known) & set(wanted)


RULE = Rule(
    code="NPS010",
    name="size-not-in-zone",
    severity=Severity.ERROR,
    summary="A NodePool asks for zones in which its sizes are known not to be.",
    help="Azure has many GPU sizes in some zones of a region only. Karpenter makes no offering of a size in a zone "
    "without it, so nothing starts and pods stay Pending.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/zones/zones.go",
        "https://learn.microsoft.com/azure/reliability/regions-list",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("southcentralus-2", "southcentralus-3"),
)
