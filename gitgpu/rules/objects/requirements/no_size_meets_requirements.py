"""Requirements that no GPU size meets."""

from collections.abc import Iterable, Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.size.node_labels import GPU_NAME, NAMES, labels
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.requirement import Requirement, Requirements, clash
from gitgpu.objects.node.candidate_sizes import accelerators, by_name, is_decided, named_sizes, place
from gitgpu.objects.node.label_values import known_values
from gitgpu.objects.node.node_pools import REQUIREMENTS, NodePool, matching, node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer
from gitgpu.spelling import join_names


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        has_size = any(sku.obtainable for sku in matching(pool, objects))
        if not has_size and is_decided(pool, objects) and not _has_other_fault(pool, objects):
            listed = [sku for _, sku in named_sizes(pool, objects)]
            possible = listed if by_name(pool) else objects.catalog.skus
            alive = [sku for sku in possible if sku.obtainable]
            # Otherwise all listed sizes are retired or were never offered, which NPS003 and NPS004 report.
            if alive:
                where, message = _unmet(pool, alive)
                remedy = "relax one of the requirements, or list sizes that meet all of them"
                yield Finding(pool.item, where, message, remedy)


def _has_other_fault(pool: NodePool, objects: Objects) -> bool:
    """Whether another rule reports why no size can match: unknown values, or a conflict."""
    values_by_key = dict(known_values(objects))
    if GPU_NAME in pool.together:
        values_by_key[GPU_NAME] = accelerators(objects)
    for demand in pool.label_requirements:
        values = {value for _, value in demand.values}
        if demand.operator == "In" and demand.key in values_by_key and values.isdisjoint(values_by_key[demand.key]):
            return True
    if GPU_NAME in pool.together and any(sku.accelerator is None for _, sku in named_sizes(pool, objects)):
        return True
    return any(required.operator == "DoesNotExist" for required in pool.together.values())


def _unmet(pool: NodePool, alive: Iterable[Sku]) -> tuple[Pointer, str]:
    """The label whose requirement excludes all sizes, or all sizes that meet the other requirements."""
    labels_by_size = {sku.name: labels(sku) for sku in alive}
    keys = sorted(pool.together, key=lambda key: (key in NAMES, key))
    for key in keys:
        if not _left(labels_by_size, {key: pool.together[key]}):
            return place(pool, key), f"no GPU size meets the requirement on {key}"
    for key in keys:
        rest = {other: requirement for other, requirement in pool.together.items() if other != key}
        if left := _left(labels_by_size, rest):
            return place(pool, key), f"{join_names(left)} meet all requirements except this one on {key}"
    return REQUIREMENTS, "no GPU size meets all requirements of this NodePool"


def _left(labels_by_size: dict[str, dict[str, Requirement]], requirements: Requirements) -> list[str]:
    return [name for name, has in labels_by_size.items() if not clash(has, requirements)]


RULE = Rule(
    code="NPS007",
    name="no-size-meets-requirements",
    severity=Severity.ERROR,
    summary="A GPU NodePool has requirements that no GPU size meets together.",
    help="Karpenter compares each requirement with the labels that a node of the size would have. The NodePool becomes "
    "Ready anyway; no node ever starts, and pods stay Pending.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools",
    ),
    facts=("skus/*",),
    check=_check,
)
