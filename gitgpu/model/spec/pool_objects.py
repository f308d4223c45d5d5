"""Settings of a pool that are specific to its objects, so that imported ones can stay as they run."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class PoolObjects(NamedTuple):
    """`spot_taint` taints nodes of a pool with only spot nodes; `unwanted_labels` are labels that gitgpu must not add.

    `annotations` are set on the nodes, and `subnet` is their subnet's ARM ID. `explicit_defaults` are defaults that
    the objects contain, under nodePool and nodeClass. `replicas` is the number of nodes of a static NodePool (None for
    others), and `most_nodes` its limits.nodes. `agent_pool` has keys of Azure's agentPools.
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
        spot_taint=spec.get("spotTaint", True),
        unwanted_labels=frozenset(key for key, value in spec.get("labels", {}).items() if value is None),
        annotations=spec.get("annotations", {}),
        subnet=spec.get("subnet"),
        explicit_defaults=spec.get("explicitDefaults", {}),
        replicas=spec.get("replicas"),
        most_nodes=spec.get("limits", {}).get("nodes"),
        agent_pool=spec.get("agentPool", {}),
    )
