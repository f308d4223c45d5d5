"""A Kubernetes object to an inventory, without fields that only a server writes, and without secrets."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach, rows, text_at
from gitgpu.diagnostic import Diagnostic, Places, Severity
from gitgpu.inventory.agent_pools import STATES, PoolSource, agent_pool
from gitgpu.inventory.azure_facts import azure_facts, cluster_of, minor, node_groups_of
from gitgpu.inventory.finished import is_finished
from gitgpu.inventory.observed import DELETING, Azure, Inventory, Observed, ObservedCluster, Owner, Skipped
from gitgpu.inventory.owners import owner_of
from gitgpu.inventory.secrets import secret_places, without_secrets
from gitgpu.model.names.annotations import (
    AKS_NODE_CLASS_HASH_ANNOTATION,
    LAST_APPLIED_ANNOTATION,
    NODEPOOL_HASH_ANNOTATION,
)
from gitgpu.model.names.groups import CONTAINER_SERVICE_GROUP, GITGPU_GROUP, KARPENTER_AZURE_GROUP, KARPENTER_GROUP
from gitgpu.model.names.kinds import (
    AKS_NODE_CLASS,
    EVENT,
    MANAGED_CLUSTER,
    MANAGED_CLUSTERS_AGENT_POOL,
    NODE,
    NODE_POOL,
    SECRET,
    group_kind,
)
from gitgpu.objects.manifest.manifest_file import ItemPlaces
from gitgpu.objects.software.operands import is_operand
from gitgpu.source import Span

_NAME_IT = "set metadata: {name: NAME}, or pass the output of `kubectl get -o yaml`"
_OF_SERVER = frozenset({
    "creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "finalizers", "generation", "managedFields",
    "resourceVersion", "selfLink", "uid",
})  # fmt: skip
_NOTES_OF_SERVER = (
    LAST_APPLIED_ANNOTATION,
    "deployment.kubernetes.io/revision",
    NODEPOOL_HASH_ANNOTATION,
    "karpenter.sh/nodepool-hash-version",
    AKS_NODE_CLASS_HASH_ANNOTATION,
    "karpenter.azure.com/aksnodeclass-hash-version",
)
POOLS = (NODE_POOL, AKS_NODE_CLASS, MANAGED_CLUSTERS_AGENT_POOL)
_NO_METADATA: tuple[Any, ...] = (None, {}, {"creationTimestamp": None})  # for a template, as servers print it
_CLOUDS = {
    "karpenter.k8s.aws": "AWS",
    "karpenter.k8s.gcp": "Google Cloud",
    "karpenter.k8s.alibabacloud": "Alibaba Cloud",
}
_PASSED = {
    SECRET: "Secrets are never read",
    ("", "Config"): "a kubeconfig, which contains credentials",
    NODE: "a node: gitgpu reads its pool instead",
    EVENT: "an event, not a part of the cluster's configuration",
    ("events.k8s.io", "Event"): "an event, not a part of the cluster's configuration",
    ("kustomize.config.k8s.io", "Kustomization"): "a Kustomize input, not a cluster object",
    ("kustomize.config.k8s.io", "Component"): "a Kustomize input, not a cluster object",
}


class Source(NamedTuple):
    """Where an object was read: the format, its name in the document ("" for KIND/NAME), and what applies it."""

    name: str
    label: str = ""
    owner: Owner = Owner()


def observed_object(body: Mapping[str, Any], places: Places, source: Source) -> Inventory:
    """The inventory of an object, in the cluster that it names. Most objects name no cluster."""
    meta = body.get("metadata")
    parts = filter(None, (body["kind"], text_at(meta, "namespace"), text_at(meta, "name")))
    name = source.label or "/".join(parts)
    reason = _why_passed(body) or _why_ended(body)
    if reason:
        return Inventory(_node_cluster(body, places), (Skipped(name, places.span(), reason),))
    if _is_of_other_controller(*group_kind(body)):
        return _unread_pool(name, places.span())
    if group_kind(body) in POOLS and not text_at(meta, "name"):
        return _nameless_pool(body["kind"], places)
    kept, skipped = without_secrets(body, name, places)
    stripped = desired_state(kept)
    uid = text_at(meta, "uid")
    observed = Observed(stripped, places, name, source.name, source.owner, is_live(body), uid=uid)
    hidden = tuple(place for place in secret_places(body) if place[0] == "spec") if skipped else ()
    image = text_at(body, "status", "nodeImageVersion") if group_kind(body) == MANAGED_CLUSTERS_AGENT_POOL else ""
    observed = observed._replace(state=_state(body), hidden=hidden, image=image)
    if group_kind(body) in POOLS:
        observed = observed._replace(created=text_at(meta, "creationTimestamp"), exported=_is_exported(body, places))
    if not observed.owner.tool:
        observed = observed._replace(owner=owner_of(body))
    group, _ = group_kind(body)
    if group == CONTAINER_SERVICE_GROUP:
        cluster = _azure_cluster(observed, mapping_at(body, "status"))
    else:
        cluster = ObservedCluster("", Azure(classes_version=_version(body)), (observed,))
    return Inventory((cluster,), skipped)


def _state(body: Mapping[str, Any]) -> str:
    """The state of an object: whether it is being deleted, or a node pool of Azure Service Operator has failed."""
    if text_at(body, "metadata", "deletionTimestamp"):
        return DELETING
    is_pool = group_kind(body) == MANAGED_CLUSTERS_AGENT_POOL
    return STATES.get(text_at(body, "status", "provisioningState").lower(), "") if is_pool else ""


def _version(body: Mapping[str, Any]) -> str | None:
    """The Kubernetes version of the cluster, which Karpenter writes to the status of an AKSNodeClass."""
    is_node_class = group_kind(body) == AKS_NODE_CLASS
    return minor(text_at(body, "status", "kubernetesVersion")) if is_node_class else None


def _unread_pool(name: str, place: Span) -> Inventory:
    message = f"{name} describes a node pool for another controller: it is not read"
    remedy = "pass the output of `az aks nodepool list -o json` as well"
    unread = Diagnostic("IMP010", Severity.WARNING, message, remedy, place)
    return Inventory((), (Skipped(name, place, "a node pool of another controller"),), (unread,))


def _nameless_pool(kind: str, places: Places) -> Inventory:
    """The fault of a pool without a name, which no server accepts: nothing could refer to it."""
    place = places.span(("metadata",))
    fault = Diagnostic("IMP009", Severity.ERROR, f"this {kind} has no name, so it is not read", _NAME_IT, place)
    return Inventory((), (Skipped(kind, place, "it has no name"),), (fault,))


def desired_state(body: Mapping[str, Any]) -> dict[str, Any]:
    """An object without status and without the metadata that a server or a tool writes."""
    result = {key: value for key, value in body.items() if key != "status"}
    meta = body.get("metadata")
    if isinstance(meta, dict):
        kept = {key: value for key, value in meta.items() if key not in _OF_SERVER}
        notes = meta.get("annotations")
        if isinstance(notes, dict):
            kept["annotations"] = {key: value for key, value in notes.items() if key not in _NOTES_OF_SERVER}
        result["metadata"] = {key: value for key, value in kept.items() if value not in ({}, None)}
    template = reach(body, "spec", "template")
    if isinstance(template, dict) and template.get("metadata", body) in _NO_METADATA:
        result["spec"] = {
            **body["spec"],
            "template": {key: item for key, item in template.items() if key != "metadata"},
        }
    return result


def is_live(body: Mapping[str, Any]) -> bool:
    """Whether the object was printed by an API server."""
    meta = body.get("metadata")
    return bool(text_at(meta, "uid") or text_at(meta, "resourceVersion"))


def _is_exported(body: Mapping[str, Any], places: Places) -> bool:
    """Whether a program printed the object: it has something that only a server writes, or is an item of a list."""
    meta = body.get("metadata")
    written = "status" in body or any(key in _OF_SERVER for key in (meta if isinstance(meta, dict) else ()))
    return written or isinstance(places, ItemPlaces)


def _node_cluster(body: Mapping[str, Any], places: Places) -> tuple[ObservedCluster, ...]:
    """The cluster of a node, or of what Karpenter creates nodes with: it is identified by where they are in Azure."""
    provider_id = reach(body, "spec" if group_kind(body) == NODE else "status", "providerID")
    groups = node_groups_of(provider_id)
    return (ObservedCluster("", Azure(span=places.span(), node_groups=groups), ()),) if groups else ()


def _why_passed(body: Mapping[str, Any]) -> str:
    """Why an object cannot be adopted; "" if it can."""
    group, kind = group_kind(body)
    if group == GITGPU_GROUP:
        return "a document of a spec, not of a running cluster; `--out` names the directory of the fleet"
    if (group, kind) in _PASSED:
        return _PASSED[group, kind]
    if group in _CLOUDS:
        return f"for {_CLOUDS[group]}, not for Azure"
    reference = reach(body, "spec", "template", "spec", "nodeClassRef")
    class_group = text_at(reference, "group") or text_at(reference, "apiVersion").partition("/")[0]
    if group == KARPENTER_GROUP and class_group and class_group != KARPENTER_AZURE_GROUP:
        return f"its nodes have a node class for {_CLOUDS.get(class_group, class_group)}, not for Azure"
    return "" if group == CONTAINER_SERVICE_GROUP or is_operand(body) else _why_created(body)


def _why_created(body: Mapping[str, Any]) -> str:
    """Why an object that another one controls cannot be adopted; "" if none does."""
    makers = [entry for entry in rows(body.get("metadata"), "ownerReferences") if entry.get("controller") is True]
    owner = text_at(makers[0], "kind") if makers else ""
    if owner and group_kind(body) in POOLS:
        return f"{owner} {text_at(makers[0], 'name')} creates and manages it"
    return f"created by a {owner}, read from there if passed" if makers else ""


def _why_ended(body: Mapping[str, Any]) -> str:
    """Why an object is not running for long; "" if it is, and for pools: running nodes depend on them."""
    if _state(body) == DELETING and group_kind(body) not in POOLS:
        return DELETING
    return "it has finished, and never runs again" if is_finished(body) else ""


def _is_of_other_controller(group: str, kind: str) -> bool:
    """Whether it is a node pool of Cluster API or Crossplane, which do not use Azure's names."""
    crossplane = group.startswith("containerservice.azure.") and kind == "KubernetesClusterNodePool"
    return crossplane or (group, kind) == ("infrastructure.cluster.x-k8s.io", "AzureManagedMachinePool")


