"""Kustomize applies the component of a GpuWorkload to an object of each kind that can be its target."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitgpu.objects.objects import Item, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.workload.known_kinds import SHAPES, VERSIONS
from gitgpu.objects.workload.pod_templates import pod_templates
from gitgpu.objects.workload.pods import Pod, pod_of
from gitgpu.objects.workload.shape import nest
from gitgpu.runs.build import build
from gitgpu.runs.lint import LintOptions
from gitgpu.runs.validate import read_fleet
from tests.lint.test_lint import linted
from tests.rules.objects.samples import somewhere
from tests.test_kustomize import kustomize

SCHEMA = json.loads((Path(__file__).parents[1] / "schemas/fleet.schema.json").read_text(encoding="utf-8"))
FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: acme}
spec: {delivery: {engine: flux, repository: "https://github.com/acme/gpu-fleet"}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod}
spec: {region: eastus, kubernetesVersion: "1.35"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h100}
spec: {clusters: [prod], sku: Standard_NC40ads_H100_v5, capacity: [on-demand], limits: {gpus: 8}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec: {clusters: [prod], sku: Standard_NC4as_T4_v3, capacity: [on-demand], limits: {gpus: 4}}
"""
FREE = {  # groups that objects name
    "DynamoGraphDeployment": "decode",
    "JobSet": "train",
    "PipelineRun": "fit",
    **dict.fromkeys(("RayCluster", "RayCronJob", "RayJob", "RayService"), "gpu"),
}
AFFINITY = {
    "nodeAffinity": {
        "requiredDuringSchedulingIgnoredDuringExecution": {
            "nodeSelectorTerms": [
                {"matchExpressions": [{"key": "karpenter.sh/nodepool", "operator": "In", "values": ["h100"]}]}
            ]
        }
    }
}
TOLERATIONS = [{"key": "sku", "operator": "Equal", "value": "gpu", "effect": "NoSchedule"}]
PLACED = {"affinity": AFFINITY, "tolerations": TOLERATIONS}
LIMITS = {"limits": {"nvidia.com/gpu": 1}}
OTHER_PATCH = {"manager": "acme.com", "trainingRuntimeSpec": {}}
OF_NODE = {"name": "node", "template": {"spec": {"template": {"spec": PLACED}}}}
OF_FLEET = {"manager": "gitgpu.dev", "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": [OF_NODE]}}}}
EXECUTOR = {**PLACED, "instances": 2, "gpu": {"name": "nvidia.com/gpu", "quantity": 1}}
# The specs of kinds that have no list of containers, as their author wrote them, and with the component.
WITHOUT_CONTAINERS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "ModelDeployment": (
        {"resources": {"memory": "8Gi"}},
        {
            "resources": {"memory": "8Gi", "gpu": {"type": "nvidia.com/gpu", "count": 1}},
            "nodeSelector": {"karpenter.sh/nodepool": "h100"},
            "tolerations": TOLERATIONS,
        },
    ),
    "NIMService": (
        {"resources": {"limits": {"memory": "8Gi"}}},
        {"resources": {"limits": {"memory": "8Gi", "nvidia.com/gpu": "1"}}, **PLACED},
    ),
    "PipelineRun": (
        {"taskRunSpecs": [{"pipelineTaskName": "prepare", "serviceAccountName": "a"}]},
        {
            "taskRunSpecs": [
                {"pipelineTaskName": "prepare", "serviceAccountName": "a"},
                {
                    "pipelineTaskName": "fit",
                    "podTemplate": PLACED,
                    "stepSpecs": [{"name": "pipelinerun", "computeResources": LIMITS}],
                },
            ]
        },
    ),
    "ScheduledSparkApplication": (
        {"template": {"driver": {"cores": 1}, "executor": {"instances": 2}}},
        {"template": {"driver": {"cores": 1}, "executor": EXECUTOR}},
    ),
    "SparkApplication": (
        {"driver": {"cores": 1}, "executor": {"instances": 2}},
        {"driver": {"cores": 1}, "executor": EXECUTOR},
    ),
    "TaskRun": (
        {"taskSpec": {"steps": [{"name": "taskrun"}]}, "podTemplate": {"nodeSelector": {"a": "b"}}},
        {
            "taskSpec": {"steps": [{"name": "taskrun"}]},
            "podTemplate": {"nodeSelector": {"a": "b"}, **PLACED},
            "stepSpecs": [{"name": "taskrun", "computeResources": LIMITS}],
        },
    ),
    "TrainJob": (
        {"trainer": {"numNodes": 2}, "runtimePatches": [OTHER_PATCH]},
        {"trainer": {"numNodes": 2, "resourcesPerNode": LIMITS}, "runtimePatches": [OTHER_PATCH, OF_FLEET]},
    ),
}
OTHER = {"RayCluster": "head", "LeaderWorkerSet": "leader"}  # another group, with its own pools
KEPT = {"key": "own", "operator": "Exists"}


