"""Node Feature Discovery in the values of charts that include it: enabled in one of them, disabled in the others."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, on_pools, tolerations
from gitgpu.plan.decided.charts import Chart
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.hardware import Fabric

MELLANOX = "15b3"  # the PCI ID of the vendor of all InfiniBand NICs in Azure
INFINIBAND = f"feature.node.kubernetes.io/pci-{MELLANOX}.present"  # the Network Operator selects nodes by it
# Charts include Node Feature Discovery under different keys; USUAL is the one in NVIDIA's charts.
SWITCHES = {"amd-gpu-operator": ("node-feature-discovery", "enabled")}
NVIDIA_SWITCH = ("nfd", "enabled")


def feature_discovery(plan: ClusterPlan, chart: Chart) -> Body:
    """The values for Node Feature Discovery. Its worker runs only on the operators' nodes: they rely on its labels."""
    discovery = plan.discovery
    if not discovery or discovery.release != chart.release:
        part, key = SWITCHES.get(chart.release, NVIDIA_SWITCH)
        return {part: {key: False}}
    worker: Body = {
        "tolerations": tolerations(discovery.placement.tolerations),
        "affinity": on_pools(discovery.placement.pools),
    }
    if not plan.fabric:
        return {"node-feature-discovery": {"worker": worker}}
    worker["config"] = {"sources": {"custom": [_infiniband(plan.fabric)]}}
    return {"nfd": {"deployNodeFeatureRules": False}, "node-feature-discovery": {"worker": worker}}


def own_discovery(plan: ClusterPlan) -> Iterator[tuple[Chart, Body]]:
    """The separate chart, if no other chart includes it. It has no worker: GPU Feature Discovery does that work."""
    if plan.discovery and plan.discovery.chart:
        yield plan.discovery.chart, {"worker": {"enable": False}}


def _infiniband(fabric: Fabric) -> Body:
    """A rule for InfiniBand NICs. The chart's own rule matches all NICs of the vendor, even non-InfiniBand ones."""
    device = {
        "vendor": {"op": "In", "value": [MELLANOX]},
        "device": {"op": "In", "value": list(fabric.nics)},
    }
    features = [{"feature": "pci.device", "matchExpressions": device}]
    labels = dict.fromkeys(filter(None, (INFINIBAND, fabric.label)), "true")
    return {"name": "infiniband", "labels": labels, "matchFeatures": features}