def _azure_cluster(observed: Observed, status: Mapping[str, Any]) -> ObservedCluster:
    """The cluster that an object of Azure Service Operator describes, or belongs to. `status` is what runs in Azure."""
    _, kind = group_kind(observed.body)
    spec = observed.body.get("spec")
    resource, name = cluster_of(reach(spec, "owner", "armId"))
    if kind == MANAGED_CLUSTERS_AGENT_POOL.kind:
        resource = resource or cluster_of(status.get("id")).resource_id
        name = name or text_at(spec, "owner", "name")
        return ObservedCluster(name, Azure(resource_id=resource or None), (observed,))
    if kind != MANAGED_CLUSTER.kind or not isinstance(spec, dict):
        return ObservedCluster(name, Azure(), (observed,))
    name = text_at(spec, "azureName") or text_at(observed.body, "metadata", "name")
    span = observed.places.span()
    pools = []
    for number, pool in enumerate(list_at(spec, "agentPoolProfiles")):
        if text_at(pool, "name"):
            read = agent_pool(text_at(pool, "name"), pool, "", _inside(observed, number))
            above = ("spec", "agentPoolProfiles", number)
            hidden_places = tuple(place for place in observed.hidden if place[: len(above)] == above)
            pools.append(read._replace(hidden=(*read.hidden, *hidden_places)))
    resource = cluster_of(status.get("id")).resource_id
    return ObservedCluster(name, azure_facts({**spec, **status}, resource or None, span), (observed, *pools))


def _inside(observed: Observed, index: int) -> PoolSource:
    pointer = ("spec", "agentPoolProfiles", index)
    label = f"{observed.name}: agentPoolProfiles[{index}]"
    return PoolSource(observed.source, observed.places, pointer, label, observed.owner, observed.live)
