"""The pods of every kind are judged alike: a pod in a Deployment has the same findings in each other kind."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import pytest
import yaml

from gitgpu.diagnostic import ObjectRef
from gitgpu.objects.workload.pod_templates import WORKLOADS, templates_in
from gitgpu.rules.object_rulebook import object_rules
from gitgpu.runs.lint import LintOptions
from tests.lint.test_lint import linted

Body = dict[str, Any]
Placed = tuple[str, str, str]  # the code, the place in the pod spec, the message

REVISION = {"annotations": {"autoscaling.knative.dev/min-scale": "1"}}


def workers(template: Body) -> Body:
    return {"leaderWorkerTemplate": {"workerTemplate": template}}


def ray(template: Body) -> Body:
    return {"workerGroupSpecs": [{"groupName": "gpu", "replicas": 2, "template": template}]}


def jobs(template: Body) -> Body:
    return {"replicatedJobs": [{"name": "a", "replicas": 2, "template": {"spec": {"template": template}}}]}


def replicas(key: str, template: Body) -> Body:
    return {key: {"Worker": {"replicas": 2, "template": template}}}


def predictor(template: Body) -> Body:
    return {"predictor": {**template["spec"], **template.get("metadata", {})}}


# The spec of an object of each kind with this pod template.
SPECS: dict[str, Callable[[Body], Body]] = {
    "apps/v1 StatefulSet": lambda template: {"serviceName": "a", "selector": {}, "template": template},
    "argoproj.io/v1alpha1 Rollout": lambda template: {"replicas": 2, "template": template},
    "batch.volcano.sh/v1alpha1 Job": lambda template: {"tasks": [{"replicas": 2, "template": template}]},
    "jobset.x-k8s.io/v1alpha2 JobSet": jobs,
    "kubeflow.org/v1 JAXJob": lambda template: replicas("jaxReplicaSpecs", template),
    "kubeflow.org/v1 MXJob": lambda template: replicas("mxReplicaSpecs", template),
    "kubeflow.org/v1 Notebook": lambda template: {"template": template},
    "kubeflow.org/v1 PaddleJob": lambda template: replicas("paddleReplicaSpecs", template),
    "kubeflow.org/v1 PyTorchJob": lambda template: replicas("pytorchReplicaSpecs", template),
    "kubeflow.org/v1 TFJob": lambda template: replicas("tfReplicaSpecs", template),
    "kubeflow.org/v1 XGBoostJob": lambda template: replicas("xgbReplicaSpecs", template),
    "kubeflow.org/v2beta1 MPIJob": lambda template: replicas("mpiReplicaSpecs", template),
    "leaderworkerset.x-k8s.io/v1 LeaderWorkerSet": lambda template: {
        "leaderWorkerTemplate": {"workerTemplate": template}
    },
    "ray.io/v1 RayCluster": ray,
    "ray.io/v1 RayCronJob": lambda template: {"jobTemplate": {"rayClusterSpec": ray(template)}},
    "ray.io/v1 RayJob": lambda template: {"rayClusterSpec": ray(template)},
    "ray.io/v1 RayService": lambda template: {"rayClusterConfig": ray(template)},
    "serving.knative.dev/v1 Service": lambda template: {"template": template},
    "serving.kserve.io/v1beta1 InferenceService": predictor,
    "v1 ReplicationController": lambda template: {"replicas": 2, "template": template},
}
# Kubernetes' other kinds have rules of their own. The others have no template, or another object completes it.
ELSEWHERE = {
    ("", "Pod"),
    ("apps.nvidia.com", "NIMService"),
    ("apps", "DaemonSet"),
    ("apps", "Deployment"),
    ("apps", "ReplicaSet"),
    ("batch", "CronJob"),
    ("batch", "Job"),
    ("keda.sh", "ScaledJob"),
    ("nvidia.com", "DynamoGraphDeployment"),
    ("serving.kserve.io", "LLMInferenceService"),
    ("trainer.kubeflow.org", "ClusterTrainingRuntime"),
    ("sparkoperator.k8s.io", "ScheduledSparkApplication"),
    ("sparkoperator.k8s.io", "SparkApplication"),
    ("trainer.kubeflow.org", "TrainJob"),
    ("trainer.kubeflow.org", "TrainingRuntime"),
}
SCALERS = {"HorizontalPodAutoscaler", "ScaledObject"}
# What depends on the kind: the restart policy, whether pods end, and how many there are.
PARTS = 4  # each kind is tried with a fourth of the examples, and each example with a fourth of the kinds
BY_KIND = {"POD025", "POD090", "POD092", "POD095"}


def examples() -> Iterator[tuple[str, list[Body]]]:
    """The bad examples of rules with one Deployment or Pod, by the code of the rule."""
    for rule in object_rules():
        for number, text in enumerate(rule.bad_examples):
            bodies = [body for body in yaml.load_all(text, yaml.CSafeLoader) if body]
            kinds = [body.get("kind") for body in bodies]
            if kinds.count("Pod") + kinds.count("Deployment") == 1 and SCALERS.isdisjoint(kinds):
                yield f"{rule.code}-{number}", [deployment(body) for body in bodies]


def deployment(body: Body) -> Body:
    """A Deployment with the pods of a Pod; other objects as they are."""
    if body.get("kind") != "Pod":
        return body
    metadata = {key: value for key, value in body["metadata"].items() if key in ("annotations", "labels")}
    labels = {**metadata.get("labels", {}), "app": "a"}
    template = {"metadata": {**metadata, "labels": labels}, "spec": body["spec"]}
    spec = {"replicas": 2, "selector": {"matchLabels": labels}, "template": template}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": body["metadata"], "spec": spec}


EXAMPLES = dict(examples())


def found(bodies: list[Body], at: int) -> set[Placed]:
    """The findings in the pods of an object, with their places in the spec of the pods."""
    text = yaml.dump_all(bodies, Dumper=yaml.CSafeDumper, sort_keys=False)
    [*_, template] = templates_in(bodies[at])
    above = "".join(f"/{part}" for part in template.spec_at)
    kind, metadata = bodies[at]["kind"], bodies[at]["metadata"]
    ref = ObjectRef(kind, metadata.get("namespace", ""), metadata["name"])
    result = set()
    for finding in linted({"a.yaml": text}, LintOptions("1.35", closed=True)).diagnostics:
        _, is_inside, place = finding.pointer.partition(above)
        if finding.object == ref and is_inside:
            result.add((finding.code, place, finding.message.replace(kind, "Deployment")))
    return {placed for placed in result if placed[0] not in BY_KIND}


@cache
def of_deployment(name: str) -> tuple[int, set[Placed]]:
    """Where an example has its Deployment, and the findings in its pods."""
    at = next(number for number, body in enumerate(EXAMPLES[name]) if body.get("kind") == "Deployment")
    return at, found(EXAMPLES[name], at)


def moved(body: Mapping[str, Any], kind: str) -> Body:
    """The object of another kind with the pods of a Deployment."""
    api_version, _, name = kind.partition(" ")
    return {**body, "apiVersion": api_version, "kind": name, "spec": SPECS[kind](body["spec"]["template"])}


def test_every_kind_is_tried() -> None:
    tried = {(kind.partition(" ")[0].rpartition("/")[0], kind.partition(" ")[2]) for kind in SPECS}
    assert tried | ELSEWHERE == set(WORKLOADS)
    assert len(EXAMPLES) > 100


@pytest.mark.parametrize("kind", SPECS)
def test_the_pods_of_a_kind_have_the_findings_of_a_deployment(kind: str) -> None:
    different = {}
    first = list(SPECS).index(kind) % PARTS
    for name, bodies in list(EXAMPLES.items())[first::PARTS]:
        at, expected = of_deployment(name)
        of_kind = found([*bodies[:at], moved(bodies[at], kind), *bodies[at + 1 :]], at)
        if of_kind != expected:
            different[name] = (expected - of_kind, of_kind - expected)
    assert different == {}


NIM = """
apiVersion: apps.nvidia.com/v1alpha1
kind: NIMService
metadata: {name: a, namespace: a}
spec:
  image: {repository: nvcr.io/nim/meta/llama3-8b, tag: 1.0.0}
  initContainers: [{name: wait, image: {repository: busybox, tag: "1"}}]
  tolerations: [{key: sku, effect: NoSchedul}]
  resources: {limits: {nvidia.com/gpus: 1}, requests: {memory: 1Gx}}
