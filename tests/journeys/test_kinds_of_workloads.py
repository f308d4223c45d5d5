"""A company's repository with a fleet and one workload of each kind: linted, simulated, and imported."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitgpu.objects.delivery.merge import merge_named
from gitgpu.objects.workload.known_kinds import WORKLOADS
from gitgpu.objects.workload.pod_templates import templates_in
from tests.journeys.repository import Repository, repository
from tests.rules.objects.test_kinds_of_workloads import ASSEMBLED, SPECS

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
metadata: {name: t4}
spec: {clusters: [prod], sku: Standard_NC4as_T4_v3, capacity: [on-demand], limits: {gpus: 200}}
"""
TOLERATION = {"key": "sku", "operator": "Equal", "value": "gpu", "effect": "NoSchedule"}
CONTAINER = {"name": "main", "image": "acme.azurecr.io/a:1", "resources": {"limits": {"nvidia.com/gpu": 1}}}
POD = {"tolerations": [TOLERATION], "containers": [CONTAINER]}
ENDING = {**POD, "restartPolicy": "Never"}
LABELS = {"app": "a"}
TEMPLATE = {"metadata": {"labels": LABELS}, "spec": POD}
AGENT = {**TEMPLATE, "spec": {**POD, "containers": [{"name": "main", "image": "acme.azurecr.io/a:1"}]}}
LIMITS = {"limits": {"nvidia.com/gpu": 1}}
REPLICATED = {"replicas": 2, "selector": {"matchLabels": LABELS}, "template": TEMPLATE}
RUN_ONCE = {"template": {"metadata": {"labels": LABELS}, "spec": ENDING}}
TRAINING = {"template": {"spec": {"replicatedJobs": [{"name": "node", "template": {"spec": RUN_ONCE}}]}}}
SERVING = {"supportedModelFormats": [{"name": "huggingface", "version": "1"}], **POD}
SPARK = {"instances": 2, "gpu": {"name": "nvidia.com/gpu", "quantity": 1}, "tolerations": [TOLERATION]}
NIGHTLY = {"timezone": "UTC", "start": "0 1 * * *", "end": "0 2 * * *", "desiredReplicas": "2"}
# The specs of kinds whose pods are not written as the pod template of others.
OTHERS: dict[str, Any] = {
    "airunway.ai/v1alpha1 ModelDeployment": {"model": {"id": "a"}, "resources": {"gpu": {"count": 1}}},
    "apps.nvidia.com/v1alpha1 NIMService": {"replicas": 1, "resources": LIMITS, "tolerations": [TOLERATION]},
    "apps/v1 DaemonSet": {"selector": {"matchLabels": LABELS}, "template": AGENT},  # with GPUs, it would take them all
    "apps/v1 Deployment": REPLICATED,
    "apps/v1 ReplicaSet": REPLICATED,
    "apps/v1 StatefulSet": {**REPLICATED, "serviceName": "a"},
    "argoproj.io/v1alpha1 ClusterWorkflowTemplate": ASSEMBLED["argoproj.io/v1alpha1 Workflow"][1](TEMPLATE),
    "argoproj.io/v1alpha1 WorkflowTemplate": ASSEMBLED["argoproj.io/v1alpha1 Workflow"][1](TEMPLATE),
    "batch/v1 CronJob": {"schedule": "0 1 * * *", "jobTemplate": {"spec": RUN_ONCE}},
    "batch/v1 Job": RUN_ONCE,
    "kubeflow.org/v1 Notebook": {"template": {"spec": POD}},
    "keda.sh/v1alpha1 ScaledJob": {
        "jobTargetRef": RUN_ONCE,
        "maxReplicaCount": 2,
        "rollout": {"strategy": "gradual"},
        "triggers": [{"type": "cron", "metadata": NIGHTLY}],
    },
    "nvidia.com/v1alpha1 DynamoGraphDeployment": {
        "services": {"a": {"resources": {"limits": {"gpu": "1"}}, "extraPodSpec": {"tolerations": [TOLERATION]}}}
    },
    "serving.kserve.io/v1alpha1 ClusterServingRuntime": SERVING,
    "serving.kserve.io/v1alpha1 ServingRuntime": SERVING,
    "serving.kserve.io/v1alpha2 LLMInferenceService": {"model": {"uri": "hf://a"}, "template": POD},
    "sparkoperator.k8s.io/v1beta2 ScheduledSparkApplication": {"template": {"executor": SPARK}},
    "sparkoperator.k8s.io/v1beta2 SparkApplication": {"executor": SPARK},
    "tekton.dev/v1 Pipeline": {"tasks": [{"name": "a", "taskSpec": {"steps": [{"name": "a", "image": "a"}]}}]},
    "tekton.dev/v1 Task": {"steps": [{"name": "a", "image": "a", "computeResources": LIMITS}]},
    "trainer.kubeflow.org/v1alpha1 ClusterTrainingRuntime": TRAINING,
    "trainer.kubeflow.org/v1alpha1 TrainJob": {"runtimeRef": {"name": "a"}, "trainer": {"resourcesPerNode": LIMITS}},
    "trainer.kubeflow.org/v1alpha1 TrainingRuntime": TRAINING,
    "v1 Pod": POD,
    "v1 ReplicationController": {"replicas": 1, "selector": LABELS, "template": TEMPLATE},
}
HEAD = {"rayStartParams": {}, "template": AGENT}
SPARK_APPLICATION = {"type": "Python", "sparkVersion": "3.5.1", "mainApplicationFile": "local:///a.py", "driver": {}}
# What the CRDs of these kinds require besides their pods.
REQUIRED: dict[str, Any] = {
    "CronWorkflow": {"schedules": ["0 1 * * *"]},
    "NIMService": {"image": {"repository": "acme.azurecr.io/nim", "tag": "1"}, "authSecret": "ngc"},
    "RayCluster": {"headGroupSpec": HEAD},
    "RayCronJob": {"schedule": "0 1 * * *", "jobTemplate": {"rayClusterSpec": {"headGroupSpec": HEAD}}},
    "RayJob": {"rayClusterSpec": {"headGroupSpec": HEAD}},
    "RayService": {"rayClusterConfig": {"headGroupSpec": HEAD}},
    "ScheduledSparkApplication": {"schedule": "0 1 * * *", "template": SPARK_APPLICATION},
    "SparkApplication": SPARK_APPLICATION,
}
SILENT = ("DaemonSet", "Pipeline")  # pods on every node, and tasks that request no GPUs
WHOLE_CLUSTER = ("ClusterServingRuntime", "ClusterTrainingRuntime", "ClusterWorkflowTemplate")


