"""What AKS Automatic needs in a fleet: a namespace to deliver to, and namespaces that its safeguards exclude."""

from collections.abc import Collection

from gitgpu.access import reach, text_at
from gitgpu.adopt.adoption import Adopted, ClusterDocument, Inferred, SpecDocument
from gitgpu.inventory.observed import ObservedCluster
from gitgpu.load.spec.unfilled import NOT_IN_INPUT, todo
from gitgpu.model.catalog import Catalog
from gitgpu.model.decode import NAMESPACES
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.kinds import FLUX_KUSTOMIZATION, GIT_REPOSITORY, group_kind
from gitgpu.rules.inputs.automatic import refused_fabric, refused_software
from gitgpu.spelling import join_names

_KEY = ("spec", "delivery", "namespace")
_PLACEHOLDER = "gitops"
_MISSING = f"{NOT_IN_INPUT}a namespace that AKS Automatic lets Flux write to: create one, and set its name"
_SAFEGUARDS = ("spec", "safeguards")
_ABOVE = ("region", "kubernetesVersion", "provisioner", "sku")  # the keys of a Cluster before these
_EXCLUDED = (
    f"{NOT_IN_INPUT}the excluded namespaces: pass the output of `az aks safeguards show`, or complete the list. "
    "AKS Automatic accepts {} only in an excluded namespace"
)
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


def with_safeguards(fleet: Adopted, inputs: Inputs | None, unknown: Collection[str]) -> Adopted:
    """The fleet with the namespaces that its software needs, on clusters whose excluded namespaces are `unknown`.

    The software runs, so they are excluded, but others may be too, and a build excludes only those in the spec.
    """
    if inputs is None:
        return fleet
    documents, inferred = list(fleet.documents), list(fleet.inferred)
    for cluster in inputs.clusters_named(unknown):
        needed: dict[str, str] = {}
        for pool in inputs.pools_on(cluster):
            needed |= refused_software(inputs, cluster, pool) | refused_fabric(inputs, cluster, pool)
        if needed:
            reason = _EXCLUDED.format(join_names(list(needed.values())))
            inferred.append(Inferred(("Cluster", cluster.name), _SAFEGUARDS, reason, missing=True))
            documents = [_with_excluded(entry, cluster.name, sorted(needed), reason) for entry in documents]
    return fleet._replace(documents=tuple(documents), inferred=tuple(inferred))


def _with_excluded(entry: ClusterDocument, name: str, namespaces: list[str], reason: str) -> ClusterDocument:
    document = entry.document
    if (document.kind, document.name) != ("Cluster", name):
        return entry
    above = {key: value for key, value in document.spec.items() if key in _ABOVE}
    spec = {**above, "safeguards": {"excludedNamespaces": namespaces}, **document.spec}
    comments = {**document.comments, _SAFEGUARDS: todo(reason)}
    return entry._replace(document=document._replace(spec=spec, comments=comments))


def _namespaces(seen: ObservedCluster) -> set[str]:
    """The namespaces of the Flux objects that deliver to the cluster."""
    bodies = (observed.body for observed in seen.objects)
    flux = (body for body in bodies if group_kind(body) in (GIT_REPOSITORY, FLUX_KUSTOMIZATION))
    return {text_at(body, "metadata", "namespace") for body in flux} - {""}
