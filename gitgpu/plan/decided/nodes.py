"""Decisions about nodes that Karpenter does not create, and the labels that identify nodes."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.model.aks_api import OLDEST_API


class CliPlan(NamedTuple):
    """What the Azure CLI needs to create a node pool.

    `version` is the oldest one that has the options, None if any has; `extension` whether it needs aks-preview.
    `unsupported` are fields of Azure's API without an option: such a pool is created by calling the API.
    """

    version: str | None = None
    extension: bool = False
    unsupported: tuple[str, ...] = ()


class SizePlan(NamedTuple):
    """A size of a pool of single virtual machines, with its own number of nodes."""

    name: str
    minimum: int
    maximum: int

    @property
    def is_fixed(self) -> bool:
        """Whether the number of nodes is fixed: the autoscaler scales the other sizes only."""
        return self.minimum == self.maximum


class NodePoolPlan(NamedTuple):
    """An AKS node pool as Azure's API describes it, decided once for every form in which it is written.

    `sizes` are those of a pool of single virtual machines, () for a scale set, which has `size`. `minimum` and
    `maximum` are equal if the number of nodes is fixed; a pool that `retires` only shrinks.
    `os_sku`, `disk_gb`, `disk_type`, `max_pods` and `mig` are None if AKS decides; `gpu`, `kubelet` and `linux` have
    the keys of Azure's GPUProfile, KubeletConfig and LinuxOSConfig. `encrypted` is encryption at host. `api` is the
    oldest version of Azure's API that has everything the pool uses. `mode` is User or System. `eviction` and
    `max_price`, in US dollars an hour, are for spot machines. `settings` has other properties of Azure's agentPools
    under their names there, with messageOfTheDay as plain text. `node_image` is the oldest node image whose driver
    works, such as 202606.08.1; None if any does. `by_operator` says whether Azure Service Operator can create it; its
    object omits the properties `omitted`, which have their defaults and are newer than its version.
    """

    name: str
    size: str
    windows: bool
    os_sku: str | None
    minimum: int
    maximum: int
    retires: bool
    gpu: Mapping[str, Any]
    mig: str | None
    spot: bool
    labels: Mapping[str, str]
    taints: tuple[str, ...]
    tags: Mapping[str, str]
    zones: tuple[str, ...]
    disk_gb: int | None
    disk_type: str | None
    streams: bool
    fips: bool
    max_pods: int | None
    kubelet: Mapping[str, Any]
    linux: Mapping[str, Any]
    encrypted: bool
    subnet: str | None
    reservation: str | None
    node_image: str | None
    mode: str
    eviction: str
    max_price: float
    settings: Mapping[str, Any]
    api: str = OLDEST_API
    cli: CliPlan = CliPlan()
    sizes: tuple[SizePlan, ...] = ()
    by_operator: bool = True
    omitted: frozenset[str] = frozenset()

    @property
    def is_fixed(self) -> bool:
        """Whether the number of nodes is fixed, so that no autoscaler is needed."""
        return self.minimum == self.maximum


class Nodes(NamedTuple):
    """Nodes by a label and its values that are also among all of `within`, and in none of `without`.

    Without values, they are all nodes that have the label.
    """

    label: str
    values: tuple[str, ...]
    without: tuple["Nodes", ...] = ()
    within: tuple["Nodes", ...] = ()
