"""What an operator does with the pods that it runs if the object that configures them changes."""

from collections.abc import Iterator

from gitgpu.access import list_at, text_at
from gitgpu.compare.change import Change, below
from gitgpu.compare.snapshot import OverlayObject
from gitgpu.model.names.kinds import DEVICE_CONFIG, NIC_CLUSTER_POLICY
from gitgpu.model.names.labels import AGENTPOOL_LABEL, NODEPOOL_LABEL

_TERMS = ("spec", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
_OF_POOLS = {AGENTPOOL_LABEL, NODEPOOL_LABEL}


def operator_effects(change: Change) -> Iterator[str]:
    """The pods that restart, and the nodes that lose software until they have a label."""
    if not any(below(field.path, "spec") for field in change.fields):
        return
    kind = change.object.identity.kind
    if kind == DEVICE_CONFIG.kind:
        yield "AMD's operator restarts the pods of the parts that change, one node after the other"
    if kind == NIC_CLUSTER_POLICY.kind:
        # updateStrategy in manifests/state-ofed-driver/0050_ofed-driver-ds.yaml of Mellanox/network-operator v26.4.1
        yield (
            "the Network Operator restarts its device plugin on every node; the driver of the NICs stays as it is "
            "until its pods are deleted (OnDelete)"
        )
        for label in sorted(_required(change.after) - _required(change.before)):
            yield (
                f"nodes lose the driver of their NICs until Node Feature Discovery sets the label {label}: drain them "
                "first, or keep stack.nodeSelection: pools"
            )


def _required(policy: OverlayObject | None) -> set[str]:
    """The labels that the policy requires, without those of pools."""
    terms = list_at(policy.body, *_TERMS) if policy else []
    rules = (rule for term in terms for rule in list_at(term, "matchExpressions"))
    return {text_at(rule, "key") for rule in rules if text_at(rule, "operator") == "In"} - _OF_POOLS
