"""Decisions in chart values: why gitgpu sets a value or relies on a default, and which key in the spec changes it.

A value that `charts` sets is such a decision, and so is a default of a chart that the rest of the output relies on.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.emit.emitter import Body
from gitgpu.plan.decided.charts import Chart
from gitgpu.plan.decided.cluster import ClusterPlan

Path = tuple[str, ...]
_DRIVER = ("Cluster.spec.stack.driver", "GpuPool.spec.driver")
_INSTALLER = (*_DRIVER, "Cluster.spec.stack.nodeSelection")
_ALLOCATION = ("Cluster.spec.stack.allocation",)
_TAINTS = ("GpuPool.spec.taints",)
_METRICS = "Cluster.spec.stack.metrics"
_KAITO = ("Cluster.spec.stack.kaito",)
_TEAMS = ("GpuTeam.spec.fairShare", "Cluster.spec.stack.allocation")
_DISCOVERS = ("Cluster.spec.stack.discovery",)


class Decision(NamedTuple):
    """What the value at `at` (a dotted path) and all values below it decide, and the spec keys that change it."""

    at: str
    meaning: str
    keys: tuple[str, ...] = ()


_DISCOVERY = (
    Decision("nfd", "one chart of a cluster installs Node Feature Discovery", _INSTALLER),
    Decision("node-feature-discovery.enabled", "one chart of a cluster installs Node Feature Discovery", _INSTALLER),
    Decision("node-feature-discovery.worker.config", "only NICs with InfiniBand get its label", ("GpuPool.spec.rdma",)),
    Decision("node-feature-discovery.worker", "Node Feature Discovery runs on the nodes of these pools", _TAINTS),
)
DECISIONS: Mapping[str, tuple[Decision, ...]] = {
    "gpu-operator": (
        *_DISCOVERY,
        Decision("clusterPolicy", "the operator needs its ClusterPolicy to install anything", _DRIVER),
        Decision("daemonsets.tolerations", "the operator's pods tolerate the taints of its pools", _TAINTS),
        Decision("dcgmExporter.enabled", "whether GPU metrics are exported", (f"{_METRICS}.exporter",)),
        Decision("dcgmExporter.config", "which counters are exported", (f"{_METRICS}.counters",)),
        Decision("dcgmExporter.env", "how often GPUs are measured", (f"{_METRICS}.interval",)),
        Decision("dcgmExporter.serviceMonitor", "gitgpu generates the scrape object", (f"{_METRICS}.scrape",)),
        Decision("devicePlugin.enabled", "how pods request GPUs", _ALLOCATION),
        Decision("devicePlugin.config", "how GPUs are shared or partitioned", ("GpuPool.spec.partition",)),
        Decision("driver.enabled", "the GPU Operator installs the driver on pools with driver: operator", _DRIVER),
        Decision("driver.nvidiaDriverCRD", "NVIDIADriver objects set the driver", ("GpuPool.spec.driverBranch",)),
        Decision("driver.rdma", "the driver lets InfiniBand NICs read GPU memory", ("GpuPool.spec.rdma",)),
        Decision("driver.manager", "pods with a ResourceClaim leave a node before its driver changes", _ALLOCATION),
        Decision("mig", "how MIG instances are advertised", ("GpuPool.spec.partition.mig",)),
        Decision("migManager", "the MIG layouts of the pools", ("GpuPool.spec.partition.mig",)),
        Decision("toolkit.enabled", "containers get GPUs from the toolkit of the operator", _DRIVER),
        Decision("toolkit.env", "the toolkit reads the configuration of containerd where AKS keeps it"),
    ),
    "amd-gpu-operator": (
        *_DISCOVERY,
        Decision("crds.defaultCR", "gitgpu generates the DeviceConfig", _DRIVER),
        Decision("kmm", "a gitgpu DaemonSet installs the driver, without Kernel Module Management", _DRIVER),
        Decision("remediation", "Karpenter or AKS replaces nodes, not the operator"),
    ),
    "network-operator": _DISCOVERY,
    "node-feature-discovery": (
        Decision("priorityClassName", "without its labels, a node gets no driver", _DRIVER),
        Decision("worker.enable", "GPU Feature Discovery takes the place of the worker", _DISCOVERS),
        Decision("worker.config", "the operators select nodes by its labels", _DRIVER),
        Decision("worker.updateStrategy", "a new pool restarts no worker", ("Cluster.spec.stack.nodeSelection",)),
        Decision("worker", "Node Feature Discovery runs on the nodes of these pools", _TAINTS),
    ),
    "dra-driver-nvidia-gpu": (
        Decision("nvidiaDriverRoot", "where the nodes have their driver", _DRIVER),
        Decision("gpuResourcesEnabledOverride", "pods request GPUs with a ResourceClaim", _ALLOCATION),
        Decision("resources.gpus", "pods request GPUs with a ResourceClaim", _ALLOCATION),
        Decision(
            "resources.computeDomains", "whether workloads have compute domains", ("GpuWorkload.spec.computeDomain",)
        ),
        Decision("kubeletPlugin.tolerations", "the driver's pods tolerate the taints of the pools", _TAINTS),
        Decision("kubeletPlugin", "the driver runs on the nodes of these pools", ("GpuPool.spec.clusters",)),
    ),
    "keda": (Decision("podIdentity", "KEDA reads metrics and queues with this identity", (f"{_METRICS}.identity",)),),
    "kueue": (
        Decision("controllerManager.replicas", "without a manager, the webhooks of Kueue refuse pods"),
        Decision("controllerManager.podDisruptionBudget", "without a manager, the webhooks of Kueue refuse pods"),
        Decision("managerConfig", "the weights of teams, and the DeviceClasses that quotas count", _TEAMS),
    ),
    "prometheus-adapter": (
        Decision("prometheus", "which Prometheus is queried", (f"{_METRICS}.server",)),
        Decision("rules", "the metrics that workloads scale on", ("GpuWorkload.spec.scaling",)),
    ),
    "kaito-workspace": (
        Decision("clusterName", "the name of the cluster"),
        Decision("nodeProvisioner", "KAITO uses the nodes of the pools and creates none", _KAITO),
        Decision("featureGates", "KAITO uses the nodes of the pools and creates none", _KAITO),
        Decision("nvidiaDevicePlugin", "gitgpu or the GPU Operator installs the device plugin", _DRIVER),
        Decision(
            "gpu-feature-discovery", "gitgpu or the GPU Operator sets GPU labels", ("Cluster.spec.stack.discovery",)
        ),
        Decision("localCSIDriver", "KAITO knows only the local disks of nodes that it creates", _KAITO),
    ),
}

INSTALLED_BY: Mapping[str, str] = {  # what in the spec installs a release
    "amd-gpu-operator": "GpuPool.spec.driver: operator on a pool with AMD GPUs",
    "dra-driver-nvidia-gpu": "Cluster.spec.stack.allocation: dra",
    "gpu-operator": "Cluster.spec.stack.driver: operator",
    "kaito-ragengine": "Cluster.spec.stack.kaito: helm, and GpuWorkload.spec.rag",
    "kaito-workspace": "Cluster.spec.stack.kaito: helm",
    "keda": "Cluster.spec.stack.keda: helm",
    "keda-kaito-scaler": "Cluster.spec.stack.kaito: helm, and GpuWorkload.spec.inference.scaling",
    "kueue": "Cluster.spec.stack.queues: kueue",
    "network-operator": "GpuPool.spec.rdma",
    "node-feature-discovery": "Cluster.spec.stack.discovery: gfd, or stack.nodeSelection: labels with an operator",
    "prometheus-adapter": "Cluster.spec.stack.adapter: helm, and GpuWorkload.spec.scaling.engine: hpa",
}


def decision_at(release: str, path: Path) -> Decision | None:
    """The most specific decision that a value of a release is part of; None if there is none."""
    matching = [decision for decision in DECISIONS.get(release, ()) if _is_at(path, tuple(decision.at.split(".")))]
    return max(matching, key=lambda decision: decision.at.count("."), default=None)


def _is_at(path: Path, above: Path) -> bool:
    return path[: len(above)] == above


def relied_values(plan: ClusterPlan, chart: Chart) -> Body:
    """The defaults of a chart that gitgpu relies on without setting them."""
    operator = plan.operator
    if operator is None or chart.release != operator.chart.release:
        return {}
    switches = {"clusterPolicy": "deployCR", "driver": "enabled", "toolkit": "enabled"}
    if not operator.claimed:
        switches["devicePlugin"] = "enabled"
    if operator.counters:
        switches["dcgmExporter"] = "enabled"
    if operator.partitioning:
        switches["migManager"] = "enabled"
    if plan.discovery and plan.discovery.release == chart.release:
        switches["nfd"] = "enabled"
    return {part: {key: True} for part, key in switches.items()}


def leaves(values: Mapping[str, Any], above: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every value with its path; mappings count only if they are empty."""
    for key, value in values.items():
        path = (*above, key)
        if isinstance(value, Mapping) and value:
            yield from leaves(value, path)
        else:
            yield path, value
