"""A running cluster next to the output of its fleet."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import list_at
from gitgpu.adopt.stack.view import View
from gitgpu.emit.manifest import Manifest, Role
from gitgpu.inventory.observed import Observed
from gitgpu.model.names.kinds import APPLICATION, CLUSTER_POLICY, HELM_RELEASE, HELM_VALUES
from gitgpu.model.names.labels import AGENTPOOL_LABEL, NODEPOOL_LABEL
from gitgpu.objects.objects import Identity, identity
from gitgpu.plan.decided.cluster import ClusterPlan

_SOFTWARE = ("DaemonSet", CLUSTER_POLICY.kind, HELM_RELEASE.kind, APPLICATION.kind, HELM_VALUES.kind)


class Forecast(NamedTuple):
    """What runs on a cluster, and what its fleet writes for it."""

    view: View
    plan: ClusterPlan
    manifests: Sequence[Manifest]

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
        """The pools whose nodes an object of the output selects by name."""
        by_karpenter, agents = (set(_selected(body, key)) for key in (NODEPOOL_LABEL, AGENTPOOL_LABEL))
        return tuple(
            pool.name
            for pool in self.plan.pools
            if (pool.node_pool.name in agents if pool.node_pool else pool.name in by_karpenter)
        )

    def pools_with(self, *drivers: str) -> tuple[str, ...]:
        """The pools with one of these drivers."""
        return tuple(pool.name for pool in self.plan.pools if pool.driver in drivers)


def _selected(value: Any, key: str) -> Iterator[str]:
    """The values of a label that an affinity or node selector in an object asks for."""
    if isinstance(value, list):
        for entry in value:
            yield from _selected(entry, key)
    elif isinstance(value, Mapping):
        if value.get("key") == key:
            yield from map(str, list_at(value, "values"))
        if key in value:
            yield str(value[key])
        for entry in value.values():
            yield from _selected(entry, key)
