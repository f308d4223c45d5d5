"""What an operator does with the pods that it runs if the object that configures them changes."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, reach, text_at
from gitgpu.compare.change import Change, below
from gitgpu.compare.chart_values import changed_values, chart_facts, values_of
from gitgpu.compare.snapshot import OverlayObject
from gitgpu.model.catalog import Catalog
from gitgpu.model.names.kinds import APPLICATION, DEVICE_CONFIG, HELM_RELEASE, NIC_CLUSTER_POLICY
from gitgpu.model.names.labels import AGENTPOOL_LABEL, NODEPOOL_LABEL

_TERMS = ("spec", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")
_DISCOVERY = "feature-discovery"
_MOVES = (
    "it no longer includes Node Feature Discovery: nodes that another one has not labelled before lose the labels, and "
    "operators then remove their pods and drivers from these nodes"
)
_DAEMONS = {  # by what they provide
    _DISCOVERY: "the worker of Node Feature Discovery, whose labels stay on the nodes,",
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
    """The pods of a chart on nodes that restart for new tolerations or other nodes, or that leave them."""
    facts = chart_facts(change.object.body, catalog)
    for daemon in facts.get("daemons", ()):
        provides, place = daemon["provides"], daemon["scheduling"]
        was, now = (_runs(side, daemon) for side in (change.before, change.after))
        changes = place and not facts.get("operands") and any(changed_values(change, place))
        if was and now and changes and provides in _DAEMONS and not _waits(change.after, place):
            yield f"{_DAEMONS[provides]} restarts on its nodes"
        if was and not now and provides == _DISCOVERY:
            yield _MOVES


def _runs(release: OverlayObject | None, daemon: Mapping[str, Any]) -> bool:
    """Whether the values turn a daemon on, or leave it on."""
    values = values_of(release.body) if release else {}
    return bool(release) and all(reach(values, *switch.split(".")) is not False for switch in daemon["enabled"])


def _waits(release: OverlayObject | None, place: str) -> bool:
    """Whether a pod of the daemon stays as it is until it is deleted."""
    values = values_of(release.body) if release else {}
    return bool(reach(values, *place.split("."), "updateStrategy", "type") == "OnDelete")


def _required(policy: OverlayObject | None) -> set[str]:
    """The labels that the policy requires, without those of pools."""
    terms = list_at(policy.body, *_TERMS) if policy else []
    rules = (rule for term in terms for rule in list_at(term, "matchExpressions"))
    return {text_at(rule, "key") for rule in rules if text_at(rule, "operator") == "In"} - _OF_POOLS
