"""The models that KAITO runs, with their clusters and pools."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from gitgpu.model.catalog import Facts
from gitgpu.model.fleet import Cluster, Model, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.kaito import CHART, release
from gitgpu.rules.fleet_rule import Finding
from gitgpu.rules.inputs.scaled_workloads import clusters_with
from gitgpu.source import Pointer

POOLS: Pointer = ("spec", "pools")


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


Fault = tuple[Pointer, str, str]


def served_models(inputs: Inputs) -> Iterator[ServedModel]:
    """Every model on every cluster that has one of its pools."""
    for model in inputs.models:
        pools = inputs.pools_of(model)
        for cluster in clusters_with(inputs, pools):
            here = tuple(pool for pool in pools if cluster.name in pool.clusters)
            yield ServedModel(model, cluster, here, release(cluster, inputs.catalog_for(cluster)), inputs)


def findings(inputs: Inputs, test: Callable[[ServedModel, Facts], Iterable[Fault]]) -> Iterator[Finding]:
    """The faults that `test` yields for each model and the KAITO of its cluster, each once for all its clusters.

    A KAITO in a version that is not in the catalog is not tested.
    """
    reported = set()
    for model in served_models(inputs):
        has_known_version = model.on_add_on or inputs.knows_version(model.cluster, CHART)
        if not model.row or not has_known_version:
            continue
        for place, message, remedy in test(model, model.row):
            key = (model.model.origin.ref, model.model.origin.place_of(place), message)
            if key not in reported:
                reported.add(key)
                yield Finding(model.model.origin, place, message, remedy, model.row)
