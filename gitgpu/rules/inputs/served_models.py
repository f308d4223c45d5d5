"""The models that KAITO runs, with their clusters and pools."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from gitgpu.model.catalog import Facts
from gitgpu.model.fleet import Cluster, Model, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.kaito import CHART, release
from gitgpu.rules.fleet_rule import Finding
from gitgpu.rules.inputs.scaled_workloads import clusters_with
from gitgpu.source import Pointer

POOLS: Pointer = ("spec", "pools")
Fault: TypeAlias = tuple[Pointer, str, str]  # the place, the message and the remedy


class ServedModel(NamedTuple):
    """A model on a cluster, its pools there, and the catalog's row on the cluster's KAITO (None if there is none)."""

    model: Model
    cluster: Cluster
    pools: tuple[Pool, ...]
    row: Facts | None
    inputs: Inputs

    @property
    def on_add_on(self) -> bool:
        """Whether AKS installs KAITO as an add-on, which creates its own nodes."""
        return self.cluster.stack.kaito == "addon"

    def place(self, *path: str | int) -> Pointer:
        """The place of a key of the model's task."""
        return ("spec", self.model.task, *path)


def served_models(inputs: Inputs) -> Iterator[ServedModel]:
    """Every model on every cluster that has one of its pools."""
    for model in inputs.models:
        pools = inputs.pools_of(model)
        for cluster in clusters_with(inputs, pools):
            pools_here = tuple(pool for pool in pools if cluster.name in pool.clusters)
            yield ServedModel(model, cluster, pools_here, release(cluster, inputs.catalog_for(cluster)), inputs)


def findings(inputs: Inputs, test: Callable[[ServedModel, Facts], Iterable[Fault]]) -> Iterator[Finding]:
    """The faults that `test` yields for each model and the KAITO of its cluster, each once for all its clusters.

    A KAITO in a version that is not in the catalog is not tested.
    """
    reported = set()
    for served in served_models(inputs):
        has_known_version = served.on_add_on or inputs.knows_version(served.cluster, CHART)
        if not served.row or not has_known_version:
            continue
        origin = served.model.origin
        for place, message, remedy in test(served, served.row):
            key = (origin.ref, origin.place_of(place), message)
            if key not in reported:
                reported.add(key)
                yield Finding(origin, place, message, remedy, served.row)
