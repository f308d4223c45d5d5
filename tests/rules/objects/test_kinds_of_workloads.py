"""The pods of every kind are judged alike: a pod in a Deployment has the same findings in each other kind."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import pytest
import yaml

from gitgpu.diagnostic import ObjectRef, Severity
from gitgpu.model.names.groups import RAY_GROUP
from gitgpu.objects.workload.known_kinds import WORKLOAD_KINDS, WORKLOADS
from gitgpu.objects.workload.pod_templates import templates_in
from gitgpu.objects.workload.queueing import Gang
from gitgpu.objects.workload.template import Count
from gitgpu.rules.object_rulebook import object_rules
from gitgpu.runs.lint import LintOptions
from tests.helping.cases import for_each
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


def workflow(template: Body) -> Body:
    spec = {key: value for key, value in template["spec"].items() if key not in ("containers", "restartPolicy")}
    metadata = template.get("metadata", {})
    part = {"name": "a", "metadata": metadata, "containerSet": {"containers": template["spec"]["containers"]}, **spec}
    return {"entrypoint": "a", "templates": [part]}


def task_run(template: Body) -> Body:
    pod = {
        key: value for key, value in template["spec"].items() if key not in ("containers", "restartPolicy", "volumes")
    }
    steps = [
        {key.replace("resources", "computeResources"): value for key, value in container.items()}
        for container in template["spec"]["containers"]
    ]
    task = {"steps": steps, "metadata": template.get("metadata", {}), "volumes": template["spec"].get("volumes", [])}
    return {"taskSpec": task, "podTemplate": pod}


def pipeline_run(template: Body) -> Body:
    run = task_run(template)
    tasks = [{"name": "a", "taskSpec": run["taskSpec"]}]
    return {"pipelineSpec": {"tasks": tasks}, "taskRunTemplate": {"podTemplate": run["podTemplate"]}}


# Kinds that write the fields of a pod in several places, the fields that their pods can have, and such an object.
ARGO = frozenset(
    ("affinity", "containers", "nodeSelector", "restartPolicy", "schedulerName", "securityContext", "tolerations")
)
TEKTON = ARGO | {"hostNetwork", "priorityClassName", "runtimeClassName", "topologySpreadConstraints"}
ASSEMBLED: dict[str, tuple[frozenset[str], Callable[[Body], Body]]] = {
    "argoproj.io/v1alpha1 CronWorkflow": (ARGO, lambda template: {"workflowSpec": workflow(template)}),
    "argoproj.io/v1alpha1 Workflow": (ARGO, workflow),
    "tekton.dev/v1 PipelineRun": (TEKTON, pipeline_run),
    "tekton.dev/v1 TaskRun": (TEKTON, task_run),
}
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
    ("serving.kserve.io", "ClusterServingRuntime"),
    ("serving.kserve.io", "LLMInferenceService"),
    ("serving.kserve.io", "ServingRuntime"),
    ("airunway.ai", "ModelDeployment"),
    ("argoproj.io", "ClusterWorkflowTemplate"),
    ("argoproj.io", "WorkflowTemplate"),
    ("tekton.dev", "Pipeline"),
    ("tekton.dev", "Task"),
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
SELECTOR_MISMATCH = "NAM001"
WITHOUT_IMAGE = "POD110"


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


def found_anywhere(bodies: list[Body], at: int, above: str = "/spec/") -> set[tuple[str, str]]:
    """The findings in the spec of an object, wherever they are."""
    text = yaml.dump_all(bodies, Dumper=yaml.CSafeDumper, sort_keys=False)
    kind, metadata = bodies[at]["kind"], bodies[at]["metadata"]
    ref = ObjectRef(kind, metadata.get("namespace", ""), metadata["name"])
    diagnostics = linted({"a.yaml": text}, LintOptions("1.35", closed=True)).diagnostics
    findings = [finding for finding in diagnostics if finding.object == ref and finding.pointer.startswith(above)]
    lines = text.splitlines()
    for finding in findings:
        key = finding.pointer.rpartition("/")[2].replace("~1", "/")
        near = lines[finding.span.line - 2 : finding.span.line]  # a value can be below its key
        assert key.isdecimal() or any(f"{key}:" in line for line in near), finding
    pairs = {(finding.code, finding.message.replace(kind, "Deployment")) for finding in findings}
    return {pair for pair in pairs if pair[0] not in {*BY_KIND, SELECTOR_MISMATCH}}


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
        if finding.object == ref and is_inside and not place.startswith(("/labels/", "/annotations/")):
            result.add((finding.code, place, finding.message.replace(kind, "Deployment")))
    return {placed for placed in result if placed[0] not in BY_KIND}


@cache
def of_deployment(name: str) -> tuple[int, set[Placed]]:
    """Where an example has its Deployment, and the findings in its pods."""
    at = next(number for number, body in enumerate(EXAMPLES[name]) if body.get("kind") == "Deployment")
    return at, found(EXAMPLES[name], at)


@cache
def of_whole_deployment(name: str) -> tuple[int, set[tuple[str, str]]]:
    """Where an example has its Deployment, and the findings in its spec."""
    at = next(number for number, body in enumerate(EXAMPLES[name]) if body.get("kind") == "Deployment")
    return at, found_anywhere(EXAMPLES[name], at, "/spec/template/")


def moved(body: Mapping[str, Any], kind: str) -> Body:
    """The object of another kind with the pods of a Deployment."""
    api_version, _, name = kind.partition(" ")
    spec = SPECS[kind] if kind in SPECS else ASSEMBLED[kind][1]
    return {**body, "apiVersion": api_version, "kind": name, "spec": spec(body["spec"]["template"])}


def works_together(kind: str) -> bool:
    """Whether the pods of a kind work together, so that a server can spread over them."""
    api_version, _, name = kind.partition(" ")
    group = api_version.rpartition("/")[0]
    known = WORKLOAD_KINDS.get((group, name))
    return group == RAY_GROUP or (known is not None and known.gang_in({}) is not Gang.POD)


def adds_images(kind: str) -> bool:
    """Whether the controller of a kind has images for containers without one."""
    api_version, _, name = kind.partition(" ")
    return WORKLOAD_KINDS[api_version.rpartition("/")[0], name].adds_images


def is_of_stages(placed: Placed) -> bool:
    """Whether a finding is about the stages of a pipeline in one container."""
    return placed[0] == "POD050" and " needs " in placed[2]


def test_every_kind_is_tried() -> None:
    tried = {(kind.partition(" ")[0].rpartition("/")[0], kind.partition(" ")[2]) for kind in (*SPECS, *ASSEMBLED)}
    assert tried | ELSEWHERE == set(WORKLOADS)
    assert len(EXAMPLES) > 100


@pytest.mark.parametrize("kind", SPECS)
def test_the_pods_of_a_kind_have_the_findings_of_a_deployment(kind: str) -> None:
    different = {}
    first = list(SPECS).index(kind) % PARTS
    for name, bodies in list(EXAMPLES.items())[first::PARTS]:
        at, expected = of_deployment(name)
        of_kind = found([*bodies[:at], moved(bodies[at], kind), *bodies[at + 1 :]], at)
        if works_together(kind):
            expected = {placed for placed in expected if not is_of_stages(placed)}
        if adds_images(kind):
            expected = {placed for placed in expected if placed[0] != WITHOUT_IMAGE}
        if of_kind != expected:
            different[name] = (expected - of_kind, of_kind - expected)
    assert different == {}


@pytest.mark.parametrize("kind", ASSEMBLED)
def test_pods_from_several_places_have_the_findings_of_a_deployment(kind: str) -> None:
    different = {}
    tried = 0
    for name, bodies in EXAMPLES.items():
        at, expected = of_whole_deployment(name)
        fields = bodies[at]["spec"]["template"]["spec"]
        # Pods of these kinds get the labels of the object itself, which are not in its spec.
        if not isinstance(fields, dict) or not ASSEMBLED[kind][0] >= fields.keys() or name.startswith("APL113"):
            continue
        tried += 1
        if adds_images(kind):
            expected = {pair for pair in expected if pair[0] != WITHOUT_IMAGE}
        of_kind = found_anywhere([*bodies[:at], moved(bodies[at], kind), *bodies[at + 1 :]], at)
        if of_kind != expected:
            different[name] = (sorted(expected - of_kind), sorted(of_kind - expected))
    assert tried > 50
    assert different == {}


COMPLETED = """
apiVersion: tekton.dev/v1
kind: TaskRun
metadata: {name: a, namespace: a}
spec:
  taskSpec:
    steps: [{image: "a:1", script: "true"}, {image: "a:1"}, {name: test, image: "a:1"}]
    sidecars: [{image: "b:1"}, {image: "b:2"}]