def group_of(kind: str) -> str:
    """The group of a kind that the workload is for; the templates of workflows have the name embed."""
    groups = SHAPES[kind].groups
    return FREE.get(kind, groups.default or "embed") if groups else ""


def workload(kind: str, group: str, name: str, pool: str) -> str:
    chosen = f", group: {group}" if group else ""
    target = f"{{kind: {kind}, name: {kind.lower()}, container: {container(kind)}{chosen}}}"
    head = f"---\napiVersion: gitgpu.dev/v1alpha1\nkind: GpuWorkload\nmetadata: {{name: {name}, namespace: ml}}\n"
    patch = f"{{target: {{kind: {kind}}}, patch: {{metadata: {{annotations: {{acme.com/gpu: 'true'}}}}}}}}"
    return f"{head}spec: {{pools: [{pool}], target: {target}, patches: [{patch}]}}\n"


def container(kind: str) -> str:
    return SHAPES[kind].container or kind.lower()


def owner(kind: str) -> dict[str, Any]:
    """An object of this kind as its author wrote it: with a sidecar, and with memory and its own anti-affinity."""
    shape = SHAPES[kind]
    name = container(kind)
    main = {"image": "a:1", "resources": {"limits": {"memory": "8Gi"}}}
    body: dict[str, Any] = {"apiVersion": shape.api_version, "kind": kind, "metadata": {"name": kind.lower()}}
    if shape.written:
        return {**body, "spec": WITHOUT_CONTAINERS[kind][0]}
    for group in filter(None, (OTHER.get(kind, ""), group_of(kind) or "-")):
        pods: dict[str, Any] = nest(shape.container_at(name), main)
        pods = {**pods, "affinity": {"podAntiAffinity": {}}}
        if isinstance(pods.get("containers"), list):
            pods["containers"].insert(0, {"name": "side", "image": "s:1"})
        body = {**body, "spec": merged(body.get("spec", {}), nest(shape.spec_at(group), pods)["spec"])}
    return body


