"""The objects that a build would write for a cluster, with their places in the spec."""

from collections.abc import Iterator

from gitgpu.diagnose.of_fleet import FleetObject
from gitgpu.emit import emit, emitters
from gitgpu.emit.manifest import Role
from gitgpu.emit.places import rebase
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.patch import apply_patches
from gitgpu.patch.scope import namespace_of
from gitgpu.plan.cluster_plan import plan
from gitgpu.simulate.explain.spec_terms import SpecTerms
from gitgpu.source import SourceMap


def fleet_objects(inputs: Inputs, cluster: Cluster) -> Iterator[FleetObject]:
    """Everything that the fleet has for a cluster, but what a person applies by hand."""
    planned = plan(inputs, cluster)
    pools, workloads = inputs.pools_on(cluster), inputs.workloads_on(cluster)
    terms = {pool.origin.mark: SpecTerms(pool.origin.places, pool.retire) for pool in pools}
    terms |= {workload.origin.mark: SpecTerms(workload.origin.places) for workload in workloads}
    for manifest in apply_patches(emit(planned, emitters()), planned).manifests:
        if not manifest.layer.by_hand:
            origin = manifest.origin
            places = rebase(manifest.places, terms.get(origin) or SourceMap.of(origin.span))
            key = manifest.ref.kind, namespace_of(manifest), manifest.ref.name
            yield FleetObject(key, manifest.body, origin.ref, places, manifest.role is Role.PATCH)
