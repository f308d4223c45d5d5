"""The labels of the nodes of an AKS node pool that follow from the pool.

Sources: https://learn.microsoft.com/azure/aks/use-labels, and for the labels of GPU nodes without a domain the nodes in
https://learn.microsoft.com/azure/aks/use-nvidia-gpu and https://learn.microsoft.com/azure/aks/use-amd-gpus.
"""

from collections.abc import Iterator

from gitgpu.model.names.labels import (
    ACCELERATOR_LABEL,
    AGENTPOOL_LABEL,
    INSTANCE_TYPE_LABEL,
    LEGACY_ACCELERATOR_LABEL,
    LEGACY_AGENTPOOL_LABEL,
    MODE_LABEL,
    OS_LABEL,
    SCALE_SET_PRIORITY_LABEL,
)
from gitgpu.model.spec.taint import SPOT
from gitgpu.model.syntax.requirement import Requirements, fixed_labels, requirement
from gitgpu.objects.node.agent_pools import AgentPool
from gitgpu.objects.objects import Objects


def labels_of(pool: AgentPool, objects: Objects) -> Requirements:
    """The labels that AKS and the pool set on all its nodes, without zone and region.

    A label that both set to different values is omitted: it is not documented which one counts.
    """
    by_aks = dict(_labels_by_aks(pool, objects))
    own = {str(key): str(value) for key, value in (pool.spec.get("nodeLabels") or {}).items()}
    texts = {key: value for key, value in {**own, **by_aks}.items() if own.get(key, value) == value}
    if pool.is_spot:
        return fixed_labels(texts)
    # AKS does not set it on regular nodes.
    return {**fixed_labels(texts), SCALE_SET_PRIORITY_LABEL: requirement(SCALE_SET_PRIORITY_LABEL, "DoesNotExist")}


def _labels_by_aks(pool: AgentPool, objects: Objects) -> Iterator[tuple[str, str]]:
    yield from ((label, pool.name) for label in (AGENTPOOL_LABEL, LEGACY_AGENTPOOL_LABEL))
    yield MODE_LABEL, str(pool.spec.get("mode") or "User").lower()
    yield OS_LABEL, pool.os_type.lower()
    if pool.is_spot:
        yield SPOT.key, SPOT.value
    sizes = [sku for _, _, sku in pool.sizes(objects)]
    names = {sku.name if sku else None for sku in sizes}
    if len(names) == 1 and (name := names.pop()):
        yield INSTANCE_TYPE_LABEL, name
    makers = {sku.manufacturer if sku and sku.counted_gpus else "" for sku in sizes}
    # No guide shows the labels of Windows nodes.
    if len(makers) == 1 and (maker := makers.pop()) and pool.os_type == "Linux":
        yield from ((label, maker) for label in (ACCELERATOR_LABEL, LEGACY_ACCELERATOR_LABEL))
