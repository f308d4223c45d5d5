"""Node Feature Discovery in the values of charts: its own, or one that includes it; the others have it disabled."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, on_pools, tolerations
from gitgpu.model.names.labels import OUR_INFINIBAND_LABEL
from gitgpu.model.software.feature_discovery import DISCOVERY_SWITCHES
from gitgpu.model.software.names import NODE_FEATURE_DISCOVERY
from gitgpu.plan.decided.charts import Chart
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.hardware import Discovery

MELLANOX = "15b3"  # the PCI ID of the vendor of all InfiniBand NICs in Azure
INFINIBAND = f"feature.node.kubernetes.io/pci-{MELLANOX}.present"  # the Network Operator selects nodes by it
# The labels that the GPU Operator selects nodes by, as the charts of NVIDIA's operators set them. AMD's operator has
# a rule of its own. The class of NICs is not here: in Azure, each node may have one of this vendor.
PCI = {"deviceClassWhitelist": ["0300", "0302"], "deviceLabelFields": ["vendor"]}
PRIORITY = "system-node-critical"
_NO_RULES = {"deployNodeFeatureRules": False}


def feature_discovery(plan: ClusterPlan, chart: Chart) -> Body:
    """The values for Node Feature Discovery. Its worker runs only on the operators' nodes: they rely on its labels."""
    discovery = plan.discovery
    if not discovery or discovery.release != chart.release:
        part, key = DISCOVERY_SWITCHES[chart.release]
        rules = _NO_RULES if plan.fabric and plan.fabric.chart.release == chart.release else {}
        return {part: {key: False, **rules}}
    worker = _on_nodes(discovery)
    if not plan.fabric:
        return {NODE_FEATURE_DISCOVERY: {"worker": worker}}
    worker["config"] = {"sources": {"custom": [_infiniband(discovery)]}}
    return {"nfd": dict(_NO_RULES), NODE_FEATURE_DISCOVERY: {"worker": worker}}


def own_discovery(plan: ClusterPlan) -> Iterator[tuple[Chart, Body]]:
    """The separate chart, if no other chart installs it.

    Without an operator it has no worker: GPU Feature Discovery does that work. Its settings are those that all
    operators need, so that a pool with another operator does not change them.
    """
    discovery = plan.discovery
    if not discovery or not discovery.chart:
        return
    if not discovery.placement.pools:
        yield discovery.chart, {"worker": {"enable": False}}
        return
    config = {"sources": {"pci": PCI, "custom": [_infiniband(discovery)]}}
    # A further pool changes the affinity. The workers on the nodes of others stay as they are.
    worker = {**_on_nodes(discovery), "config": config, "updateStrategy": {"type": "OnDelete"}}
    # Without its labels, a node does not get a driver. The GPU Operator's chart has the same priority.
    yield discovery.chart, {"priorityClassName": PRIORITY, "worker": worker}


def _on_nodes(discovery: Discovery) -> Body:
    placement = discovery.placement
    return {"tolerations": tolerations(placement.tolerations), "affinity": on_pools(placement.pools)}


def _infiniband(discovery: Discovery) -> Body:
    """A rule for InfiniBand NICs. The chart's own rule matches all NICs of the vendor, even non-InfiniBand ones."""
    device = {
        "vendor": {"op": "In", "value": [MELLANOX]},
        "device": {"op": "In", "value": list(discovery.nics)},
    }
    features = [{"feature": "pci.device", "matchExpressions": device}]
    labels = (INFINIBAND, OUR_INFINIBAND_LABEL) if discovery.chart else (INFINIBAND,)
    return {"name": "infiniband", "labels": dict.fromkeys(labels, "true"), "matchFeatures": features}
