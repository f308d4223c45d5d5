"""Running charts: the report lists each as adopted, with an outcome for each value."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import KNOWN, Run
from tests.runs.test_import import POOL

PROD = ("--cluster", "prod", "--region", "swedencentral", *KNOWN)
VALUES = """
driver: {enabled: true, version: 580.173.02}
toolkit: {enabled: true}
mig: {strategy: mixed}
operator: {logging: {level: debug}}
psa: {}
2: {unknown: 1}
"""
HELM_RELEASE = """apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpus, namespace: gpu-operator}
spec:
  interval: 1h
  chart: {spec: {chart: gpu-operator, version: v26.7.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values:
"""
APPLICATION = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: gpus, namespace: argocd}
spec:
  destination: {server: https://kubernetes.default.svc, namespace: gpu-operator}
  project: default
  source:
    repoURL: https://helm.ngc.nvidia.com/nvidia
    chart: gpu-operator
    targetRevision: v26.7.0
    helm:
      valuesObject:
"""
LISTED = [
    {"name": "gpus", "namespace": "gpu-operator", "chart": "gpu-operator-v26.7.0", "app_version": "v26.7.0"},
    {"name": "shop", "namespace": "shop", "chart": "nginx-1.2.3", "app_version": "1"},
    {"name": "blog", "namespace": "blog", "chart": "nginx-1.2.3", "app_version": "1"},
]


def indented(spaces: int) -> str:
    """The values, indented."""
    return "".join(f"{' ' * spaces}{line}\n" for line in VALUES.splitlines() if line)


def terraform(driver: str) -> str:
    """A release of Terraform's Helm provider."""
    values = {
        "name": "gpus",
        "namespace": "gpu-operator",
        "chart": "gpu-operator",
        "version": "v26.7.0",
        "values": [driver],
    }
    resource = {
        "address": "helm_release.gpus",
        "mode": "managed",
        "type": "helm_release",
        "name": "gpus",
        "values": values,
    }
    return json.dumps({"format_version": "1.0", "values": {"root_module": {"resources": [resource]}}})


@pytest.fixture
def nodes(run: Run) -> Run:
    """A pool on whose nodes AKS installs no driver."""
    Path("pools.yaml").write_text(f"{POOL}  gpu: {{mode: None}}\n", encoding="utf-8")
    return run


FILES = {
    "HelmRelease/gpu-operator/gpus": ("a.yaml", HELM_RELEASE + indented(4), "/spec/values"),
    "Application/argocd/gpus": ("a.yaml", APPLICATION + indented(8), "/spec/source/helm/valuesObject"),
    "helm_release.gpus": ("a.json", terraform(VALUES), "/values"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_release_is_adopted_with_each_value(nodes: Run, name: str) -> None:
    file, content, place = FILES[name]
    Path(file).write_text(content, encoding="utf-8")
    ran = nodes("import", ".", *PROD, "--dry-run")
    [line] = [line for line in ran.out.splitlines() if f" {name}: fleet/" in line]
    assert line.startswith(f"  {file}:")
    assert "HelmValues" not in ran.out
    report: dict[str, Any] = json.loads(nodes("import", ".", *PROD, "--dry-run", "-o", "json").out)
    fates = {
        each["pointer"]: each
        for each in report["outcomes"]
        if each["object"] == name and each["outcome"] not in ("inferred", "changed")
    }
    kept = "the running release has mig.strategy: 'mixed'; gitgpu would set 'single'"
    assert {pointer.removeprefix(place): each["outcome"] for pointer, each in fates.items() if place in pointer} == {
        "/driver/enabled": "adopted",
        "/driver/version": "adopted",
        "/toolkit/enabled": "adopted",
        "/mig/strategy": "adopted",
        "/operator/logging/level": "adopted",
        "/psa": "adopted",
    }
    [unknown] = [each["outcome"] for each in report["outcomes"] if each["pointer"] == f"{place}/2/unknown"]
    assert unknown == "changed"  # the running version does not use it either
    assert fates[f"{place}/mig/strategy"]["reason"] == kept
    assert fates[f"{place}/operator/logging/level"]["spec"]["pointer"].startswith("/spec/stack/values/gpu-operator")


def test_releases_of_helm_list(nodes: Run) -> None:
    """They are called Helm releases, and several of them are one line in the plural."""
    Path("releases.json").write_text(json.dumps(LISTED), encoding="utf-8")
    ran = nodes("import", ".", *PROD, "--dry-run")
    assert "  releases.json:1:2: Helm release gpu-operator/gpus: fleet/clusters/prod/cluster.yaml:" in ran.out
    assert ": AKSNodeClass shared sets gpu.mode: None, and Helm release gpus installs a driver\n" in ran.out
    assert "  2 Helm releases: gitgpu does not install the chart nginx\n" in ran.out
    assert "HelmValues" not in ran.out


def test_pools_without_gpus_are_counted(run: Run) -> None:
    pools = [{"name": name, "vmSize": "Standard_D4s_v5", "mode": "User", "count": 1} for name in ("a", "b")]
    gpu = {"name": "gpu", "vmSize": "Standard_NC24ads_A100_v4", "mode": "User", "count": 1}
    Path("pools.json").write_text(json.dumps([*pools, gpu]), encoding="utf-8")
    ran = run("import", "pools.json", *PROD, "--dry-run")
    assert "  2 node pools: nodes without a GPU, of size Standard_D4s_v5\n" in ran.out


def test_an_id_that_was_altered_is_left_out(run: Run) -> None:
    """Published documents often have xxxx in place of the subscription."""
    cluster = "/subscriptions/xxxx/resourcegroups/g/providers/Microsoft.ContainerService/managedClusters/prod"
    pool = {
        "id": f"{cluster}/agentPools/gpu",
        "name": "gpu",
        "vmSize": "Standard_NC24ads_A100_v4",
        "mode": "User",
        "count": 1,
    }
    Path("pools.json").write_text(json.dumps([pool]), encoding="utf-8")
    ran = run("import", "pools.json", "--region", "swedencentral", *KNOWN, "--dry-run")
    assert ran.code == 1  # AGP001: `build` needs the ID
    assert "1 GPU pool: no node is replaced; software unknown on 1\n" in ran.out
    assert "Cluster prod spec.resourceId: omitted from the fleet: must be the full ARM ID of an AKS cluster" in ran.out


def test_values_without_the_name_of_their_chart(nodes: Run) -> None:
    """Keys of only one chart identify it. For other values, the report asks for `--values`."""
    Path("values.yaml").write_text("driver: {enabled: true}\noperator: {logging: {level: debug}}\n", encoding="utf-8")
    ran = nodes("import", "pools.yaml", "values.yaml", *PROD, "--dry-run")
    assert ran.code == 0, ran
    assert "  values.yaml:1:1: Helm values of gpu-operator: fleet/clusters/prod/cluster.yaml:" in ran.out
    Path("values.yaml").write_text("image: {tag: a}\nresources: {}\n", encoding="utf-8")
    other = nodes("import", "pools.yaml", "values.yaml", *PROD, "--dry-run")
    assert (other.code, "Helm values with `--values CHART=FILE`" in other.err) == (1, True)
