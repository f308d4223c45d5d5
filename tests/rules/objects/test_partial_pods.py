"""Pods that another object completes: faults in values that are always as written are found in each kind."""

from typing import Any

import yaml

from tests.helping.cases import for_each
from tests.lint.test_lint import linted

Body = dict[str, Any]

TERMS = "requiredDuringSchedulingIgnoredDuringExecution"
EXPRESSION = {"key": "a", "operator": "Is"}
POD: Body = {
    "nodeSelector": {"team": "a b"},
    "affinity": {"nodeAffinity": {TERMS: {"nodeSelectorTerms": [{"matchExpressions": [EXPRESSION]}]}}},
}
OF_POD = {("POD023", f"affinity/nodeAffinity/{TERMS}/nodeSelectorTerms/0/matchExpressions/0/operator")} | {
    ("POD028", "nodeSelector/team")
}
CONTAINER: Body = {"name": "main", "image": "A:1", "command": ["vllm serve m"], "ports": [{"containerPort": 80800}]}
OF_CONTAINER = {("POD044", "image"), ("POD099", "command/0"), ("POD031", "ports/0/containerPort")}
RESOURCES: Body = {
    "limits": {"nvidia.com/mig-1g.7gb": 1, "nvidia.com/gpu": 2, "memory": "1Gi"},
    "requests": {"nvidia.com/gpu": 1, "amd.com/gpu": 1, "memory": "2Gi"},  # the limit can be in the other object
}
OF_RESOURCES = {
    ("POD012", "limits/nvidia.com~1mig-1g.7gb"),
    ("POD009", "requests/nvidia.com~1gpu"),
    ("RSC006", "requests/memory"),
}
SPEC = {**POD, "containers": [{**CONTAINER, "resources": RESOURCES}]}
MODEL = {"modelFormat": {"name": "huggingface"}, **CONTAINER, "resources": RESOURCES}
JOB = {"name": "node", "template": {"spec": {"template": {"spec": SPEC}}}}
STEP = {**{key: value for key, value in CONTAINER.items() if key != "ports"}, "computeResources": RESOURCES}
FIRST = "containers/0"
# The spec of each kind, and the places of its pods, of its container and of the resources there.
KINDS: dict[str, tuple[Body, str, str, str]] = {
    "argoproj.io/v1alpha1 WorkflowTemplate": (
        {"entrypoint": "a", "templates": [{"name": "a", **POD, "container": {**CONTAINER, "resources": RESOURCES}}]},
        "templates/0",
        "templates/0/container",
        "templates/0/container/resources",
    ),
    "serving.kserve.io/v1alpha1 ServingRuntime": ({**SPEC}, "", FIRST, f"{FIRST}/resources"),
    "serving.kserve.io/v1alpha2 LLMInferenceService": (
        {"model": {"uri": "hf://a"}, "template": SPEC},
        "template",
        f"template/{FIRST}",
        f"template/{FIRST}/resources",
    ),
    "serving.kserve.io/v1beta1 InferenceService": (
        {"predictor": {**POD, "model": MODEL}},
        "predictor",
        "predictor/model",
        "predictor/model/resources",
    ),
    "sparkoperator.k8s.io/v1beta2 SparkApplication": (
        {"executor": {"template": {"spec": SPEC}}},
        "executor/template/spec",
        f"executor/template/spec/{FIRST}",
        f"executor/template/spec/{FIRST}/resources",
    ),
    "tekton.dev/v1 Task": ({"steps": [STEP]}, "", "steps/0", "steps/0/computeResources"),
    "trainer.kubeflow.org/v1alpha1 TrainJob": (
        {"runtimeRef": {"name": "torch"}, "trainer": {"resourcesPerNode": RESOURCES}},
        "",
        "",
        "trainer/resourcesPerNode",
    ),
    "trainer.kubeflow.org/v1alpha1 TrainingRuntime": (
        {"template": {"spec": {"replicatedJobs": [JOB]}}},
        "template/spec/replicatedJobs/0/template/spec/template/spec",
        f"template/spec/replicatedJobs/0/template/spec/template/spec/{FIRST}",
        f"template/spec/replicatedJobs/0/template/spec/template/spec/{FIRST}/resources",
    ),
}


def expected(kind: str) -> set[tuple[str, str]]:
    """The findings in the object of a kind, of what it can have."""
    spec, pod_at, container_at, resources_at = KINDS[kind]
    groups = ((OF_POD, pod_at), (OF_CONTAINER, container_at), (OF_RESOURCES, resources_at))
    places = {(code, "/".join(filter(None, ("/spec", at, place)))) for codes, at in groups for code, place in codes}
    return {(code, place) for code, place in places if exists(spec, place)}


def exists(spec: Any, place: str) -> bool:
    """Whether an object has a value at a place."""
    for part in place.split("/")[2:]:
        key = part.replace("~1", "/")
        if isinstance(spec, list):
            spec = spec[int(key)]
        elif key in spec:
            spec = spec[key]
        else:
            return False
    return True


@for_each("kind", KINDS)
def test_values_that_no_other_object_changes_are_judged(kind: str) -> None:
    version, _, name = kind.partition(" ")
    body = {"apiVersion": version, "kind": name, "metadata": {"name": "a", "namespace": "a"}, "spec": KINDS[kind][0]}
    findings = linted({"a.yaml": yaml.safe_dump(body, sort_keys=False)}).diagnostics
    assert {(finding.code, finding.pointer) for finding in findings} == expected(kind)


def test_values_that_the_other_object_can_have_are_not_missing() -> None:
    """A request without a limit, and values that are filled in later."""
    model = {"modelFormat": {"name": "onnx"}, "resources": {"requests": {"nvidia.com/gpu": 1}}}
    step = {"name": "a", "image": "$(params.image)", "command": ["$(params.command) --x"]}
    template = {"name": "a", "container": {"image": "{{inputs.parameters.image}}", "command": ["{{=a.b}} --c"]}}
    bodies = (
        ("serving.kserve.io/v1beta1", "InferenceService", {"predictor": {"model": model}}),
        ("tekton.dev/v1", "Task", {"steps": [step]}),
        ("argoproj.io/v1alpha1", "WorkflowTemplate", {"entrypoint": "a", "templates": [template]}),
    )
    objects = [
        {"apiVersion": version, "kind": kind, "metadata": {"name": "a", "namespace": "a"}, "spec": spec}
        for version, kind, spec in bodies
    ]
    assert linted({"a.yaml": yaml.safe_dump_all(objects)}).diagnostics == ()


SHARED = """
apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: {name: t, namespace: a}
spec: {entrypoint: a, templates: [{name: a, container: {image: "A:1"}}]}
---
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: one, namespace: a}
spec: {workflowTemplateRef: {name: t}}
---
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: two, namespace: a}
spec: {workflowTemplateRef: {name: t}}
"""


def test_a_value_that_several_objects_share_is_reported_once() -> None:
    [finding] = linted({"a.yaml": SHARED}).diagnostics
    assert (finding.code, finding.span.line) == ("POD044", 5)
