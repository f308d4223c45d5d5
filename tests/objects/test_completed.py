"""Pods that two objects describe together: judged and counted if both are in the input."""

from typing import Any

import yaml

from gitgpu.diagnostic import Diagnostic
from gitgpu.objects.workload.moved_places import move
from gitgpu.objects.workload.pod_templates import templates_in
from tests.lint.test_lint import linted
from tests.simulate.worlds import A100, CLASS, pool, verdicts

TASK_RUN = """
apiVersion: tekton.dev/v1
kind: TaskRun
metadata: {name: run, namespace: a}
spec:
  taskRef: {name: fit}
  podTemplate: {tolerations: [{key: sku, operator: Exists}]}
"""
TASK = """
apiVersion: tekton.dev/v1
kind: Task
metadata: {name: fit, namespace: a}
spec: {steps: [{name: fit, image: "x:1", computeResources: {limits: {nvidia.com/gpu: 1}}}]}
"""
PIPELINE_RUN = """
apiVersion: tekton.dev/v1
kind: PipelineRun
metadata: {name: run, namespace: a}
spec:
  pipelineRef: {name: pipe}
  taskRunSpecs: [{pipelineTaskName: one, podTemplate: {tolerations: [{key: sku, operator: Exists}]}}]
"""
PIPELINE = """
apiVersion: tekton.dev/v1
kind: Pipeline
metadata: {name: pipe, namespace: a}
spec: {tasks: [{name: one, taskRef: {name: fit}}]}
"""
WORKFLOW = """
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: run, namespace: a}
spec:
  workflowTemplateRef: {name: fit}
  tolerations: [{key: sku, operator: Exists}]
"""
WORKFLOW_TEMPLATE = """
apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: {name: fit, namespace: a}
spec:
  entrypoint: main
  templates: [{name: main, container: {image: "x:1", resources: {limits: {nvidia.com/gpu: 1}}}}]
"""
TRAIN_JOB = """
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: run, namespace: a}
spec:
  runtimeRef: {name: fit}
  trainer: {numNodes: 2, resourcesPerNode: {limits: {nvidia.com/gpu: 1}}}
"""
RUNTIME = """
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: fit}
spec:
  mlPolicy: {numNodes: 1}
  template:
    spec:
      replicatedJobs:
      - name: node
        template:
          metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}
          spec:
            template:
              spec:
                tolerations: [{key: sku, operator: Exists}]
                containers: [{name: node, image: "x:1", resources: {limits: {memory: 8Gi}}}]
"""
SERVICE = """
apiVersion: serving.kserve.io/v1beta1
kind: InferenceService
metadata: {name: run, namespace: a}
spec:
  predictor:
    maxReplicas: 2
    minReplicas: 2
    model:
      modelFormat: {name: huggingface}
      runtime: fit
      args: [--max-model-len=4096]
      resources: {limits: {nvidia.com/gpu: 1}}
"""
SERVING_RUNTIME = """
apiVersion: serving.kserve.io/v1alpha1
kind: ServingRuntime
metadata: {name: fit, namespace: a}
spec:
  supportedModelFormats: [{name: huggingface, version: "1"}]
  tolerations: [{key: sku, operator: Exists}]
  containers:
  - {name: kserve-container, image: "x:1", args: ["--model_name={{.Name}}"], resources: {limits: {memory: 8Gi}}}
"""
OF_CLUSTER = SERVING_RUNTIME.replace("ServingRuntime", "ClusterServingRuntime").replace(", namespace: a", "")
PAIRS = {
    "task": (TASK_RUN, (TASK,), 1),
    "pipeline": (PIPELINE_RUN, (PIPELINE, TASK), 1),
    "workflow": (WORKFLOW, (WORKFLOW_TEMPLATE,), 1),
    "runtime": (TRAIN_JOB, (RUNTIME,), 2),
    "serving runtime": (SERVICE, (SERVING_RUNTIME,), 2),
    "serving runtime of the cluster": (SERVICE, (OF_CLUSTER,), 2),
}
NODES = (CLASS, pool("a100", A100))


def bodies(*texts: str) -> list[dict[str, Any]]:
    return [yaml.load(text, yaml.CSafeLoader) for text in texts]


def findings(run: str, definitions: tuple[str, ...]) -> list[Diagnostic]:
    nodes = yaml.safe_dump_all(NODES)
    files = {"run.yaml": run, "nodes.yaml": nodes}
    files |= {f"other-{number}.yaml": text for number, text in enumerate(definitions)}
    diagnostics = linted(files).diagnostics
    return [each for each in diagnostics if each.code in ("POD001", "POD043", "NAM005", "CNF006")]


def test_the_pods_of_both_objects_are_placed() -> None:
    for name, (run, definitions, pods) in PAIRS.items():
        verdict = verdicts(*NODES, *bodies(run, *definitions))["run"]
        assert (verdict.verdict, verdict.high.placed) == ("schedulable", pods), name
        assert "run" not in verdicts(*NODES, *bodies(run)), "without the other object, nothing is known"


