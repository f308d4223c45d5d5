"""What the spec says about the objects of a pool in their own words, so that they can be as they run."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class PoolObjects(NamedTuple):
    """`spot_taint` taints nodes of a pool with spot nodes only; `unwanted_labels` are labels that gitgpu must not add.

    `annotations` are those of the nodes, `subnet` the ARM ID of theirs; `explicit_defaults` are defaults that the
    objects write, under nodePool and nodeClass. `replicas` is the number of nodes of a static NodePool, None for one
    that grows, and `most_nodes` its limits.nodes. `agent_pool` has the keys of Azure's agentPools.
    """

    spot_taint: bool = True
    unwanted_labels: frozenset[str] = frozenset()
    annotations: Mapping[str, str] = {}
    subnet: str | None = None
    explicit_defaults: Mapping[str, Mapping[str, Any]] = {}
    replicas: int | None = None
    most_nodes: int | None = None
    agent_pool: Mapping[str, Any] = {}


def pool_objects(spec: Mapping[str, Any]) -> PoolObjects:
    """The settings of a normalised spec."""
    return PoolObjects(
        spec.get("spotTaint", True),
        frozenset(key for key, value in spec.get("labels", {}).items() if value is None),
        spec.get("annotations", {}),
        spec.get("subnet"),
        spec.get("explicitDefaults", {}),
        spec.get("replicas"),
        spec.get("limits", {}).get("nodes"),
        spec.get("agentPool", {}),
    )
