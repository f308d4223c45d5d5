"""What the Cluster of an AKS Automatic cluster needs: a namespace that AKS lets others write to."""

from gitgpu.access import reach, text_at
from gitgpu.adopt.adoption import Inferred, SpecDocument
from gitgpu.inventory.observed import ObservedCluster
from gitgpu.load.spec.unfilled import NOT_IN_INPUT
from gitgpu.model.catalog import Catalog
from gitgpu.model.decode import NAMESPACES
from gitgpu.model.names.kinds import FLUX_KUSTOMIZATION, GIT_REPOSITORY, group_kind

_KEY = ("spec", "delivery", "namespace")
_PLACEHOLDER = "gitops"
_MISSING = f"{NOT_IN_INPUT}a namespace that AKS Automatic lets Flux write to: create one, and set its name"
_FOUND = "the objects of Flux are in it, and AKS Automatic protects the default"


def with_writable_namespace(
    document: SpecDocument, seen: ObservedCluster, fleet: SpecDocument, catalog: Catalog
) -> tuple[SpecDocument, list[Inferred]]:
    """The Cluster with a namespace for its delivery objects, if AKS Automatic protects that of the Fleet."""
    if seen.azure.sku != "automatic":
        return document, []
    protected = catalog.must("admission", "aks-automatic")["protectedNamespaces"]
    own = reach(document.spec, "delivery") or {}
    delivery = {**fleet.spec["delivery"], **own}
    if delivery.get("namespace", NAMESPACES[delivery["engine"]]) not in protected:
        return document, []
    found = _namespaces(seen).difference(protected)
    only = found.pop() if len(found) == 1 else ""
    inferred = Inferred((document.kind, document.name), _KEY, _FOUND if only else _MISSING, not only)
    spec = {**document.spec, "delivery": {**own, "namespace": only or _PLACEHOLDER}}
    return document._replace(spec=spec), [inferred]


def _namespaces(seen: ObservedCluster) -> set[str]:
    """The namespaces of the Flux objects that deliver to the cluster."""
    bodies = (observed.body for observed in seen.objects)
    flux = (body for body in bodies if group_kind(body) in (GIT_REPOSITORY, FLUX_KUSTOMIZATION))
    return {text_at(body, "metadata", "namespace") for body in flux} - {""}
