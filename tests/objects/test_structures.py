"""A value of another type on the way to the pods of an object is reported: it would hide the pods below it."""

from collections.abc import Iterator
from typing import Any

import yaml

from gitgpu.access import reach
from gitgpu.objects.workload.moved_places import move
from gitgpu.objects.workload.pod_templates import templates_in
from gitgpu.objects.workload.structure import COUNT, EACH, misfits
from gitgpu.runs.lint import LintOptions
from tests.helping.cases import for_each
from tests.journeys.test_kinds_of_workloads import objects
from tests.lint.test_lint import linted
from tests.objects.test_odd_workloads import changed

Place = tuple[str | int, ...]
WAYS = {
    "DynamoGraphDeployment": ("spec", "services", "a", "resources"),
    "LLMInferenceService": ("spec", "template"),
    "ScheduledSparkApplication": ("spec", "template", "executor", "gpu"),
    "SparkApplication": ("spec", "executor", "gpu"),
    "TrainJob": ("spec", "trainer", "resourcesPerNode"),
}
WITHOUT_SCHEMA = [body for body in objects() if "." in body["apiVersion"] and "keda" not in body["apiVersion"]]


def on_the_way(body: dict[str, Any]) -> Iterator[Place]:
    """The places of mappings and lists between the spec of an object and its pods."""
    [template, *_] = templates_in(body)
    pods = WAYS.get(body["kind"], move(template.pointer, template.moves))
    for length in range(2, len(pods) + 1):
        if isinstance(reach(body, *pods[:length]), dict | list):
            yield pods[:length]


def reported(body: dict[str, Any]) -> set[tuple[str, str]]:
    text = yaml.safe_dump(body, sort_keys=False)
    findings = linted({"a.yaml": text}, LintOptions("1.35", closed=True)).diagnostics
    return {(finding.code, finding.pointer) for finding in findings if finding.code == "CNF001"}


@for_each("body", WITHOUT_SCHEMA, ids=lambda body: f"{body['apiVersion']}-{body['kind']}")
def test_a_list_for_a_mapping_or_a_mapping_for_a_list_is_reported(body: dict[str, Any]) -> None:
    assert reported(body) == set()
    for at in on_the_way(body):
        value = reach(body, *at)
        wrong = [value] if isinstance(value, dict) else {"name": "a"}
        assert reported(changed(body, at, wrong)) == {("CNF001", "".join(f"/{part}" for part in at))}, at


@for_each(
    ("kind", "at"),
    [
        ("RayCluster", ("spec", "workerGroupSpecs", 0, "replicas")),
        ("RayCronJob", ("spec", "jobTemplate", "rayClusterSpec", "workerGroupSpecs", 0, "replicas")),
        ("JobSet", ("spec", "replicatedJobs", 0, "replicas")),
        ("PyTorchJob", ("spec", "pytorchReplicaSpecs", "Worker", "replicas")),
        ("NIMService", ("spec", "replicas")),
        ("SparkApplication", ("spec", "executor", "instances")),
        ("ModelDeployment", ("spec", "resources", "gpu", "count")),
    ],
)
@for_each("value", [-1, 0.5, "3", True])
def test_a_number_of_pods_that_is_no_number_is_reported(kind: str, at: Place, value: Any) -> None:
    [body] = [body for body in objects() if body["kind"] == kind]
    assert reported(changed(body, at, value)) == {("CNF001", "".join(f"/{part}" for part in at))}
    assert reported(changed(body, at, 0)) == set()


@for_each("value", [None, "${REPLICAS}", "{{workflow.parameters.n}}", "$(params.n)"])
def test_what_is_filled_in_later_fits(value: Any) -> None:
    structure = {"jobs": [{"replicas": COUNT}], "roles": {EACH: {"template": {}}}}
    for filled in ({"jobs": value}, {"jobs": [{"replicas": value}]}, {"roles": {"a": value}}, {"other": 1}):
        assert list(misfits(structure, filled, ())) == []
    [misfit] = misfits(structure, {"roles": {"a": {"template": [1]}}, "jobs": []}, ())
    assert misfit.pointer == ("roles", "a", "template")
