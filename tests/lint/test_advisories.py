"""Advisories about nodes, AKS node pools, charts and images in files."""

import pytest

from gitgpu.diagnostic import Diagnostic, in_order
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.text import Text
from gitgpu.model.catalog import catalog
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.policy import Policy
from gitgpu.runs.lint import LintOptions
from gitgpu.runs.lint_files import LintInputs, lint_files
from tests.helping.cases import for_each
from tests.lint.test_lint import ASKED, linted

A10 = "Standard_NV36ads_A10_v5"
UBUNTU = "AKSUbuntu-2204gen2containerd-202607.02.0"
NODE = """\
apiVersion: v1
kind: Node
metadata:
  name: NAME
  labels:
    node.kubernetes.io/instance-type: SIZE
    kubernetes.azure.com/node-image-version: IMAGE
"""
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: CHART, namespace: CHART}
spec:
  interval: 1h
  chart:
    spec:
      chart: CHART
      version: VERSION
      sourceRef: {kind: HelmRepository, name: charts}
"""
POOL = """\
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: aks}
spec: {azureName: gpu, owner: {name: prod}, vmSize: Standard_NV36ads_A10_v5, gpuProfile: {driver: DRIVER}}
"""
PLUGIN = """\
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: plugin, namespace: kube-system}
spec:
  selector: {matchLabels: {app: plugin}}
  template:
    metadata: {labels: {app: plugin}}
    spec:
      containers: [{name: plugin, image: "IMAGE"}]
