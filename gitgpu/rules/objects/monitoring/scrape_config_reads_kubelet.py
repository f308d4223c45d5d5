"""A scrape of managed GPU nodes that reads the kubelet instead of the exporter."""

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import SCRAPE_CONFIG
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_ADDRESS = "__address__"  # what Prometheus scrapes
_NEGATED = re.compile(r"!|\bnotin\b")  # negations in a label selector


def _check(objects: Objects) -> Iterator[Finding]:
    row = objects.catalog.must("exporters", "aks-managed")
    label = row["nodes"]["label"].partition("=")[0]
    for item in objects.of(*SCRAPE_CONFIG):
        spec = reach(item.body, "spec") or {}
        if _selects_nodes(spec, label) and f":{row['port']}" not in _address(spec):
            place = ("spec", "relabelings") if spec.get("relabelings") else ("spec",)
            message = (
                f"the ScrapeConfig scrapes managed GPU nodes, but not on port {row['port']}, where the exporter listens"
            )
            remedy = f'relabel __meta_kubernetes_node_address_InternalIP to {_ADDRESS}: "$1:{row["port"]}"'
            yield Finding(item, place, message, remedy)


def _selects_nodes(spec: Mapping[str, Any], label: str) -> bool:
    """Whether it selects nodes by the label, with a selector or with a relabeling."""
    node_configs = [config for config in spec.get("kubernetesSDConfigs") or () if config.get("role") == "Node"]
    if not node_configs:
        return False
    selectors = chain.from_iterable(config.get("selectors") or () for config in node_configs)
    parts = chain.from_iterable(str(selector.get("label") or "").split(",") for selector in selectors)
    # A negated selector keeps these nodes out.
    if any(label in part and not _NEGATED.search(part) for part in parts):
        return True
    meta = f"__meta_kubernetes_node_label_{re.sub(r'[^a-zA-Z0-9_]', '_', label)}"
    kept = (rule.get("sourceLabels") or () for rule in spec.get("relabelings") or () if _action(rule) == "keep")
    return any(meta in labels for labels in kept)


def _address(spec: Mapping[str, Any]) -> str:
    """The address after its last relabeling."""
    # Prometheus applies the rules in order, so the last one counts.
    address_rules = [rule for rule in spec.get("relabelings") or () if rule.get("targetLabel") == _ADDRESS]
    return (
        str(address_rules[-1].get("replacement") or "")
        if address_rules and _action(address_rules[-1]) == "replace"
        else ""
    )


def _action(rule: Mapping[str, Any]) -> str:
    return str(rule.get("action") or "replace").lower()


RULE = Rule(
    code="MON020",
    name="scrape-config-reads-kubelet",
    severity=Severity.WARNING,
    summary="A ScrapeConfig selects AKS managed GPU nodes but does not scrape port 19400.",
    help="Service discovery by node returns the address of the kubelet. The DCGM exporter of AKS managed GPU nodes "
    "is a system service on port 19400, so the address must be relabeled.",
    sources=(
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/cse_config.sh",
        "https://github.com/Azure/prometheus-collector/blob/39583fd50b2f828f83cc18fc0cece9e3074f56db/otelcollector/configmapparser/default-prom-configs/dcgmExporterDefault.yml",
    ),
    facts=("exporters/aks-managed",),
    check=_check,
)
