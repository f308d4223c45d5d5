"""The objects that a build would write for a cluster, with their places in the spec."""

from collections.abc import Iterator, Mapping

from gitgpu.diagnose.of_fleet import FleetObject
from gitgpu.diagnostic import Places
from gitgpu.emit import emit, emitters
from gitgpu.emit.manifest import Manifest, Role
from gitgpu.emit.places import rebase
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import SpecObject
from gitgpu.patch import apply_patches
from gitgpu.patch.scope import namespace_of
from gitgpu.plan.cluster_plan import plan
from gitgpu.simulate.explain.spec_terms import SpecTerms
from gitgpu.source import SourceMap


def fleet_objects(inputs: Inputs, cluster: Cluster) -> Iterator[FleetObject]:
    """Everything that the fleet has for a cluster, but what a person applies by hand."""
    planned = plan(inputs, cluster)
    terms = spec_terms(inputs, cluster)
    for manifest in apply_patches(emit(planned, emitters()), planned).manifests:
        if not manifest.layer.by_hand:
            key = manifest.ref.kind, namespace_of(manifest), manifest.ref.name
            places = places_of(manifest, terms)
            yield FleetObject(key, manifest.body, manifest.origin.ref, places, manifest.role is Role.PATCH)


def spec_terms(inputs: Inputs, cluster: Cluster) -> dict[SpecObject, SpecTerms]:
    """The documents of the cluster's pools and workloads by object."""
    pools, workloads = inputs.pools_on(cluster), inputs.workloads_on(cluster)
    terms = {pool.origin.mark: SpecTerms(pool.origin.places, pool.retire) for pool in pools}
    return terms | {workload.origin.mark: SpecTerms(workload.origin.places) for workload in workloads}


def places_of(manifest: Manifest, terms: Mapping[SpecObject, SpecTerms]) -> Places:
    """The places of a manifest in the spec that it comes from."""
    origin = manifest.origin
    return rebase(manifest.places, terms.get(origin) or SourceMap.of(origin.span))
