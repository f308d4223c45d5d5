"""A chart with a ServiceMonitor on a cluster without the Prometheus Operator."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.groups import MONITORING_GROUP, MONITORING_V1
from gitgpu.model.names.kinds import CUSTOM_RESOURCE_DEFINITION
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.monitoring.monitors import chart_monitors
from gitgpu.objects.objects import Objects
from gitgpu.objects.schema.contract import api_group
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

# Charts with the CRD.
_BRINGING = ("kube-prometheus-stack", "kube-prometheus", "prometheus-operator", "prometheus-operator-crds")
_CRD = "servicemonitors.monitoring.coreos.com"


def _check(objects: Objects) -> Iterator[Finding]:
    if not objects.closed or _has_operator(objects):
        return
    for item, pointer, settings in chart_monitors(objects):
        group = api_group(str(settings.get("apiVersion") or MONITORING_V1))
        # The GPU Operator's default is on, but without the CRD it creates no ServiceMonitor.
        if group == MONITORING_GROUP and settings.get("enabled") is not None:
            place: Pointer = (*pointer, "enabled")
            message = "the chart creates a ServiceMonitor, but no object here installs its CRD; the cluster may have it"
            remedy = "set enabled: false, or install the Prometheus Operator or its CRDs"
            yield Finding(item, place, message, remedy)


def _has_operator(objects: Objects) -> bool:
    crds = objects.of(*CUSTOM_RESOURCE_DEFINITION)
    present = any(identity.group == MONITORING_GROUP for identity in objects.present)
    return present or any(crd.identity.name == _CRD for crd in crds) or any(True for _ in releases(objects, *_BRINGING))


RULE = Rule(
    code="MON014",
    name="service-monitor-without-crd",
    severity=Severity.WARNING,
    summary="A chart creates a ServiceMonitor of monitoring.coreos.com, and no object here installs its CRD.",
    help="Azure managed Prometheus has its own CRDs, azmonitoring.coreos.com. monitoring.coreos.com comes with the "
    "Prometheus Operator. Without the CRD the release fails, or the object is not created.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/deployments/gpu-operator/values.yaml",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/deployment/templates/service-monitor.yaml",
    ),
    facts=("exporters",),
    check=_check,
)