"""
MODEL = """
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: a, namespace: a}
spec:
  predictor:
    tolerations: [{key: sku, effect: NoSchedul}]
    containers: [{name: proxy, image: proxy:1, resources: {limits: {memory: 1Gx}}}]
    model: {modelFormat: {name: huggingface}, resources: {limits: {nvidia.com/gpus: 1}}}
"""
GRAPH = """
apiVersion: nvidia.com/v1alpha1
kind: DynamoGraphDeployment
metadata: {name: a, namespace: a}
spec:
  services:
    decode:
      replicas: 2
      resources: {limits: {gpu: "1.5", memory: 1Gx}}
      extraPodSpec:
        tolerations: [{key: sku, effect: NoSchedul}]
        mainContainer: {image: "d:1", ports: [{containerPort: 80800}], volumeMounts: [{name: c, mountPath: /c}]}
"""
TRAIN_JOB = """
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: a, namespace: a}
spec:
  runtimeRef: {name: torch-distributed}
  trainer: {numNodes: 2, resourcesPerNode: {limits: {nvidia.com/gpus: 8, memory: 1Gx}}}
"""
SPARK = """
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: a, namespace: a}
spec:
  executor:
    instances: 3
    memory: 8g
    tolerations: [{key: sku, effect: NoSchedul}]
    gpu: {name: nvidia.com/gpus, quantity: 1}
    securityContext: {privileged: false, allowPrivilegeEscalation: false}
