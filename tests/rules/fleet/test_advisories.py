"""Advisories about the charts, versions and nodes of a fleet."""

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.configuration.fleet_options import FleetOptions
from gitgpu.load.text import Text
from gitgpu.runs.validate import validate_texts
from tests.helping.cases import for_each

ROW = """\
name: ADV900
title: "t"
severity: warning
match: MATCH
from: null
until: null
effect: "it loses data"
remedy: "use 2.0.0"
source: [https://wiki.example.com/1]
verified: "2026-11-30"
"""
FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: fleet}
spec: {delivery: {repository: https://github.com/a/b}}
"""
CLUSTER = """\
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata:
  name: NAME
spec:
  region: swedencentral
  kubernetesVersion: "1.34"
  stack:
    driver: operator
    versions:
      gpu-operator: v25.10.1
"""
POOL = """\
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec: {clusters: CLUSTERS, sku: Standard_NC24ads_A100_v4, limits: {gpus: 4}}
"""


def found(wanted: str, clusters: tuple[str, ...] = ("one",), spec: str = CLUSTER) -> list[Diagnostic]:
    text = FLEET + "".join(spec.replace("NAME", name) for name in clusters)
    text += POOL.replace("CLUSTERS", f"[{', '.join(clusters)}]")
    folder = Folder("mine", "mine", {"advisories/ADV900.yaml": ROW.replace("MATCH", wanted)})
    checked = validate_texts([Text("fleet.yaml", text, "fleet.yaml")], FleetOptions((folder,)))
    assert checked.inputs, checked.diagnostics
    return [each for each in checked.diagnostics if each.code == "ADV900"]


def test_a_pinned_chart_is_reported_at_its_pin() -> None:
    [finding] = found('{chart: [gpu-operator], version: "=25.10.1"}')
    assert (finding.span.line, finding.pointer) == (16, "/spec/stack/versions/gpu-operator")
    assert finding.message == "gpu-operator v25.10.1 on one: it loses data"
    assert found('{chart: [gpu-operator], version: ">25.10.1"}') == []


def test_a_chart_without_a_pin_is_reported_at_the_name_of_its_cluster() -> None:
    bare = CLUSTER.replace("    versions:\n      gpu-operator: v25.10.1\n", "")
    [finding] = found('{chart: [gpu-operator], version: ">=26.0.0"}', spec=bare)
    assert (finding.span.line, finding.pointer) == (9, "/metadata/name")


def test_each_cluster_has_its_own_place() -> None:
    findings = found('{chart: [gpu-operator], version: "=25.10.1"}', ("one", "two"))
    assert [each.message for each in findings] == [
        "gpu-operator v25.10.1 on one: it loses data",
        "gpu-operator v25.10.1 on two: it loses data",
    ]


@for_each(
    ("wanted", "number"),
    [
        ("{gpus: [A100-80GB-PCIe]}", 1),
        ("{gpus: [A100-80GB-PCIe], imageFamily: [Ubuntu]}", 1),
        ("{gpus: [A100-80GB-PCIe], imageFamily: [AzureLinux]}", 0),
        ("{gpus: [T4]}", 0),
        ("{gpus: [A100-80GB-PCIe], driver: aks}", 0),
        ('{gpus: [A100-80GB-PCIe], kubernetes: ">=1.34"}', 1),
        ('{gpus: [A100-80GB-PCIe], kubernetes: ">=1.34.2"}', 0),
        ('{gpus: [A100-80GB-PCIe], nodeImage: ">=202607.02.0"}', 0),
        ('{gpus: [A100-80GB-PCIe], containerd: ">=2.3.0"}', 0),
        ('{gpus: [A100-80GB-PCIe], karpenter: "*"}', 0),
        ('{gpus: [A100-80GB-PCIe], chart: [gpu-operator], version: "<26.0.0"}', 1),
        ('{gpus: [T4], chart: [gpu-operator], version: "<26.0.0"}', 0),
        ('{image: [nvidia/k8s-device-plugin], version: ">=0.1.0"}', 0),
    ],
)
def test_what_a_fleet_does_not_say_is_no_finding(wanted: str, number: int) -> None:
    assert len(found(wanted)) == number