def merged(first: Any, second: Any) -> Any:
    if isinstance(first, dict) and isinstance(second, dict):
        return {
            key: merged(first.get(key), second[key]) if key in second else first[key] for key in {**first, **second}
        }
    return second


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a fleet that has a workload for each kind, its overlays, and the objects of their owner."""
    folder = tmp_path_factory.mktemp("repository")
    documents = [workload(kind, group_of(kind), kind.lower(), "h100") for kind in sorted(SHAPES)]
    documents += [workload(kind, group, f"{kind.lower()}-{group}", "t4") for kind, group in OTHER.items()]
    (folder / "fleet.yaml").write_text(FLEET + "".join(documents), encoding="utf-8")
    for path, text in build(read_fleet([str(folder / "fleet.yaml")])).files.items():
        (folder / "overlays" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "overlays" / path).write_text(text, encoding="utf-8")
    (folder / "app").mkdir()
    (folder / "app/all.yaml").write_text(yaml.safe_dump_all(map(owner, sorted(SHAPES))), encoding="utf-8")
    components = sorted(path.name for path in (folder / "overlays/prod/workloads").iterdir() if path.is_dir())
    included = [f"../overlays/prod/workloads/{name}" for name in components]
    kustomization = {"namespace": "ml", "resources": ["all.yaml"], "components": included}
    (folder / "app/kustomization.yaml").write_text(yaml.safe_dump(kustomization), encoding="utf-8")
    return folder


def pods_in(body: dict[str, Any]) -> list[Pod]:
    item = Item(somewhere(body)[0], identity(body), Scope.NAMESPACED)
    return [pod_of(item, template) for template in pod_templates(item)]


def test_every_kind_can_be_named() -> None:
    target = SCHEMA["definitions"]["gpuworkload"]["properties"]["spec"]["properties"]["target"]
    assert target["properties"]["kind"]["enum"] == sorted(SHAPES)
    assert target["properties"]["apiVersion"]["enum"] == sorted({each for known in VERSIONS.values() for each in known})


def test_kustomize_places_the_pods_of_each_kind(app: Path) -> None:
    objects = {body["kind"]: body for body in kustomize(app / "app")}
    assert sorted(objects) == sorted(SHAPES)
    for kind, body in objects.items():
        assert body["metadata"]["annotations"] == {"acme.com/gpu": "true"}, kind
        if SHAPES[kind].written:
            assert body["spec"] == WITHOUT_CONTAINERS[kind][1], kind
            continue
        pools = {}
        for pod in pods_in(body):
            [main] = [entry for _, entry in pod.containers() if entry.get("image") == "a:1"]
            assert {key: str(amount) for key, amount in main["resources"]["limits"].items()} == {
                "memory": "8Gi",
                "nvidia.com/gpu": "1",
            }, kind
            assert "podAntiAffinity" in pod.spec["affinity"], kind
            assert [toleration["key"] for toleration in pod.tolerations] == ["sku"], kind
            [term] = pod.terms()
            [wanted] = term.values()
            pools["/".join(map(str, pod.pointer))] = sorted(wanted.values)
        assert sorted(pools.values()) == [["h100"], *([["t4"]] if kind in OTHER else [])], kind


def linted_in(app: Path, taint: str) -> set[tuple[str, str]]:
    """The codes and kinds of findings in the repository, with this value of the taint of the pools."""
    texts = {str(path.relative_to(app)): path.read_text(encoding="utf-8") for path in app.rglob("*.yaml")}
    del texts["fleet.yaml"]
    name = "app/kustomization.yaml"
    texts[name] = texts[name].replace("- all.yaml", "- all.yaml\n- ../overlays/prod/nodes")
    for path in ("h100", "t4"):
        file = f"overlays/prod/nodes/nodepool-{path}.yaml"
        texts[file] = texts[file].replace("value: gpu", f"value: {taint}")
    findings = linted(texts, LintOptions("1.35", closed=True)).diagnostics
    return {(finding.code, finding.object.kind) for finding in findings}


def test_lint_reads_what_kustomize_applies(app: Path) -> None:
    """The pods of custom resources tolerate the taint of their pools, and no other."""
    # Other objects complete these, or Knative keeps some of them apart.
    completed = {"InferenceService", "LLMInferenceService", "WorkflowTemplate", *WITHOUT_CONTAINERS}
    custom = {kind for kind, shape in SHAPES.items() if "." in shape.api_version and kind not in completed}
    assert {code for code, _ in linted_in(app, "gpu")} & {"POD001", "LNT008", "CNF002"} == set()
    assert {kind for code, kind in linted_in(app, "other") if code == "POD001"} >= custom


OTHER_VERSIONS = {
    ("DynamoGraphDeployment", "nvidia.com/v1alpha1"): (
        {"services": {"decode": {"replicas": 2}, "prefill": {"replicas": 1}}},
        {
            "services": {
                "decode": {"replicas": 2, "resources": {"limits": {"gpu": "1"}}, "extraPodSpec": PLACED},
                "prefill": {"replicas": 1},
            }
        },
    ),
    ("Job", "batch.volcano.sh/v1alpha1"): (
        {"tasks": [{"name": "a", "replicas": 1}, {"name": "decode", "template": {"spec": {"hostNetwork": True}}}]},
        {
            "tasks": [
                {"name": "a", "replicas": 1},
                {
                    "name": "decode",
                    "template": {
                        "spec": {**PLACED, "hostNetwork": True, "containers": [{"name": "own", "resources": LIMITS}]}
                    },
                },
            ]
        },
    ),
}


@pytest.mark.parametrize(("kind", "version"), OTHER_VERSIONS)
def test_a_target_can_name_its_version(tmp_path: Path, kind: str, version: str) -> None:
    before, after = OTHER_VERSIONS[kind, version]
    container_of = ", container: own" if kind == "Job" else ""
    target = f"{{kind: {kind}, apiVersion: {version}, name: own, group: decode{container_of}}}"
    head = "---\napiVersion: gitgpu.dev/v1alpha1\nkind: GpuWorkload\nmetadata: {name: own, namespace: ml}\n"
    (tmp_path / "fleet.yaml").write_text(f"{FLEET}{head}spec: {{pools: [h100], target: {target}}}\n", encoding="utf-8")
    for path, text in build(read_fleet([str(tmp_path / "fleet.yaml")])).files.items():
        (tmp_path / "overlays" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "overlays" / path).write_text(text, encoding="utf-8")
    body = {"apiVersion": version, "kind": kind, "metadata": {"name": "own"}, "spec": before}
    (tmp_path / "all.yaml").write_text(yaml.safe_dump(body), encoding="utf-8")
    kustomization = {"resources": ["all.yaml"], "components": ["overlays/prod/workloads/ml.own"]}
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump(kustomization), encoding="utf-8")
    [result] = kustomize(tmp_path)
    assert result["spec"] == after
