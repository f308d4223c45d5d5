"""In which namespace and version Azure Service Operator's objects of GPU node pools are."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at, text_at
from gitgpu.inventory.observed import Observed
from gitgpu.model.catalog import Catalog
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL
from gitgpu.model.software.names import NAMESPACE
from gitgpu.objects.node.agent_pools import size_profiles


def operator_namespace(objects: Iterable[Observed], catalog: Catalog) -> str:
    """The namespace of most GPU node pools that are objects; that of gitgpu's own ones if there are none."""
    names = (text_at(observed.body, "metadata", "namespace") for observed in objects if _has_gpus(observed, catalog))
    counts = Counter(name for name in names if name)
    return min(counts, key=lambda name: (-counts[name], name), default=NAMESPACE)


def _has_gpus(observed: Observed, catalog: Catalog) -> bool:
    """Whether it is a node pool with a GPU size of the catalog."""
    if observed.body.get("kind") != MANAGED_CLUSTERS_AGENT_POOL.kind:
        return False
    return any(catalog.sku(size) for size in _sizes(mapping_at(observed.body, "spec")))


def _sizes(spec: Mapping[str, Any]) -> Iterator[str]:
    yield text_at(spec, "vmSize")
    for _, profile in size_profiles(spec):
        yield text_at(profile, "size")
