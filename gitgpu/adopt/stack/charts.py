"""Releases of charts that the stack replaces or installs again, and their values that have no key in the spec."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gitgpu.adopt.adoption import Destination, Fate, Outcome
from gitgpu.adopt.stack.installed import Installed, installed
from gitgpu.adopt.stack.view import View
from gitgpu.compare.snapshot import at
from gitgpu.conform.objects import mapping
from gitgpu.load.inventory.observed import Observed
from gitgpu.source import Pointer


class Known(NamedTuple):
    """A chart that the stack knows: the key that replaces it, whether gitgpu installs the chart itself, and values.

    `decided` are the paths of values that gitgpu decides, or that another key says; `drivers` those with which the key
    means this chart (any without).
    """

    key: Pointer
    own: bool
    decided: tuple[str, ...]
    drivers: tuple[str, ...] = ()


_PLACEMENT = ("tolerations", "affinity", "nodeSelector")
CHARTS: Mapping[str, Known] = {
    "gpu-operator": Known(
        ("driver",),
        True,
        (
            *("daemonsets.tolerations", "dcgmExporter.enabled", "dcgmExporter.config", "dcgmExporter.env"),
            *("dcgmExporter.serviceMonitor", "devicePlugin.enabled", "devicePlugin.config", "driver.enabled"),
            *("driver.manager.env", "driver.nvidiaDriverCRD", "driver.useNvidiaDriverCRD", "driver.rdma.enabled"),
            *("mig.strategy", "migManager.config", "migManager.env", "nfd", "node-feature-discovery.worker"),
            *("toolkit.enabled", "toolkit.env"),
        ),
        ("operator",),
    ),
    "amd-gpu-operator": Known(("driver",), True, ("crds", "kmm", "remediation", "node-feature-discovery"), ()),
    "network-operator": Known(("driver",), True, ("nfd", "node-feature-discovery"), ()),
    "nvidia-device-plugin": Known(
        ("driver",),
        False,
        (*_PLACEMENT, "config", "gfd.enabled", "nfd", "devicePlugin.enabled", "migStrategy", "compatWithCPUManager"),
        ("aks",),
    ),
    "dcgm-exporter": Known(
        ("metrics", "exporter"), False, (*_PLACEMENT, "serviceMonitor", "customMetrics", "arguments", "extraEnv"), ()
    ),
    "dra-driver-nvidia-gpu": Known(
        ("allocation",),
        True,
        (
            *("nvidiaDriverRoot", "gpuResourcesEnabledOverride", "resources"),
            *(f"kubeletPlugin.{key}" for key in _PLACEMENT),
        ),
    ),
    "keda": Known(("keda",), True, ("podIdentity.azureWorkload",)),
    "prometheus-adapter": Known(("adapter",), True, ("prometheus", "rules")),
    "kaito-workspace": Known(
        ("kaito",),
        True,
        (
            *("clusterName", "nodeProvisioner", "featureGates.disableNodeAutoProvisioning"),
            *("nvidiaDevicePlugin.enabled", "gpu-feature-discovery", "localCSIDriver.useLocalCSIDriver"),
        ),
    ),
    "kaito-ragengine": Known(("kaito",), True, ()),
    "keda-kaito-scaler": Known(("kaito",), True, ()),
}


def charts(view: View) -> Iterator[Outcome]:
    """What becomes of each release of a chart that the stack knows."""
    for chart in installed(view, *CHARTS):
        known = CHARTS[chart.chart]
        into = Destination("Cluster", view.cluster.name, ("spec", "stack", *known.key))
        if known.drivers and not view.has(*known.drivers):
            yield _beside(chart, view)
            continue
        yield Outcome(chart.observed, Fate.ADOPTED, _reason(chart, known, view), chart.pointer, into)
        for source in _sources(chart, view):
            yield Outcome(source, Fate.ADOPTED, f"it is the source of {chart.observed.name}", (), into)


def _sources(chart: Installed, view: View) -> Iterator[Observed]:
    """The HelmRepository or OCIRepository that a HelmRelease of Flux names."""
    spec = mapping(chart.observed.body.get("spec"))
    named = mapping(at(spec, "chart", "spec", "sourceRef") or spec.get("chartRef"))
    for observed in view.cluster.objects:
        meta = mapping(observed.body.get("metadata"))
        own = {"kind": observed.body.get("kind"), "name": meta.get("name")}
        if own.items() <= named.items() and "Repository" in str(own["kind"]):
            yield observed


def _beside(chart: Installed, view: View) -> Outcome:
    """A chart without a pool whose driver it belongs to."""
    if chart.chart == "gpu-operator" and view.has("aks"):
        reason = (
            "it serves nodes whose driver AKS installs: with driver: aks, gitgpu installs the device plugin itself, "
            "and keeps the operator off the nodes of its pools"
        )
        return Outcome(chart.observed, Fate.INEXPRESSIBLE, reason)
    return Outcome(chart.observed, Fate.LEFT, "no pool has a driver that needs the chart")


def _reason(chart: Installed, known: Known, view: View) -> str:
    """What the fleet does in place of a release."""
    row = view.catalog.must("charts", chart.chart)
    if not known.own:
        return "gitgpu installs a DaemonSet instead: uninstall the release when that runs"
    version = chart.release.version if chart.release else ""
    if not version or version.removeprefix("v") == str(row["version"]).removeprefix("v"):
        return "gitgpu installs the chart"
    return f"gitgpu installs the chart, in version {row['version']} instead of {version}"
