"""Why Karpenter ignores a pod: it never starts a node for it, regardless of the NodePools.

The conditions are those of Validate in pkg/controllers/provisioning/provisioner.go and of add in
pkg/controllers/provisioning/scheduling/scheduler.go of kubernetes-sigs/karpenter v1.14.0.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.model.names.kinds import NODE
from gitgpu.model.names.labels import HOSTNAME_LABEL, NODEPOOL_LABEL
from gitgpu.model.syntax.requirement import Requirements
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.node_constraints import RequiredLabel, required_labels
from gitgpu.objects.workload.pods import REQUIRED, Pod
from gitgpu.objects.workload.resource_claims import claim_names
from gitgpu.simulate.pod.resource_claims import is_served
from gitgpu.simulate.pod.volumes import storage_of
from gitgpu.source import Pointer


class Where(StrEnum):
    """Nodes on which kube-scheduler may place a pod that Karpenter ignores."""

    ONCE_UP = "nodes that Karpenter starts for other pods"
    EXISTING = "nodes that exist"
    OTHER_POOLS = "new nodes of AKS node pools"


_ANYWHERE = frozenset(Where)
_NOWHERE = frozenset[Where]()


class Ignored(NamedTuple):
    """Why Karpenter ignores a pod: the kind of the reason, what is wrong, what to do, and the place in the object.

    `allowed` says where kube-scheduler may place it nevertheless.
    """

    kind: str
    message: str
    help: str
    place: Pointer
    allowed: frozenset[Where] = _ANYWHERE


def ignored_reason(pod: Pod, wants: Requirements, objects: Objects) -> Ignored | None:
    """Why Karpenter ignores the pod; None if it does not. `wants` are its labels with its heaviest preference."""
    return next(_reasons(pod, wants, objects), None)


def _reasons(pod: Pod, wants: Requirements, objects: Objects) -> Iterator[Ignored]:
    if pod.spec.get("resourceClaims") or any(True for _ in claim_names(pod)):
        message = "the pod has resourceClaims, but Karpenter on AKS does not start nodes for such pods"
        remedy = "request nvidia.com/gpu in limits, or use a pool of the cluster autoscaler"
        # What a node that is not up yet will report is unknown; without a driver, a node reports nothing.
        allowed = frozenset({Where.OTHER_POOLS, *([Where.EXISTING] if is_served(objects) else [])})
        yield Ignored("claim", message, remedy, (*pod.pointer, "resourceClaims"), allowed)
    if fields := _fields(pod):
        message = "Karpenter ignores a pod whose required node affinity uses matchFields"
        named = any(_names_node(term, objects) for term in reach(pod.spec, *REQUIRED))
        yield Ignored("label", message, "use matchExpressions", fields, _ANYWHERE if named else _NOWHERE)
    for label in required_labels(pod):
        if _is_restricted(label.key, objects):
            message = f"Karpenter ignores a pod whose required node labels contain {label.key}, with any operator"
            yield Ignored("label", message, f"remove {label.key} from the pod", label.place)
        elif wrong := _unknown_values(label, objects):
            message = f"Karpenter ignores a pod that requires {label.key} of {wrong}, which is not a value of it"
            yield Ignored("label", message, "correct the value", label.place)
    if unusable := storage_of(pod, objects).wrong:
        text, place = unusable
        yield Ignored("volume", text, "correct the claim, or wait until its volume is bound", place, _NOWHERE)
    if NODEPOOL_LABEL in wants and wants[NODEPOOL_LABEL].operator == "DoesNotExist":
        message = f"Karpenter ignores a pod that requires or prefers nodes without the label {NODEPOOL_LABEL}"
        yield Ignored("label", message, f"remove the expression with {NODEPOOL_LABEL}", (*pod.pointer, "affinity"))


def _fields(pod: Pod) -> Pointer:
    """The first matchFields of its required node affinity; () if there is none."""
    terms = enumerate(reach(pod.spec, *REQUIRED) or ())
    return next(((*pod.pointer, *REQUIRED, at, "matchFields") for at, term in terms if reach(term, "matchFields")), ())


def _names_node(term: Mapping[str, Any] | None, objects: Objects) -> bool:
    """Whether a node of the input may meet a term: none does if matchFields names only other nodes."""
    for field in filter(None, reach(term, "matchFields") or ()):
        names = field.get("values") or ()
        if field.get("operator") == "In" and not any(objects.by_name(*NODE, str(name)) for name in names):
            return False
    return True


def _is_restricted(key: str, objects: Objects) -> bool:
    """Whether Karpenter reserves the label (IsRestrictedLabel in pkg/apis/v1/labels.go)."""
    facts = objects.catalog.must("placement", "aks")
    domain = key.partition("/")[0] if "/" in key else ""
    reserved = any(domain == name or domain.endswith(f".{name}") for name in facts["restricted"])
    return key == HOSTNAME_LABEL or (reserved and key not in facts["wellKnown"])


def _unknown_values(label: RequiredLabel, objects: Objects) -> str:
    """The values of an In, if Karpenter knows all values of the label, and these are not among them."""
    if label.operator != "In":
        return ""
    values = [value for _, value in label.values]
    for row in objects.catalog.must("labels", "karpenter")["values"]:
        if row["key"] == label.key and row["checked"] and not set(values) & set(row["values"]):
            return ", ".join(values)
    return ""
