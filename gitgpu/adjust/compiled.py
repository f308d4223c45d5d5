"""The clusters of a fleet that have values or patches, compiled."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.emit import emit, emitters
from gitgpu.emit.chart.releases import Release, releases
from gitgpu.model.inputs import Inputs
from gitgpu.patch import Patched, apply_patches
from gitgpu.patch.scope import Scope, scopes
from gitgpu.plan.cluster_plan import plan
from gitgpu.plan.decided.cluster import ClusterPlan


class Compiled(NamedTuple):
    """A cluster: its plan, its patches, the releases of its charts, and its objects after the patches."""

    plan: ClusterPlan
    scopes: tuple[Scope, ...]
    releases: tuple[Release, ...]
    patched: Patched

    @property
    def name(self) -> str:
        """The name of the cluster."""
        return self.plan.cluster.name


def compiled_clusters(inputs: Inputs) -> Iterator[Compiled]:
    """The clusters with values or patches."""
    using = emitters()
    for cluster in inputs.clusters:
        if inputs.adjusts(cluster):
            decided = plan(inputs, cluster)
            objects = apply_patches(emit(decided, using), decided)
            yield Compiled(decided, tuple(scopes(decided)), tuple(releases(decided)), objects)
