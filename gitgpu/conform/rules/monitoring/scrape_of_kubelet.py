"""A scrape of managed GPU nodes that asks the kubelet instead of the exporter."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.conform.monitoring.monitors import COMMUNITY
from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity

_ADDRESS = "__address__"
_NEGATED = re.compile(r"!|\bnotin\b")  # in a label selector


def _check(objects: Objects) -> Iterator[Finding]:
    row = objects.catalog.must("exporters", "aks-managed")
    label = row["nodes"]["label"].partition("=")[0]
    for item in objects.of(COMMUNITY, "ScrapeConfig"):
        spec = reach(item.body, "spec") or {}
        if _chooses(spec, label) and f":{row['port']}" not in _address(spec):
            place = ("spec", "relabelings") if spec.get("relabelings") else ("spec",)
            message = f"it scrapes managed GPU nodes, and not at port {row['port']}, where their exporter listens"
            remedy = f'relabel __meta_kubernetes_node_address_InternalIP to {_ADDRESS}: "$1:{row["port"]}"'
            yield Finding(item, place, message, remedy)


def _chooses(spec: Mapping[str, Any], label: str) -> bool:
    """Does it take nodes by a label, either way that there is?"""
    asked = [one for one in spec.get("kubernetesSDConfigs") or () if one.get("role") == "Node"]
    selectors = (str(each.get("label") or "").split(",") for one in asked for each in one.get("selectors") or ())
    wanted = (part for parts in selectors for part in parts if not _NEGATED.search(part))
    meta = f"__meta_kubernetes_node_label_{re.sub(r'[^a-zA-Z0-9_]', '_', label)}"
    kept = (one.get("sourceLabels") or () for one in spec.get("relabelings") or () if _action(one) == "keep")
    return bool(asked) and (any(label in one for one in wanted) or any(meta in one for one in kept))


def _address(spec: Mapping[str, Any]) -> str:
    """What the last relabeling of the address makes of it."""
    written = [one for one in spec.get("relabelings") or () if one.get("targetLabel") == _ADDRESS]
    return str(written[-1].get("replacement") or "") if written and _action(written[-1]) == "replace" else ""


def _action(one: Mapping[str, Any]) -> str:
    return str(one.get("action") or "replace").lower()


RULE = Rule(
    code="MON020",
    name="scrape-of-kubelet",
    severity=Severity.WARNING,
    summary="A ScrapeConfig selects AKS managed GPU nodes and does not lead to port 19400.",
    help="Service discovery by node gives the address of the kubelet. The DCGM exporter of AKS managed GPU nodes is a "
    "service of the node at port 19400, so the address has to be relabelled.",
    sources=(
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/cse_config.sh",
        "https://github.com/Azure/prometheus-collector/blob/39583fd50b2f828f83cc18fc0cece9e3074f56db/otelcollector/configmapparser/default-prom-configs/dcgmExporterDefault.yml",
    ),
    check=_check,
    bad="""
apiVersion: monitoring.coreos.com/v1alpha1
kind: ScrapeConfig
metadata: {name: managed-gpus, namespace: monitoring}
spec:
  kubernetesSDConfigs: [{role: Node}]
  relabelings:
  - {action: Keep, sourceLabels: [__meta_kubernetes_node_label_kubernetes_azure_com_dcgm_exporter], regex: enabled}
""",
    good="""
apiVersion: monitoring.coreos.com/v1alpha1
kind: ScrapeConfig
metadata: {name: managed-gpus, namespace: monitoring}
spec:
  kubernetesSDConfigs: [{role: Node}]
  relabelings:
  - {action: Keep, sourceLabels: [__meta_kubernetes_node_label_kubernetes_azure_com_dcgm_exporter], regex: enabled}
  - {sourceLabels: [__meta_kubernetes_node_address_InternalIP], targetLabel: __address__, replacement: "$1:19400"}
""",
)
