"""Running objects of Flux or Argo CD that the fleet would replace, because another fleet or a person wrote them."""

from collections.abc import Iterator

from gitgpu.adopt.compiled import Output
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.emit.manifest import Layer
from gitgpu.inventory.observed import ObservedCluster
from gitgpu.objects.delivery.targets import target_of
from gitgpu.objects.objects import identity

_REMEDY = "set a different metadata.name in the Fleet: its objects are named after it"


def replaced_delivery(running: ObservedCluster, output: Output) -> Iterator[Diagnostic]:
    """A warning for each object of a running cluster that delivers something else than one of that name in `sync/`."""
    observed_by_identity = {identity(observed.body): observed for observed in running.objects}
    for manifest in output.manifests:
        observed = observed_by_identity.get(identity(manifest.body)) if manifest.layer is Layer.SYNC else None
        if observed is None:
            continue
        was, now = target_of(observed.body) or {}, target_of(manifest.body) or {}
        changed = [path for path, value in now.items() if was.get(path) != value]
        if changed:
            message = f"{observed.name} is on cluster {running.name} with a different {' and '.join(changed)}"
            span = observed.places.span()
            yield Diagnostic("IMP021", Severity.WARNING, f"{message}: the fleet would replace it", _REMEDY, span)
