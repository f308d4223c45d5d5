"""Decisions about the guard: what the API server lets pods with GPUs ask for."""

from collections.abc import Mapping
from typing import NamedTuple

from gitgpu.model.names.labels import AGENTPOOL_LABEL, LEGACY_AGENTPOOL_LABEL, NODEPOOL_LABEL
from gitgpu.model.spec.taint import Taint


class GuardedPool(NamedTuple):
    """The nodes of a pool: the labels that select them, their taints, and the most of each resource that one has.

    All of the labels have the same value. `teams` are those with a quota of the pool. `devices` are those that pods
    claim, by DeviceClass.
    """

    name: str
    labels: tuple[str, ...]
    value: str
    taints: tuple[Taint, ...]
    amounts: Mapping[str, int]
    teams: tuple[str, ...]
    devices: Mapping[str, int]


class Guard(NamedTuple):
    """What the guard of a cluster does, deny or warn, the team of each namespace, and the pools.

    With `queued`, pods with GPUs must have a queue of Kueue. With `claimed`, pods also request GPUs by claims: their
    number is not in the pod.
    """

    action: str
    teams: Mapping[str, str]
    pools: tuple[GuardedPool, ...]
    queued: bool

    @property
    def resources(self) -> tuple[str, ...]:
        """The resources of GPUs on the cluster."""
        return tuple(sorted({name for pool in self.pools for name in pool.amounts}))

    @property
    def classes(self) -> tuple[str, ...]:
        """The DeviceClasses of GPUs on the cluster: pods request these by claims, and their number is in the claim."""
        return tuple(sorted({name for pool in self.pools for name in pool.devices}))

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that select pools, also those that the fleet does not have: nodes have one of them."""
        return (AGENTPOOL_LABEL, LEGACY_AGENTPOOL_LABEL, NODEPOOL_LABEL)
