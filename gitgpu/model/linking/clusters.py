"""The clusters of a fleet, and which of them a list of names or matchLabels selects."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.load.spec.shape import Document
from gitgpu.model.decode import origin
from gitgpu.model.fleet import Cluster
from gitgpu.model.spec.origin import Layer


class Clusters(NamedTuple):
    """The valid clusters, the names that may be referred to, and whether all clusters are valid.

    `defaults` are the layers of default values for the pools of each cluster, highest precedence first. `alike` is, for
    each cluster, the first one whose defaults have the same values.
    """

    sound: Sequence[Cluster]
    names: set[str]
    whole: bool
    defaults: Mapping[str, tuple[Layer, ...]]
    alike: Mapping[str, str]

    def select(self, wanted: Any) -> set[str]:
        """The names of the clusters that a selector names, or that have its labels."""
        if isinstance(wanted, list):
            return set(wanted) & self.defaults.keys()
        labels = wanted["matchLabels"].items()
        return {cluster.name for cluster in self.sound if labels <= cluster.labels.items()}


def same_defaults(defaults: Mapping[str, tuple[Layer, ...]]) -> dict[str, str]:
    """For each cluster the first one, in order of name, whose pools have the same default values."""
    first: dict[str, str] = {}
    alike: dict[str, str] = {}
    for name, layers in sorted(defaults.items()):
        # As text, because the values have no hash.
        values = repr([layer.values for layer in layers])
        alike[name] = first.setdefault(values, name)
    return alike


def pool_defaults(cluster: Document, fleet: Document) -> tuple[Layer, ...]:
    """The defaults of a cluster's pools, highest precedence first: from the Cluster, then from the Fleet.

    GpuPool.spec.overrides and GpuPool.spec have precedence over these, and these over the defaults of the schema.
    """
    shared = fleet.data["spec"].get("defaults", {}).get("pool", {})
    layers = (
        Layer(origin(cluster), ("spec", "pool"), cluster.data["spec"].get("pool", {})),
        Layer(origin(fleet), ("spec", "defaults", "pool"), shared),
    )
    return tuple(layer for layer in layers if layer.values)
