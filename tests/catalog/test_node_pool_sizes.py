"""Every size in the catalog as a node pool, on Linux and Windows: the output, or the reason why it is not possible."""

import json
from contextlib import chdir
from pathlib import Path

import pytest
import yaml
from syrupy.assertion import SnapshotAssertion

from gitgpu.diagnostic import Severity, in_order
from gitgpu.load.text import Text
from gitgpu.runs.build import Build, build
from gitgpu.runs.validate import read_fleet
from tests.catalog.test_skus import CATALOG, SIZES
from tests.emit.fleets import CLUSTER_ID
from tests.test_upstream import emitted, faults

FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: example}
spec: {delivery: {repository: "https://github.com/contoso/gpu-fleet"}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: one}
spec:
  region: eastus
  kubernetesVersion: "1.36"
  provisioner: cluster-autoscaler
  resourceId: CLUSTER
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: pool}
spec: {clusters: [one], sku: SIZE, os: SYSTEM, driver: DRIVER, limits: {gpus: 64}}
"""


def fleet(size: str, system: str) -> str:
    """A fleet with one pool of that size on one cluster with the cluster autoscaler."""
    sku = CATALOG.sku(size)
    assert sku is not None
    driver = "none" if sku.manufacturer == "amd" else "aks"
    return (
        FLEET.replace("CLUSTER", CLUSTER_ID).replace("SIZE", size).replace("SYSTEM", system).replace("DRIVER", driver)
    )


def built(size: str, system: str, folder: Path) -> Build:
    """The build of this fleet."""
    path = folder / "fleet.yaml"
    path.write_text(fleet(size, system), encoding="utf-8")
    with chdir(folder):  # so that messages have relative paths
        return build(read_fleet([path.name]))


def account(made: Build) -> str:
    """The facts to review: findings, the properties of the pool, and which software selects its nodes."""
    diagnostics = (*made.checked.diagnostics, *made.faults)
    lines = [f"{finding.severity} {finding.code}: {finding.message}" for finding in in_order(diagnostics)]
    for path, text in made.files.items():
        body = yaml.load(text, yaml.CSafeLoader) if path.endswith(".yaml") else {}
        if "managedclustersagentpool-" in path:
            spec = {key: value for key, value in body["spec"].items() if key not in ("azureName", "owner")}
            lines.append("pool: " + json.dumps(spec))
        if body.get("kind") == "DaemonSet":
            lines.append(f"daemon: {body['metadata']['name']}")
    return "\n".join(lines)


@pytest.mark.parametrize("size", SIZES)
def test_size(size: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    accounts = {system: account(built(size, system, tmp_path)) for system in ("linux", "windows")}
    assert "\n".join(f"{system}\n{text}" for system, text in accounts.items()) == snapshot


@pytest.mark.parametrize("size", SIZES)
def test_upstream_accepts_the_object(size: str, tmp_path: Path) -> None:
    for system in ("linux", "windows"):
        findings = built(size, system, tmp_path).checked.diagnostics
        if all(finding.severity is not Severity.ERROR for finding in findings):
            assert faults(emitted([Text("fleet.yaml", fleet(size, system), "fleet.yaml")])) == []