def test_a_toleration_of_either_object_counts() -> None:
    for name, (run, definitions, _) in PAIRS.items():
        assert findings(run, definitions) == [], name
        untolerated = tuple(text.replace("key: sku", "key: other") for text in (run, *definitions))
        assert {each.code for each in findings(untolerated[0], untolerated[1:])} == {"POD043"}, name
        assert findings(untolerated[0], ()) == [], "nothing false is said without the other object"


def test_a_fault_is_reported_in_the_file_that_has_it() -> None:
    """The volume that the container of the runtime mounts is nowhere; the amount is in the job."""
    mounting = RUNTIME.replace("image:", "volumeMounts: [{name: data, mountPath: /data}], image:")
    [missing] = [each for each in findings(TRAIN_JOB, (mounting,)) if each.code == "NAM005"]
    assert (missing.span.file, missing.message) == ("other-0.yaml", "the pod has no volume 'data'")
    wrong = TRAIN_JOB.replace("gpu: 1", "gpu: 0.5")
    [amount] = findings(wrong, (RUNTIME,))
    assert (amount.code, amount.span.file) == ("CNF006", "run.yaml")


def test_objects_of_other_namespaces_are_not_meant() -> None:
    for run, definitions, _ in PAIRS.values():
        elsewhere = [text.replace("namespace: a", "namespace: b") for text in definitions]
        if elsewhere != list(definitions):
            assert "run" not in verdicts(*NODES, *bodies(run, *elsewhere))


PATCH = """
  runtimePatches:
  - manager: kueue.x-k8s.io/manager
    trainingRuntimeSpec:
      template:
        spec:
          replicatedJobs:
          - {name: unknown, template: {spec: {template: {spec: {nodeSelector: {zone: "9"}}}}}}
          - name: node
            template: {spec: {template: {spec: {nodeSelector: {karpenter.sh/nodepool: POOL}}}}}
"""


def test_patches_of_a_train_job_change_its_runtime() -> None:
    def placed(pool_name: str) -> str:
        patch = PATCH.replace("POOL", pool_name)
        return verdicts(*NODES, *bodies(TRAIN_JOB + patch, RUNTIME))["run"].verdict

    assert (placed("a100"), placed("b200")) == ("schedulable", "unschedulable")
    wrong = PATCH.replace("karpenter.sh/nodepool: POOL", "karpenter.sh/nodepool: a1000")
    files = {"run.yaml": TRAIN_JOB + wrong, "nodes.yaml": yaml.safe_dump_all(NODES), "other.yaml": RUNTIME}
    [unknown] = [each for each in linted(files).diagnostics if "a1000" in each.message]
    assert (unknown.span.file, unknown.span.line) == ("run.yaml", 17), "the patch, not the runtime"


def test_a_runtime_of_the_namespace_comes_before_that_of_the_cluster() -> None:
    untolerated = OF_CLUSTER.replace("key: sku", "key: other")
    assert findings(SERVICE, (untolerated, SERVING_RUNTIME)) == []
    assert {each.code for each in findings(SERVICE, (untolerated,))} == {"POD043"}


def test_a_model_adds_to_the_container_of_its_runtime() -> None:
    [service, runtime] = bodies(SERVICE, SERVING_RUNTIME)
    service["spec"]["predictor"]["servingRuntime"] = runtime["spec"]
    [template] = templates_in(service)
    [container] = template.body["spec"]["containers"]
    assert container["args"] == ["--model_name={{.Name}}", "--max-model-len=4096"]
    assert container["resources"] == {"limits": {"memory": "8Gi", "nvidia.com/gpu": 1}}
    written = [move((*template.spec_at, "containers", 0, "args", index), template.moves) for index in (0, 1)]
    assert written == [
        ("spec", "predictor", "servingRuntime", "containers", 0, "args", 0),
        ("spec", "predictor", "model", "args", 0),
    ]


def test_a_fault_in_a_serving_runtime_is_reported_there() -> None:
    mounting = SERVING_RUNTIME.replace("image:", "volumeMounts: [{name: data, mountPath: /data}], image:")
    assert [each for each in findings(SERVICE, (mounting,)) if each.code == "NAM005"] == [], "KServe adds volumes"
    wrong = SERVING_RUNTIME.replace("memory: 8Gi", "memory: 8 Gi")
    amounts = [each for each in findings(SERVICE, (wrong,)) if each.code == "CNF006"]
    assert {each.span.file for each in amounts} == {"other-0.yaml"}


def test_workers_of_a_model_on_several_nodes_are_read() -> None:
    """How many there are depends on the GPUs of the runtime, so they are not simulated."""
    workers = "    workerSpec: {containers: [{name: worker-container, resources: {limits: {nvidia.com/gpu: 0.5}}}]}\n"
    assert [each.code for each in findings(SERVICE + workers, (SERVING_RUNTIME,))] == ["CNF006"]
    assert "run" not in verdicts(*NODES, *bodies(SERVICE + workers.replace("0.5", "1"), SERVING_RUNTIME))