"""


def node(size: str = A10, image: str = UBUNTU, name: str = "a") -> str:
    return NODE.replace("NAME", name).replace("SIZE", size).replace("IMAGE", image)


def release(chart: str, version: str) -> str:
    return RELEASE.replace("CHART", chart).replace("VERSION", version)


def found(*texts: str) -> list[Diagnostic]:
    diagnostics = linted({f"{number}.yaml": text for number, text in enumerate(texts)}).diagnostics
    return [each for each in in_order(diagnostics) if each.code.startswith("ADV")]


def codes(*texts: str) -> list[str]:
    return [each.code for each in found(*texts)]


def test_a_node_is_reported_at_its_image() -> None:
    [finding] = found(node())
    assert (finding.code, finding.span.line) == ("ADV001", 7)
    assert finding.message.startswith(f"{A10} with node image {UBUNTU}: its kernel module")


@for_each(
    "text",
    [
        node(image="AKSUbuntu-2204gen2containerd-202607.03.0"),
        node(image="AKSAzureLinux-V3gen2-202607.02.0"),
        node(image=""),
        node(size="Standard_NC24ads_A100_v4"),
        node(size="Standard_Unknown"),
        node().replace("labels:", "labels:\n    nvidia.com/gpu.deploy.driver: 'true'"),
        NODE.partition("    node.k")[0].replace("NAME", "a") + "    a: b\n",
    ],
)
def test_other_nodes_and_nodes_that_say_too_little_are_not(text: str) -> None:
    assert codes(text) == []


def test_nodes_that_are_alike_are_reported_once() -> None:
    [finding] = found("---\n".join(node(name=name) for name in "abc"))
    assert ", and 2 other objects like it: " in finding.message


def test_the_status_of_a_node_pool_has_its_image() -> None:
    status = f"status: {{nodeImageVersion: {UBUNTU}}}\n"
    assert codes(POOL.replace("DRIVER", "Install") + status) == ["ADV001"]
    assert codes(POOL.replace("DRIVER", "None") + status) == []
    assert codes(POOL.replace("DRIVER", "Install")) == []


@for_each(
    ("chart", "version", "expected"),
    [
        ("kueue", "0.17.2", ["ADV015", "ADV016", "ADV031"]),
        ("kueue", "0.17.7", ["ADV031"]),
        ("kueue", "0.17.8", []),
        ("kueue", "0.17.x", []),
        ("kueue", "'>=0.17.0'", []),
        ("keda", "2.18.2", ["ADV017"]),
        ("keda", "2.17.3", []),
        ("keda", "2.20.2", []),
        ("keda", "2.20.1", ["ADV018", "ADV034"]),
        ("kueue", "0.18.5", ["ADV033"]),
        ("kueue", "0.18.6", []),
        ("kueue", "0.19.2", []),
        ("gpu-operator", "v26.3.1", ["ADV026", "ADV035"]),
        ("gpu-operator", "v26.3.2", []),
        ("gpu-operator", "v26.7.0", []),
        ("other", "0.17.2", []),
    ],
)
def test_a_release_is_reported_at_its_exact_version(chart: str, version: str, expected: list[str]) -> None:
    findings = found(release(chart, version))
    assert [each.code for each in findings] == expected
    assert {each.span.line for each in findings} <= {9}


@for_each(
    ("size", "expected"),
    [("Standard_ND96isr_H100_v5", ["ADV008", "ADV025"]), ("Standard_NC24ads_A100_v4", []), ("Standard_Unknown", [])],
)
def test_what_harms_rdma_is_reported_for_nodes_that_have_it(size: str, expected: list[str]) -> None:
    findings = found(f"{release('gpu-operator', 'v26.3.2')}---\n{node(size, 'unknown')}")
    assert [each.code for each in findings if each.code.startswith("ADV")] == expected


@pytest.mark.parametrize(("kubernetes", "expected"), [("1.33", ["ADV032", "ADV033"]), ("1.34", ["ADV033"])])
def test_a_release_is_reported_on_the_versions_of_kubernetes_that_are_affected(
    kubernetes: str, expected: list[str]
) -> None:
    asked = ASKED._replace(kubernetes=kubernetes)
    diagnostics = linted({"a.yaml": release("kueue", "0.19.0")}, asked).diagnostics
    assert [each.code for each in diagnostics if each.code.startswith("ADV")] == expected


def test_an_application_is_reported_at_its_revision() -> None:
    text = (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: kueue, namespace: argocd}\nspec:\n"
        "  project: default\n  destination: {server: https://kubernetes.default.svc, namespace: kueue-system}\n"
        "  source:\n    repoURL: oci://registry.k8s.io/kueue/charts\n    chart: kueue\n    targetRevision: 0.16.7\n"
    )
    assert [(each.code, each.span.line) for each in found(text)] == [("ADV015", 10), ("ADV016", 10)]


def test_what_a_chart_created_names_its_version_unless_its_release_is_there() -> None:
    made = PLUGIN.replace("IMAGE", "a/b:1").replace(
        "{name: plugin,", "{name: plugin, labels: {helm.sh/chart: keda-2.18.1},"
    )
    assert codes(made) == ["ADV017"]
    assert codes(made + "---\n" + release("keda", "2.20.2")) == []


@for_each(
    ("image", "expected"),
    [
        ("nvcr.io/nvidia/k8s-device-plugin:v0.19.1", ["ADV009"]),
        ("mirror.example.com/nvidia/k8s-device-plugin:v0.19.1", ["ADV009"]),
        ("nvcr.io/nvidia/k8s-device-plugin:v0.19.3", []),
        ("nvcr.io/nvidia/k8s-device-plugin:latest", []),
        ("nvcr.io/nvidia/k8s-device-plugin", []),
        ("example.com/k8s-device-plugin:v0.19.1", []),
    ],
)
def test_an_image_is_reported_at_its_tag(image: str, expected: list[str]) -> None:
    assert codes(PLUGIN.replace("IMAGE", image)) == expected


def test_a_chart_on_nodes_needs_both() -> None:
    nodes = node(image="AKSUbuntu-2204gen2containerd-202606.01.0")
    driver = release("nvidia-dra-driver-gpu", "25.8.1")
    assert codes(nodes + "---\n" + driver) == ["ADV002", "ADV004"]
    assert codes(driver) == []


def test_karpenter_counts_only_for_its_own_nodes() -> None:
    karpenter = PLUGIN.replace("IMAGE", "mcr.microsoft.com/aks/karpenter/controller:1.13.1")
    labels = "labels:\n    nvidia.com/gpu.deploy.driver: pre-installed"
    mine = node(size="Standard_NC24ads_A100_v4").replace("labels:", f"{labels}\n    karpenter.sh/nodepool: gpu")
    other = node(size="Standard_NC24ads_A100_v4").replace("labels:", labels)
    assert codes(mine + "---\n" + karpenter) == ["ADV005"]
    assert codes(other + "---\n" + karpenter) == []
    assert codes(mine) == [], "the version of Karpenter is not known"


def lint_text(text: str, policy: Policy) -> list[str]:
    inputs = LintInputs(policy, LintOptions("1.34"), catalog(()), (), (), version_given=False)
    findings, _ = lint_files(read_manifests([Text("a.yaml", text, "a.yaml")]), inputs)
    return [each.code for each in findings]


def test_one_advisory_can_be_suppressed_in_each_way() -> None:
    text = release("kueue", "0.17.2")
    comment = text.replace("version: 0.17.2", "version: 0.17.2  # gitgpu: ignore[ADV015, ADV031] we do not delete jobs")
    assert lint_text(comment, Policy()) == ["ADV016"]
    annotated = text.replace("namespace: CHART", "").replace(
        "metadata: {", "metadata: {annotations: {gitgpu.dev/ignore: 'ADV015, ADV016, ADV031: upgraded next week'}, "
    )
    assert lint_text(annotated, Policy()) == []
    assert lint_text(text, Policy(ignore=("ADV",))) == []


OWN = """\
name: ADV900
title: "t"
severity: error
match: {chart: [ours], version: "<2.0.0"}
from: null
until: null
effect: "it loses data"
remedy: "use 2.0.0"
source: [https://wiki.example.com/1]
verified: "2026-11-30"
"""


def test_rows_of_a_user_are_advisories_too() -> None:
    own = catalog((Folder("mine", "mine", {"advisories/ADV900.yaml": OWN}),))
    assert own.files.faults == []
    inputs = LintInputs(Policy(), LintOptions("1.34"), own, (), (), version_given=False)
    findings, _ = lint_files(read_manifests([Text("a.yaml", release("ours", "1.2.3"), "a.yaml")]), inputs)
    assert [(each.code, each.severity) for each in findings] == [("ADV900", "error")]


@for_each(
    ("written", "wrong"),
    [
        ('{chart: [ours], version: "<2.0.0"}', "{chart: [ours]}"),
        ('"<2.0.0"', '"~2.0"'),
        ('{chart: [ours], version: "<2.0.0"}', "{}"),
        ("chart: [ours]", "charts: [ours]"),
        ("severity: error", "severity: bad"),
    ],
)
def test_a_row_of_the_wrong_shape_is_an_error(written: str, wrong: str) -> None:
    folder = Folder("mine", "mine", {"advisories/ADV900.yaml": OWN.replace(written, wrong)})
    assert [fault.code for fault in catalog((folder,)).files.faults] == ["CAT004"]
