"""A running cluster next to the output of its fleet."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.adopt.stack.reached_nodes import runs_on
from gitgpu.adopt.stack.view import View
from gitgpu.emit.manifest import Manifest, Role
from gitgpu.inventory.observed import Observed
from gitgpu.model.names.kinds import APPLICATION, CLUSTER_POLICY, HELM_RELEASE, HELM_VALUES
from gitgpu.model.names.labels import AGENTPOOL_LABEL, INSTANCE_TYPE_LABEL, MANAGED_GPU_LABEL, NODEPOOL_LABEL
from gitgpu.model.names.prefixes import NFD_PREFIX
from gitgpu.objects.node.selection import Label, PoolNodes, selected_pools
from gitgpu.objects.objects import Identity, identity
from gitgpu.objects.software.daemons import daemons
from gitgpu.plan.decided.cluster import ClusterPlan, PoolPlan

_SOFTWARE = ("DaemonSet", CLUSTER_POLICY.kind, HELM_RELEASE.kind, APPLICATION.kind, HELM_VALUES.kind)
_PARTS = ("device-plugin", "dcgm-exporter")  # of GPU software, whose nodes are known


class Forecast(NamedTuple):
    """What runs on a cluster, and what its fleet writes for it: `nodes` and `names` are those of its Linux pools."""

    view: View
    plan: ClusterPlan
    manifests: Sequence[Manifest]
    nodes: Mapping[Label, PoolNodes]
    names: Mapping[Label, str]

    @property
    def bodies(self) -> list[Mapping[str, Any]]:
        """The objects that an engine applies, without patches of workloads."""
        return [
            manifest.body
            for manifest in self.manifests
            if manifest.role is Role.RESOURCE and not manifest.layer.by_hand
        ]

    @property
    def running(self) -> dict[Identity, Observed]:
        """The running objects by identity."""
        return {identity(observed.body): observed for observed in self.view.cluster.objects}

    @property
    def software_was_read(self) -> bool:
        """Whether the input has any software of nodes: AKS itself runs DaemonSets on every cluster."""
        return any(observed.body.get("kind") in _SOFTWARE for observed in self.view.cluster.objects)

    def pools_of(self, body: Mapping[str, Any]) -> tuple[str, ...]:
        """The pools whose nodes an object of the output selects, by the name of the pool or by labels of its nodes."""
        return tuple(sorted(self.names[label] for label in selected_pools(body, self.nodes)))

    def runs_on(self, observed: Observed, name: str) -> bool:
        """Whether a running object has pods on the nodes of a pool, as far as that is known."""
        by_name = {nodes.pool.name: nodes for nodes in self.view.pools}
        known = [
            daemon for daemon in daemons(self.view.objects, *_PARTS) if self.view.original(daemon.item) is observed
        ]
        nodes = by_name.get(name)
        return nodes is None or not known or any(runs_on(daemon, nodes, self.view) for daemon in known)

    def pools_with(self, *drivers: str) -> tuple[str, ...]:
        """The pools with one of these drivers."""
        return tuple(pool.name for pool in self.plan.pools if pool.driver in drivers)


def forecast(view: View, plan: ClusterPlan, manifests: Sequence[Manifest]) -> Forecast:
    """The view of a running cluster with the output of its fleet."""
    nodes = [(pool.name, _nodes(pool)) for pool in plan.pools if not pool.pool.windows]
    by_label = {each.label: each for _, each in nodes}
    return Forecast(view, plan, manifests, by_label, {each.label: name for name, each in nodes})


def name_on_cluster(pool: PoolPlan) -> str:
    """The name of a NodePool, or of the node pool in Azure."""
    return pool.node_pool.name if pool.node_pool else pool.name


def _nodes(pool: PoolPlan) -> PoolNodes:
    """The nodes of a pool of the fleet: their labels, as far as the spec determines them."""
    managed = {MANAGED_GPU_LABEL: "enabled"} if pool.driver == "managed" else {}
    labels = {**pool.labels, **managed}

    def values(key: str) -> Collection[str] | None:
        if key in labels:
            return (labels[key],)
        if key == INSTANCE_TYPE_LABEL:
            return tuple(sku.name for sku in pool.pool.skus)
        return None if key.startswith(NFD_PREFIX) else ()

    return PoolNodes(Label(AGENTPOOL_LABEL if pool.node_pool else NODEPOOL_LABEL, name_on_cluster(pool)), values)