---
apiVersion: serving.knative.dev/v1
kind: Service
metadata: {name: a, namespace: a}
spec:
  template:
    spec:
      containers:
      - image: a:1
        ports: [{containerPort: 8080}]
        livenessProbe: {httpGet: {path: /healthz}}
        readinessProbe: {tcpSocket: {}}
      - image: b:1
---
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: a, namespace: a}
spec:
  entrypoint: main
  templates:
  - name: main
    container: {image: "a:1", volumeMounts: [{name: foo, mountPath: /foo}]}
    initContainers: [{name: hello, image: "a:1", mirrorVolumeMounts: true}]
  volumes: [{name: foo, emptyDir: {}}]
"""


def test_what_a_controller_completes_is_not_missing() -> None:
    """Names of steps and containers, ports of probes; a field of Argo's own containers."""
    found = linted({"a.yaml": COMPLETED}, LintOptions("1.35")).diagnostics
    assert [str(finding) for finding in found if finding.severity is Severity.ERROR] == []


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
LLM = """
apiVersion: serving.kserve.io/v1alpha2
kind: LLMInferenceService
metadata: {name: a, namespace: a}
spec:
  replicas: 2
  parallelism: {data: 8, dataLocal: 2}
  labels: {team: "a b"}
  template: {containers: [{name: main, resources: {limits: {nvidia.com/gpus: 2}}}]}
  worker: {tolerations: [{key: sku, effect: NoSchedul}], containers: [{name: main, resources: {limits: {memory: 1Gx}}}]}
  prefill: {scaling: {minReplicas: 1, maxReplicas: 3}, template: {containers: [{name: main}]}}
"""
RUNWAY = """
apiVersion: airunway.ai/v1alpha1
kind: ModelDeployment
metadata: {name: a, namespace: a}
spec:
  model: {id: microsoft/phi-4}
  resources: {gpu: {count: 2, type: nvidia.com/gpus}, memory: 1Gx}
  scaling: {replicas: 3}
  tolerations: [{key: sku, effect: NoSchedul}]
"""
COMPONENTS = """
apiVersion: nvidia.com/v1beta1
kind: DynamoGraphDeployment
metadata: {name: a, namespace: a}
spec:
  components:
    - name: decode
      replicas: 2
      multinode: {nodeCount: 2}
      podTemplate:
        spec:
          tolerations: [{key: sku, effect: NoSchedul}]
          containers: [{name: main, image: "d:1", resources: {limits: {nvidia.com/gpus: 8}}}]
"""
WORKFLOW = """
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: a-, namespace: a}
spec:
  entrypoint: main
  tolerations: [{key: sku, effect: NoSchedul}]
  podMetadata: {annotations: {karpenter.sh/do-not-disrupt: "yes"}}
  templates:
    - name: main
      steps:
        - [{name: a, template: train, withItems: [1, 2, 3]}]
        - [{name: b, inline: {container: {image: "b:1", resources: {limits: {memory: 1Gx}}}}}]
    - name: train
      nodeSelector: {kubernetes.azure.com/accelerator: "{{workflow.parameters.gpu}}"}
      script: {image: "a:1", source: train(), resources: {limits: {nvidia.com/gpus: 1}}}
      sidecars: [{name: s, image: "s:1", mirrorVolumeMounts: true, resources: {requests: {memory: 2Gx}}}]
"""
PIPELINE_RUN = """
apiVersion: tekton.dev/v1
kind: PipelineRun
metadata: {name: a, namespace: a}
spec:
  taskRunTemplate: {podTemplate: {tolerations: [{key: sku, effect: NoSchedul}]}}
  taskRunSpecs:
    - {pipelineTaskName: train, stepSpecs: [{name: fit, computeResources: {limits: {nvidia.com/gpus: 1}}}]}
  pipelineSpec:
    tasks:
      - name: train
        matrix: {params: [{name: seed, value: ["1", "2"]}, {name: size, value: [s, m, l]}]}
        taskSpec:
          steps: [{name: fit, image: "a:1"}, {name: save, image: "b:1", computeResources: {requests: {memory: 1Gx}}}]
"""
PLACES = {
    LLM: {
        ("CNF004", "/spec/labels/team"),
        ("CNF006", "/spec/worker/containers/0/resources/limits/memory"),
        ("POD010", "/spec/worker/tolerations/0/effect"),
        ("POD011", "/spec/template/containers/0/resources/limits/nvidia.com~1gpus"),
    },
    RUNWAY: {
        ("CNF006", "/spec/resources/memory"),
        ("POD010", "/spec/tolerations/0/effect"),
        ("POD011", "/spec/resources/gpu/type"),
    },
    COMPONENTS: {
        ("POD010", "/spec/components/0/podTemplate/spec/tolerations/0/effect"),
        ("POD011", "/spec/components/0/podTemplate/spec/containers/0/resources/limits/nvidia.com~1gpus"),
    },
    WORKFLOW: {
        ("CNF006", "/spec/templates/0/steps/1/0/inline/container/resources/limits/memory"),
        ("POD010", "/spec/tolerations/0/effect"),
        ("POD011", "/spec/templates/1/script/resources/limits/nvidia.com~1gpus"),
        ("CNF006", "/spec/templates/1/sidecars/0/resources/requests/memory"),
    },
    PIPELINE_RUN: {
        ("CNF006", "/spec/pipelineSpec/tasks/0/taskSpec/steps/1/computeResources/requests/memory"),
        ("POD010", "/spec/taskRunTemplate/podTemplate/tolerations/0/effect"),
        ("POD011", "/spec/taskRunSpecs/0/stepSpecs/0/computeResources/limits/nvidia.com~1gpus"),
    },
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


@for_each(
    "text",
    PLACES,
    ids=["llm", "runway", "components", "workflow", "pipeline", "trainjob", "spark", "nim", "model", "graph"],
)
def test_pods_without_a_template_are_judged_where_they_are_written(text: str) -> None:
    findings = linted({"a.yaml": text}).diagnostics
    assert {(finding.code, finding.pointer) for finding in findings} == PLACES[text]
    lines = text.splitlines()
    for finding in findings:
        key = finding.pointer.rpartition("/")[2].replace("~1", "/")
        assert f"{key}: " in lines[finding.span.line - 1]


def test_workflows_have_a_pod_for_each_run_of_a_template() -> None:
    body = yaml.load(WORKFLOW, yaml.CSafeLoader)
    inline, train = sorted(templates_in(body), key=lambda template: len(template.pointer), reverse=True)
    assert (inline.counted(), train.counted()) == (Count(0, 1), Count(0, 3))
    body["spec"]["parallelism"] = 2
    assert [template.counted().high for template in templates_in(body)] == [2, 1]
    body["spec"]["templates"][0]["steps"][0][0] = {"template": "train", "withParam": "{{inputs.parameters.seeds}}"}
    del body["spec"]["parallelism"]
    assert [template.counted().bounded for template in templates_in(body)] == [False, True]


def test_workflows_of_templates_that_call_each_other_are_read() -> None:
    """Some run themselves, and many call others twice: the number of runs doubles with each."""
    loop = {"name": "loop", "steps": [[{"name": "a", "template": "loop"}, {"name": "b", "template": "t0"}]]}
    parts: list[Body] = [loop]
    for number in range(300):
        step = {"name": "a", "template": f"t{number + 1}"}
        parts.append({"name": f"t{number}", "steps": [[step, {**step, "name": "b"}]]})
    parts.append({"name": "t300", "container": {"image": "a"}})
    spec = {"entrypoint": "loop", "templates": parts}
    [template] = templates_in({"apiVersion": "argoproj.io/v1alpha1", "kind": "Workflow", "spec": spec})
    assert not template.counted().bounded


def test_a_matrix_has_a_pod_for_each_combination() -> None:
    [template] = templates_in(yaml.load(PIPELINE_RUN, yaml.CSafeLoader))
    assert template.counted() == Count(0, 6)


def test_a_server_of_several_nodes_has_workers_for_each_replica() -> None:
    counts = [template.counted() for template in templates_in(yaml.load(LLM, yaml.CSafeLoader))]
    assert counts == [Count(2, 2), Count(6, 6, 3), Count(1, 3)]
    [runway] = templates_in(yaml.load(RUNWAY, yaml.CSafeLoader))
    assert runway.counted() == Count(3, 3)
    [component] = templates_in(yaml.load(COMPONENTS, yaml.CSafeLoader))
    assert component.counted() == Count(4, 4, 2)


def test_graphs_have_pods_for_each_node() -> None:
    body = yaml.load(GRAPH, yaml.CSafeLoader)
    body["spec"]["services"]["decode"]["multinode"] = {"nodeCount": 4}
    [template] = templates_in(body)
    assert template.counted() == Count(8, 8, 4)
    body["spec"]["services"]["decode"]["multinode"] = {}
    [template] = templates_in(body)
    assert template.counted() == Count(4, 4, 2), "the default of its CRD"


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
