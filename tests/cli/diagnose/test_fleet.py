"""`gitgpu diagnose --fleet`: the places of the fleet that a cause comes from, and where the cluster differs from it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run
from tests.diagnose.states import items, state_file

FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: fleet}
spec:
  delivery: {engine: flux, repository: https://github.com/example/fleet}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod}
spec: {region: eastus, kubernetesVersion: "1.34"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: gpu}
spec:
  clusters: [prod]
  sku: Standard_NC24ads_A100_v4
  limits:
    gpus: 2
"""
WORKLOAD = """\
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: job, namespace: ml}
spec:
  pools: [gpu]
  target: {kind: Deployment, name: job}
"""
OTHER = """\
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: test}
spec: {region: eastus, kubernetesVersion: "1.34"}
"""


def evidence(run: Run, dump: str, *options: str) -> dict[str, str]:
    """What the documents of the fleet have to do with the first cause."""
    done = run("diagnose", dump, "--fleet", "fleet.yaml", *options, "-o", "json")
    [cause, *_] = json.loads(done.out)["causes"]
    return {each["object"]: each["text"] for each in cause["evidence"] if each["object"].startswith(("Gpu", "fleet"))}


def test_the_limit_has_its_place_in_the_fleet(run: Run) -> None:
    Path("fleet.yaml").write_text(FLEET)
    said = evidence(run, str(state_file("limit-used-up")))
    assert said == {"GpuPool gpu": "`limits` of NodePool gpu comes from `spec.limits` (fleet.yaml:19:5)"}


def test_a_cluster_that_differs_from_the_fleet_is_said_to(run: Run) -> None:
    Path("fleet.yaml").write_text(FLEET.replace("gpus: 2", "gpus: 8"))
    said = evidence(run, str(state_file("limit-used-up")))["GpuPool gpu"]
    values = '{"nvidia.com/gpu": "2"}, and not {"nvidia.com/gpu": "8"}'
    assert said.endswith(f"the cluster has a different value: {values}: the fleet may not be applied")


def test_software_that_the_fleet_does_not_have_is_named(run: Run) -> None:
    Path("fleet.yaml").write_text(FLEET)
    said = evidence(run, str(state_file("plugin-without-toleration")))
    plugin = "DaemonSet kube-system/nvidia-device-plugin-daemonset"
    assert said["fleet"] == f"it has no {plugin} for this cluster: change that where it is deployed from"
    assert said["GpuPool gpu"].startswith("`taints` of NodePool gpu comes from `spec.taints` (fleet.yaml:")


@pytest.mark.parametrize(
    ("workload", "owner", "says"),
    [
        (
            "",
            "ReplicaSet job-7d9f",
            {"fleet": "no GpuWorkload has the target Deployment ml/job: one with `pools: [gpu]`"},
        ),
        (WORKLOAD, "ReplicaSet job-7d9f", {"GpuWorkload job": "its patch of Deployment ml/job adds the toleration"}),
        (WORKLOAD, "Job job", {"fleet": "no GpuWorkload has the target Job ml/job"}),
    ],
)
def test_a_pod_without_the_toleration_is_one_that_the_fleet_patches_or_could(
    run: Run, workload: str, owner: str, says: dict[str, str]
) -> None:
    Path("fleet.yaml").write_text(FLEET + workload)
    state: list[Any] = items("pod-without-toleration")
    kind, name = owner.split()
    [pod] = (item for item in state if item["kind"] == "Pod")
    pod["metadata"]["ownerReferences"] = [
        {"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": "u", "controller": True}
    ]
    Path("dump.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": state}))
    said = evidence(run, "dump.json")
    assert {name: said[name][: len(text)] for name, text in says.items()} == says


def test_the_cluster_is_the_one_that_is_named_or_that_az_describes(run: Run) -> None:
    Path("fleet.yaml").write_text(FLEET + OTHER)
    dump = str(state_file("limit-used-up"))
    unnamed = run("diagnose", dump, "--fleet", "fleet.yaml")
    assert (unnamed.code, unnamed.out) == (2, "")
    assert "use --cluster with prod and test" in unnamed.err
    assert "GpuPool gpu" in evidence(run, dump, "--cluster", "prod")
    assert evidence(run, dump, "--cluster", "test")["fleet"].startswith("it has no NodePool gpu for this cluster")
    assert "did you mean prod?" in run("diagnose", dump, "--fleet", "fleet.yaml", "--cluster", "prd").err
    assert "--cluster needs --fleet PATH" in run("diagnose", dump, "--cluster", "prod").err
    group = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/rg"
    identity = f"{group}/providers/Microsoft.ContainerService/managedClusters/prod"
    named = FLEET.replace("spec: {region: eastus", f"spec: {{resourceId: {identity}, region: eastus")
    Path("fleet.yaml").write_text(named + OTHER)
    shown = {
        "id": identity.upper(),
        "name": "prod",
        "location": "eastus",
        "type": "Microsoft.ContainerService/ManagedClusters",
    }
    Path("cluster.json").write_text(json.dumps({**shown, "kubernetesVersion": "1.34.1", "agentPoolProfiles": []}))
    assert "GpuPool gpu" in evidence(run, dump, "cluster.json")


def test_a_fleet_with_errors_is_refused(run: Run) -> None:
    Path("fleet.yaml").write_text(FLEET.replace("Standard_NC24ads_A100_v4", "Standard_NC24ads_A101_v4"))
    done = run("diagnose", str(state_file("limit-used-up")), "--fleet", "fleet.yaml")
    assert (done.code, done.out) == (2, "")
    assert "fleet.yaml:17:8: error[LNK007]" in done.err
