"""Overlays of gitgpu are read as one cluster, also if it has another name in Azure."""

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.helping.cases import for_each

CLUSTERS = "Microsoft.ContainerService/managedClusters"
FLEET = f"""
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {{name: shop}}
spec: {{delivery: {{repository: https://github.com/contoso/fleet}}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: west}}
spec:
  region: westeurope
  kubernetesVersion: "1.36"
  resourceId: /subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/rg/providers/{CLUSTERS}/aks-west
  stack: {{keda: none, metrics: {{exporter: false, scrape: none}}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: a100}}
spec: {{clusters: [west], sku: Standard_NC24ads_A100_v4, limits: {{gpus: 8}}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: ib}}
spec:
  clusters: [west]
  sku: Standard_ND96isr_H100_v5
  provisioner: fixed
  nodes: {{max: 2}}
  driver: operator
  rdma: shared
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: amd}}
spec: {{clusters: [west], sku: Standard_ND96isr_MI300X_v5, provisioner: fixed, nodes: {{max: 1}}, driver: operator}}
"""


@pytest.fixture
def built(run: Run) -> Run:
    """Runs in the directory of a fleet that is built."""
    Path("fleet.yaml").write_text(FLEET, encoding="utf-8")
    assert run("build").code == 0
    return run


@for_each("without", ["", "sync", "controllers"])
def test_one_cluster_with_its_name_in_the_fleet(built: Run, *, without: str) -> None:
    shutil.rmtree("read", ignore_errors=True)
    shutil.copytree("overlays/west", "read/west")
    if without:
        shutil.rmtree(f"read/west/{without}")
    ran = built("import", "read", "--out", "again", "--region", "westeurope", "--force")
    assert "Error" not in ran.err, ran
    assert [path.name for path in Path("again/clusters").iterdir()] == ["west"]
    pools = {path.stem: path.read_text("utf-8") for path in Path("again/clusters/west/pools").iterdir()}
    assert pools.keys() == {"a100", "ib", "amd"}
    if without != "controllers":
        assert "no node is replaced; software unchanged" in ran.out
        assert "rdma: shared" in pools["ib"]
        assert "rdma" not in pools["amd"]
