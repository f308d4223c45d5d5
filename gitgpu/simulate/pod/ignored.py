"""Why Karpenter ignores a pod: it never starts a node for it, regardless of the NodePools.

The conditions are those of Validate in pkg/controllers/provisioning/provisioner.go and of add in
pkg/controllers/provisioning/scheduling/scheduler.go of kubernetes-sigs/karpenter v1.14.0.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.model.names.labels import HOSTNAME_LABEL, NODEPOOL_LABEL
from gitgpu.model.syntax.requirement import Requirements
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.node_constraints import RequiredLabel, required_labels
from gitgpu.objects.workload.pods import Pod
from gitgpu.objects.workload.resource_claims import claim_names
from gitgpu.source import Pointer


class Ignored(NamedTuple):
    """Why Karpenter ignores a pod: the kind of the reason, what is wrong, what to do, and the place in the object."""

    kind: str
    message: str
    help: str
    place: Pointer


def ignored_reason(pod: Pod, wants: Requirements, objects: Objects) -> Ignored | None:
    """Why Karpenter ignores the pod; None if it does not. `wants` are its labels with its heaviest preference."""
    return next(_reasons(pod, wants, objects), None)


def _reasons(pod: Pod, wants: Requirements, objects: Objects) -> Iterator[Ignored]:
    if pod.spec.get("resourceClaims") or any(True for _ in claim_names(pod)):
        message = "the pod has resourceClaims, but Karpenter on AKS does not start nodes for such pods"
        remedy = "request nvidia.com/gpu in limits, or use a pool of the cluster autoscaler"
        yield Ignored("claim", message, remedy, (*pod.pointer, "resourceClaims"))
    for label in required_labels(pod):
        if _is_restricted(label.key, objects):
            message = f"Karpenter ignores a pod whose required node labels contain {label.key}, with any operator"
            yield Ignored("label", message, f"remove {label.key} from the pod", label.place)
        elif wrong := _unknown_values(label, objects):
            message = f"Karpenter ignores a pod that requires {label.key} of {wrong}, which is not a value of it"
            yield Ignored("label", message, "correct the value", label.place)
    if NODEPOOL_LABEL in wants and wants[NODEPOOL_LABEL].operator == "DoesNotExist":
        message = f"Karpenter ignores a pod that requires or prefers nodes without the label {NODEPOOL_LABEL}"
        yield Ignored("label", message, f"remove the expression with {NODEPOOL_LABEL}", (*pod.pointer, "affinity"))


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
