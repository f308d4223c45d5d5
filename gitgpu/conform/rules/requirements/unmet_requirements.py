"""Requirements that no GPU size meets."""

from collections.abc import Iterable, Iterator

from gitgpu.check.names import join_names
from gitgpu.conform.node.candidate_sizes import accelerators, by_name, is_decided, named, place
from gitgpu.conform.node.label_requirements import known_values, label_requirements
from gitgpu.conform.node.node_pools import REQUIREMENTS, NodePool, matching, node_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.sku import Sku
from gitgpu.schedule.requirement import Requirement, Requirements, clash
from gitgpu.schedule.size import GPU_NAME, NAMES, labels
from gitgpu.source import Pointer

BAD = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: t4}
spec:
  limits: {nodes: 4}
  template:
    spec:
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements:
        - {key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC4as_T4_v3, Standard_NC16as_T4_v3]}
        - {key: karpenter.azure.com/sku-gpu-count, operator: In, values: ["2"]}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        found = any(sku.obtainable for sku in matching(pool, objects))
        if not found and is_decided(pool, objects) and not _told_elsewhere(pool, objects):
            known = [sku for _, sku in named(pool, objects)] if by_name(pool) else objects.catalog.skus
            alive = [sku for sku in known if sku.obtainable]
            if alive:
                where, message = _blame(pool, alive)
                yield Finding(
                    pool.item, where, message, "loosen one of the requirements, or name sizes that have it all"
                )


def _told_elsewhere(pool: NodePool, objects: Objects) -> bool:
    """Has it a fault of its own, so that what is left of it says nothing: values that no node has, or a clash?"""
    known = dict(known_values(objects))
    if GPU_NAME in pool.together:
        known[GPU_NAME] = accelerators(objects)
    strange = any(
        demand.operator == "In"
        and demand.key in known
        and not {value for _, value in demand.values} & {*known[demand.key]}
        for demand in label_requirements(pool)
    )
    nameless = GPU_NAME in pool.together and any(sku.accelerator is None for _, sku in named(pool, objects))
    return strange or nameless or any(one.operator == "DoesNotExist" for one in pool.together.values())


def _blame(pool: NodePool, alive: Iterable[Sku]) -> tuple[Pointer, str]:
    """The label whose demand keeps out all sizes, or all that the other demands leave."""
    known = {sku.name: labels(sku) for sku in alive}
    keys = sorted(pool.together, key=lambda key: (key in NAMES, key))
    for key in keys:
        if not _left(known, {key: pool.together[key]}):
            return place(pool, key), f"no GPU size has what is asked of {key}"
    for key in keys:
        rest = {other: one for other, one in pool.together.items() if other != key}
        if left := _left(known, rest):
            return place(pool, key), f"{join_names(left)} would meet all other requirements, but not this one on {key}"
    return REQUIREMENTS, "no GPU size meets all these requirements"


def _left(known: dict[str, dict[str, Requirement]], wanted: Requirements) -> list[str]:
    return [name for name, has in known.items() if not clash(has, wanted)]


RULE = Rule(
    code="NPS007",
    name="unmet-requirements",
    severity=Severity.ERROR,
    summary="A NodePool for GPUs has requirements that no GPU size meets all together.",
    help="Karpenter compares each requirement with the labels that a node of the size would have. The NodePool gets "
    "Ready all the same; no node ever starts, and pods stay Pending.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace('"2"', '"1"'),
)