def objects() -> list[dict[str, Any]]:
    """An object of each kind, in the namespace of its kind."""
    specs = {kind: spec(TEMPLATE) for kind, spec in SPECS.items()}
    specs |= {kind: spec(TEMPLATE) for kind, (_, spec) in ASSEMBLED.items()} | OTHERS
    found = []
    for name, spec in sorted(specs.items()):
        version, _, kind = name.partition(" ")
        metadata = {"name": f"{version.partition('/')[0].partition('.')[0]}-{kind}".lower()}
        space = {} if kind in WHOLE_CLUSTER else {"namespace": "ml"}
        whole = merge_named(spec, REQUIRED.get(kind, {}))
        found.append({"apiVersion": version, "kind": kind, "metadata": {**metadata, **space}, "spec": whole})
    return found


@pytest.fixture
def work(tmp_path: Path) -> Repository:
    work = repository(tmp_path)
    (work.root / "fleet.yaml").write_text(FLEET, encoding="utf-8")
    (work.root / "apps").mkdir()
    for body in objects():
        path = work.root / "apps" / f"{body['metadata']['name']}.yaml"
        path.write_text(yaml.dump(body, Dumper=yaml.CSafeDumper, sort_keys=False), encoding="utf-8")
    assert work.gitgpu("build") == 0
    return work


def test_there_is_one_of_each_kind() -> None:
    kinds = {(body["apiVersion"].rpartition("/")[0], body["kind"]) for body in objects()}
    assert kinds == set(WORKLOADS)


def test_all_kinds_are_linted(work: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert work.gitgpu("lint", "apps", "overlays", "-o", "json") == 0
    report = json.loads(capsys.readouterr().out)
    assert {result["code"] for result in report["results"]} & {"LNT015", "CNF002"} == set()


def test_all_kinds_are_simulated(work: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    """Each workload is placed, or a note says why it is not; templates have no pods of their own."""
    capsys.readouterr()
    assert work.gitgpu("simulate", "--workloads", "apps", "-o", "json") == 0
    forecast = json.loads(capsys.readouterr().out)
    placed = {workload["name"] for workload in forecast["workloads"]}
    said = json.dumps(forecast)
    for body in objects():
        complete = [template for template in templates_in(body) if not template.partial]
        name = body["metadata"]["name"]
        if complete and body["kind"] not in SILENT:
            assert name in placed, body["kind"]
        elif body["kind"] not in SILENT:
            assert name in said, body["kind"]


def test_all_kinds_are_imported(work: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    """A GpuWorkload for each kind that a patch reaches; every other object is reported."""
    source = work.root / "cluster"
    source.mkdir()
    for folder in ("apps", "overlays/prod/nodes"):
        for path in (work.root / folder).glob("*.yaml"):
            if path.name != "kustomization.yaml":
                (source / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    capsys.readouterr()
    options = ("--cluster", "prod", "--region", "eastus", "--kubernetes", "1.35", "--out", "new")
    work.gitgpu("import", "cluster", *options, "-o", "json")
    report = json.loads(capsys.readouterr().out)
    texts = [path.read_text(encoding="utf-8") for path in (work.root / "new").rglob("*.yaml")]
    documents = [body for text in texts for body in yaml.load_all(text, yaml.CSafeLoader) if body]
    targets = {body["spec"]["target"]["name"] for body in documents if body["kind"] == "GpuWorkload"}
    assert {"ray-raycluster", "jobset-jobset", "kubeflow-pytorchjob", "argoproj-workflow", "batch-cronjob"} <= targets
    said = json.dumps(report)
    assert [body["kind"] for body in objects() if body["metadata"]["name"] not in said] == []
