"""The settings of gitgpu in an object, with the location of each and the key in the spec that changes it."""

from typing import Any

import pytest

from gitgpu.patch.decisions import decisions
from tests.helping.cases import for_each

AFFINITY = "requiredDuringSchedulingIgnoredDuringExecution"
POD: dict[str, Any] = {
    "nodeSelector": {"disk": "fast"},
    "affinity": {
        "nodeAffinity": {
            AFFINITY: {
                "nodeSelectorTerms": [
                    {"matchExpressions": [{"key": "zone"}, {"key": "pool"}]},
                    {"matchExpressions": [{"key": "pool"}]},
                ]
            }
        }
    },
    "priorityClassName": "gpu-agents",
    "resourceClaims": [{"name": "gpus"}],
    "containers": [
        {"name": "idle", "resources": {"limits": {"cpu": "1", "memory": "1Gi"}}},
        {
            "name": "worker",
            "resources": {
                "limits": {"nvidia.com/gpu": 2, "amd.com/gpu.shared": 1, "rdma/ib": 3, "cpu": 4},
                "claims": [{"name": "gpus"}],
            },
        },
    ],
}


def held(body: dict[str, Any]) -> list[tuple[str, str, str]]:
    """The decisions: meaning, place, key."""
    return [(meaning, "/".join(map(str, at)), key) for meaning, at, key in decisions(body)]


@for_each(
    ("kind", "above"),
    [
        ("DaemonSet", ("spec", "template", "spec")),
        ("Deployment", ("spec", "template", "spec")),
        ("Job", ("spec", "template", "spec")),
        ("StatefulSet", ("spec", "template", "spec")),
        ("ScaledJob", ("spec", "jobTargetRef", "template", "spec")),
    ],
)
def test_where_pods_run_and_what_they_get(kind: str, above: tuple[str, ...]) -> None:
    spec: Any = POD
    for key in reversed(above):
        spec = {key: spec}
    pod, terms = "/".join(above), f"affinity/nodeAffinity/{AFFINITY}/nodeSelectorTerms"
    limits = f"{pod}/containers/1/resources/limits"
    assert held({"kind": kind, **spec}) == [
        ("its pods run only on nodes that the label disk selects", f"{pod}/nodeSelector/disk", ""),
        ("its pods run only on nodes that the label pool selects", f"{pod}/{terms}", ""),
        ("its pods have a priority class", f"{pod}/priorityClassName", ""),
        ("its pods have the ResourceClaim gpus", f"{pod}/resourceClaims", ""),
        ("container worker gets nvidia.com/gpu: 2", f"{limits}/nvidia.com/gpu", "GpuWorkload.spec.gpus"),
        ("container worker gets amd.com/gpu.shared: 1", f"{limits}/amd.com/gpu.shared", "GpuWorkload.spec.gpus"),
        ("container worker gets rdma/ib: 3", f"{limits}/rdma/ib", ""),
        ("container worker uses the ResourceClaim gpus", f"{pod}/containers/1/resources/claims", ""),
    ]
    assert held({"kind": "ConfigMap", **spec}) == []


def test_a_pool_holds_its_requirements_and_labels() -> None:
    labels = {"team": "ml", "nvidia.com/gpu.deploy.operands": "false"}
    template = {
        "metadata": {"labels": labels},
        "spec": {"requirements": [{"key": "zone"}, {"key": "arch"}, {"key": "zone"}]},
    }
    place, opt_out = "spec/template/metadata/labels", "nvidia.com/gpu.deploy.operands"
    wanted, key = "spec/template/spec/requirements", "GpuPool.spec.nodeRequirements"
    of_labels = [
        ("its nodes have the label team: ml", f"{place}/team", "GpuPool.spec.labels"),
        (f"its nodes have the label {opt_out}: false", f"{place}/{opt_out}", "GpuPool.spec.operatorOptOut"),
    ]
    assert held({"kind": "NodePool", "spec": {"template": template}}) == [
        ("its nodes meet a requirement on arch", wanted, key),
        ("its nodes meet a requirement on zone", wanted, key),
        *of_labels,
    ]
    agents = {"kind": "ManagedClustersAgentPool", "spec": {"nodeLabels": labels, "template": template}}
    assert held(agents) == [(text, at.replace(place, "spec/nodeLabels"), key) for text, at, key in of_labels]


@for_each(
    ("kind", "path", "meaning", "key"),
    [
        ("AKSNodeClass", "spec/gpu/mode", "the GPU mode of its nodes is 7", "GpuPool.spec.driver"),
        ("HelmRelease", "spec/chart/spec/version", "the version of the chart is 7", "Cluster.spec.stack.versions"),
        ("InferenceSet", "spec/replicas", "the replicas are 7", "GpuWorkload.spec.inference.replicas"),
        (
            "Kustomization",
            "spec/deletionPolicy",
            "its objects stay when it is deleted: deletionPolicy is 7",
            "",
        ),
        (
            "ManagedClustersAgentPool",
            "spec/gpuProfile/driver",
            "the driver of its nodes is 7",
            "GpuPool.spec.driver",
        ),
        ("OCIRepository", "spec/ref/tag", "the version of the chart is 7", "Cluster.spec.stack.versions"),
        ("ScaledJob", "spec/maxReplicaCount", "the maximum replicas are 7", "GpuWorkload.spec.scaling.max"),
        ("ScaledObject", "spec/maxReplicaCount", "the maximum replicas are 7", "GpuWorkload.spec.scaling.max"),
    ],
)
def test_a_setting_that_is_a_decision(kind: str, path: str, meaning: str, key: str) -> None:
    value: Any = 7
    for part in reversed(path.split("/")):
        value = {part: value}
    assert held({"kind": kind, **value}) == [(meaning, path, key)]
    default = [("the GPU mode of its nodes is Driver", path, key)] if kind == "AKSNodeClass" else []
    assert held({"kind": kind}) == default


def test_the_chart_of_an_application_has_a_version() -> None:
    source = {"chart": "keda", "targetRevision": "2.17.1"}
    version = ("the version of the chart is 2.17.1", "spec/source/targetRevision", "Cluster.spec.stack.versions")
    assert held({"kind": "Application", "spec": {"source": source}}) == [version]
    assert held({"kind": "Application", "spec": {"source": {"path": "a", "targetRevision": "main"}}}) == []
    assert held({"kind": "Other", "spec": {"source": source}}) == []


@pytest.mark.parametrize("name", ["kustomize.toolkit.fluxcd.io/prune", "argocd.argoproj.io/sync-options"])
def test_an_annotation_against_pruning(name: str) -> None:
    body = {"kind": "ConfigMap", "metadata": {"annotations": {name: "no", "team": "ml"}}}
    assert held(body) == [(f"the annotation {name}: no keeps it from being pruned", f"metadata/annotations/{name}", "")]