"""
PLACES = {
    TRAIN_JOB: {
        ("CNF006", "/spec/trainer/resourcesPerNode/limits/memory"),
        ("POD011", "/spec/trainer/resourcesPerNode/limits/nvidia.com~1gpus"),
    },
    SPARK: {
        ("POD010", "/spec/executor/tolerations/0/effect"),
        ("POD011", "/spec/executor/gpu/name"),
    },
    NIM: {
        ("POD010", "/spec/tolerations/0/effect"),
        ("POD011", "/spec/resources/limits/nvidia.com~1gpus"),
        ("CNF006", "/spec/resources/requests/memory"),
    },
    MODEL: {
        ("POD010", "/spec/predictor/tolerations/0/effect"),
        ("CNF006", "/spec/predictor/containers/0/resources/limits/memory"),
        ("POD011", "/spec/predictor/model/resources/limits/nvidia.com~1gpus"),
    },
    GRAPH: {
        ("CNF006", "/spec/services/decode/resources/limits/gpu"),
        ("CNF006", "/spec/services/decode/resources/limits/memory"),
        ("POD010", "/spec/services/decode/extraPodSpec/tolerations/0/effect"),
        ("POD031", "/spec/services/decode/extraPodSpec/mainContainer/ports/0/containerPort"),
    },
}


@pytest.mark.parametrize("text", PLACES, ids=["trainjob", "spark", "nim", "model", "graph"])
def test_pods_without_a_template_are_judged_where_they_are_written(text: str) -> None:
    findings = linted({"a.yaml": text}).diagnostics
    assert {(finding.code, finding.pointer) for finding in findings} == PLACES[text]
    lines = text.splitlines()
    for finding in findings:
        key = finding.pointer.rpartition("/")[2].replace("~1", "/")
        assert f"{key}: " in lines[finding.span.line - 1]


def test_graphs_have_pods_for_each_node() -> None:
    body = yaml.load(GRAPH, yaml.CSafeLoader)
    body["spec"]["services"]["decode"]["multinode"] = {"nodeCount": 4}
    [template] = templates_in(body)
    assert template.counted() == (8, 8, 4)
    body["spec"]["services"]["decode"]["multinode"] = {}
    [template] = templates_in(body)
    assert template.counted() == (4, 4, 2), "the default of its CRD"


def test_the_workers_of_an_mpi_job_have_a_default_of_their_own() -> None:
    template = {"spec": {"containers": [{"name": "c"}]}}
    roles = {"Launcher": {"template": template}, "Worker": {"template": template}}
    body = {"apiVersion": "kubeflow.org/v2beta1", "kind": "MPIJob", "spec": {"mpiReplicaSpecs": roles}}
    assert [template.counted().low for template in templates_in(body)] == [1, 0]


def test_the_pods_of_a_notebook_have_its_labels() -> None:
    template = {"metadata": {"labels": {"lost": "x"}}, "spec": {"containers": [{"name": "c"}]}}
    head = {"apiVersion": "kubeflow.org/v1", "kind": "Notebook", "metadata": {"labels": {"team": "a"}}}
    [found_template] = templates_in({**head, "spec": {"template": template}})
    assert found_template.labels == {"team": "a"}
