"""Charts that the stack replaces or installs itself, and what becomes of their releases."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gitgpu.adopt.adoption import Destination, Fate, Outcome
from gitgpu.adopt.stack.chart_sources import sources_of
from gitgpu.adopt.stack.chart_versions import why_chart_stays
from gitgpu.adopt.stack.installed import InstalledChart, installed_charts
from gitgpu.adopt.stack.owned_software import REPLACED, owned_software
from gitgpu.adopt.stack.settings import discovery, node_selection
from gitgpu.adopt.stack.view import View
from gitgpu.model.driver_owner import AKS_ONLY
from gitgpu.source import Pointer


class StackChart(NamedTuple):
    """A chart that the stack knows: the key that replaces it. With `own`, gitgpu installs the chart itself.

    `decided` are the paths of values that gitgpu sets, or that other keys in the spec set. The key stands for this
    chart only with one of `drivers`, or with any driver if there are none.
    """

    key: Pointer
    own: bool
    decided: tuple[str, ...]
    drivers: tuple[str, ...] = ()


OWNED = "with driver: aks-only, it advertises or measures the GPUs, and gitgpu installs nothing in addition to it"
_DISCOVERY: Pointer = ("discovery",)
_PLACEMENT = ("tolerations", "affinity", "nodeSelector")
CHARTS: Mapping[str, StackChart] = {
    "gpu-operator": StackChart(
        ("driver",),
        True,
        (
            "daemonsets.tolerations",
            "dcgmExporter.enabled",
            "dcgmExporter.config",
            "dcgmExporter.env",
            "dcgmExporter.serviceMonitor",
            "devicePlugin.enabled",
            "devicePlugin.config",
            "driver.enabled",
            "driver.manager.env",
            "driver.nvidiaDriverCRD",
            "driver.useNvidiaDriverCRD",
            "driver.rdma.enabled",
            "mig.strategy",
            "migManager.config",
            "migManager.env",
            "nfd",
            "node-feature-discovery.worker",
            "toolkit.enabled",
            "toolkit.env",
        ),
        ("operator",),
    ),
    "amd-gpu-operator": StackChart(("driver",), True, ("crds", "kmm", "remediation", "node-feature-discovery"), ()),
    "network-operator": StackChart(("driver",), True, ("nfd", "node-feature-discovery"), ()),
    "nvidia-device-plugin": StackChart(
        ("driver",),
        False,
        (*_PLACEMENT, "config", "gfd.enabled", "nfd", "devicePlugin.enabled", "migStrategy", "compatWithCPUManager"),
        ("aks",),
    ),
    "dcgm-exporter": StackChart(
        ("metrics", "exporter"),
        False,
        (*_PLACEMENT, "serviceMonitor", "customMetrics", "arguments", "extraEnv"),
        ("aks", "operator"),
    ),
    "dra-driver-nvidia-gpu": StackChart(
        ("allocation",),
        True,
        (
            "nvidiaDriverRoot",
            "gpuResourcesEnabledOverride",
            "resources",
            *(f"kubeletPlugin.{key}" for key in _PLACEMENT),
        ),
    ),
    "node-feature-discovery": StackChart(_DISCOVERY, True, ("worker", "priorityClassName")),
    "keda": StackChart(("keda",), True, ("podIdentity.azureWorkload",)),
    "kueue": StackChart(
        ("queues",),
        True,
        ("controllerManager.replicas", "controllerManager.podDisruptionBudget", "managerConfig"),
    ),
    "prometheus-adapter": StackChart(("adapter",), True, ("prometheus", "rules")),
    "kaito-workspace": StackChart(
        ("kaito",),
        True,
        (
            "clusterName",
            "nodeProvisioner",
            "featureGates.disableNodeAutoProvisioning",
            "nvidiaDevicePlugin.enabled",
            "gpu-feature-discovery",
            "localCSIDriver.useLocalCSIDriver",
        ),
    ),
    "kaito-ragengine": StackChart(("kaito",), True, ()),
    "keda-kaito-scaler": StackChart(("kaito",), True, ()),
}


def known_charts(view: View) -> list[str]:
    """The charts that the stack of the cluster replaces or installs, if they run."""
    found = any(evidence.value == "gfd" for evidence in discovery.infer(view)) or node_selection.has_own_discovery(view)
    return [name for name, chart in CHARTS.items() if found or chart.key != _DISCOVERY]


def charts(view: View) -> Iterator[Outcome]:
    """The outcome of each release of a chart that the stack knows."""
    for chart in installed_charts(view, *known_charts(view)):
        stack_chart = CHARTS[chart.chart]
        into = Destination("Cluster", view.cluster.name, ("spec", "stack", *stack_chart.key))
        if why := why_chart_stays(chart, view):
            yield Outcome(chart.observed, Fate.LEFT, why)
            continue
        owned = owned_software(view, REPLACED[chart.chart]) if chart.chart in REPLACED else None
        if owned:
            yield Outcome(chart.observed, Fate.LEFT, owned.reason)
            continue
        if stack_chart.drivers and not view.has(*stack_chart.drivers):
            yield _beside(chart, view)
            continue
        yield Outcome(chart.observed, Fate.ADOPTED, _reason(chart, stack_chart, view), chart.pointer, into)
        for source in sources_of(chart.observed.body, view.cluster.objects):
            yield Outcome(source, Fate.ADOPTED, f"it is the source of {chart.observed.name}", (), into)


def _beside(chart: InstalledChart, view: View) -> Outcome:
    """The outcome of a chart if no pool has a driver that the chart belongs to."""
    if view.has(AKS_ONLY):
        return Outcome(chart.observed, Fate.LEFT, OWNED)
    if chart.chart == "gpu-operator" and view.has("aks"):
        reason = "it does not run on the nodes of these pools, on which gitgpu installs the device plugin"
        return Outcome(chart.observed, Fate.LEFT, reason)
    return Outcome(chart.observed, Fate.LEFT, "no pool has a driver that needs the chart")


def _reason(chart: InstalledChart, stack_chart: StackChart, view: View) -> str:
    """What gitgpu does in place of a release."""
    row = view.catalog.must("charts", chart.chart)
    if not stack_chart.own:
        return "gitgpu installs a DaemonSet instead: uninstall the release once the DaemonSet is running"
    version = chart.release.version if chart.release else ""
    if not version or version.removeprefix("v") == str(row["version"]).removeprefix("v"):
        return "gitgpu installs the chart"
    return f"gitgpu installs the chart, in version {row['version']} instead of {version}"
