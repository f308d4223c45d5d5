"""What an operator does with the pods that it runs if the object that configures them changes."""

from collections.abc import Iterator

from gitgpu.access import list_at, text_at
from gitgpu.compare.change import Change, below
from gitgpu.compare.chart_values import changed_values, chart_facts
from gitgpu.compare.snapshot import OverlayObject
from gitgpu.model.catalog import Catalog
from gitgpu.model.names.kinds import APPLICATION, DEVICE_CONFIG, HELM_RELEASE, NIC_CLUSTER_POLICY
from gitgpu.model.names.labels import AGENTPOOL_LABEL, NODEPOOL_LABEL

_TERMS = ("spec", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
_DAEMONS = {  # by what they provide
    "feature-discovery": "the worker of Node Feature Discovery, whose labels stay on the nodes,",
    "dra-gpus": "the kubelet plugin of NVIDIA's DRA driver, which running pods do not need,",
}
_OF_POOLS = {AGENTPOOL_LABEL, NODEPOOL_LABEL}


def operator_effects(change: Change, catalog: Catalog) -> Iterator[str]:
    """The pods that restart, and the nodes that lose software until they have a label."""
    if not any(below(field.path, "spec") for field in change.fields):
        return
    kind = change.object.identity.kind
    if kind in (HELM_RELEASE.kind, APPLICATION.kind):
        yield from _of_chart(change, catalog)
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


def _of_chart(change: Change, catalog: Catalog) -> Iterator[str]:
    """The pods on nodes that a chart without operands of its own restarts for new tolerations or other nodes."""
    facts = chart_facts(change.object.body, catalog)
    for daemon in () if facts.get("operands") else facts.get("daemons", ()):
        switches = {switch.removeprefix(f"{daemon['scheduling']}.") for switch in daemon["enabled"]}
        paths = set(changed_values(change, daemon["scheduling"])) if daemon["scheduling"] else set[str]()
        if paths and daemon["provides"] in _DAEMONS and not paths & {"", *switches}:
            yield f"{_DAEMONS[daemon['provides']]} restarts on its nodes"


def _required(policy: OverlayObject | None) -> set[str]:
    """The labels that the policy requires, without those of pools."""
    terms = list_at(policy.body, *_TERMS) if policy else []
    rules = (rule for term in terms for rule in list_at(term, "matchExpressions"))
    return {text_at(rule, "key") for rule in rules if text_at(rule, "operator") == "In"} - _OF_POOLS
