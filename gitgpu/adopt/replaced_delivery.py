"""Running objects of Flux or Argo CD that the fleet would replace, because another fleet or a person wrote them."""

from collections.abc import Iterable, Iterator

from gitgpu.adopt.clusters import ClusterOptions, cluster_name
from gitgpu.adopt.compiled import all_manifests
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.inventory.observed import ObservedCluster
from gitgpu.model.inputs import Inputs
from gitgpu.objects.delivery.targets import target_of
from gitgpu.objects.objects import identity

_REMEDY = "set a different metadata.name in the Fleet: its objects are named after it"


def replaced_delivery(
    clusters: Iterable[ObservedCluster], options: ClusterOptions, inputs: Inputs
) -> Iterator[Diagnostic]:
    """A warning for each object of running clusters that delivers something else than one of that name in `sync/`."""
    named = {cluster.name: cluster for cluster in inputs.clusters}
    for running in clusters:
        cluster = named.get(cluster_name(running, options))
        if cluster and any(target_of(observed.body) for observed in running.objects):
            yield from _replaced(running, all_manifests(inputs, cluster))


def _replaced(running: ObservedCluster, manifests: Iterable[Manifest]) -> Iterator[Diagnostic]:
    observed_by_identity = {identity(observed.body): observed for observed in running.objects}
    for manifest in manifests:
        observed = observed_by_identity.get(identity(manifest.body)) if manifest.layer is Layer.SYNC else None
        if observed is None:
            continue
        was, now = target_of(observed.body) or {}, target_of(manifest.body) or {}
        changed = [path for path, value in now.items() if was.get(path) != value]
        if changed:
            message = f"{observed.name} is on cluster {running.name} with a different {' and '.join(changed)}"
            span = observed.places.span()
            yield Diagnostic("IMP021", Severity.WARNING, f"{message}: the fleet would replace it", _REMEDY, span)
