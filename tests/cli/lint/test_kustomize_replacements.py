"""A field that Kustomize's `replacements` fill is not judged: what is written there is a placeholder."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.fleets import write

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: chat, namespace: serving}
spec:
  containers:
  - name: main
    image: registry.example/chat:1.4
    resources: {limits: {nvidia.com/gpu: GPU_COUNT, memory: 1Gx}}
"""
SOURCE = "{kind: ConfigMap, name: sizes, fieldPath: data.gpus}"
SELECT = "{kind: Pod, name: chat}"


def codes(run: Run, targets: str, key: str = "replacements") -> list[str]:
    """The codes that lint reports in a kustomization with these targets."""
    write(POD, "pod.yaml")
    write(f"resources: [pod.yaml]\n{key}:\n- source: {SOURCE}\n  targets: {targets}\n", "kustomization.yaml")
    report = json.loads(run("lint", ".", "-o", "json").out)
    return [result["code"] for result in report["results"] if result["severity"] == "error"]


@pytest.mark.parametrize(
    "path",
    [
        "spec.containers.[name=main].resources.limits.nvidia\\.com/gpu",
        "spec.containers.0.resources.limits.[nvidia.com/gpu]",
        "spec.containers.*.resources.limits.*",
        "spec.containers",
    ],
)
def test_a_field_that_is_replaced_is_unknown(run: Run, path: str) -> None:
    others = [] if path.endswith(("*", "containers")) else ["CNF006"]  # the memory
    assert codes(run, f"[{{select: {SELECT}, fieldPaths: ['{path}']}}]") == others


@pytest.mark.parametrize(
    "target",
    [
        "{select: {kind: Pod, name: other}, fieldPaths: [spec.containers]}",
        "{select: {kind: Pod, name: chat}, fieldPaths: ['spec.containers.[name=sidecar].resources']}",
        "{select: {kind: Pod, name: chat}}",
        "{select: x, fieldPaths: 1}",
        "x",
    ],
)
def test_other_fields_are_judged(run: Run, target: str) -> None:
    assert codes(run, f"[{target}]").count("CNF006") >= 2 or "x" in target


def test_replacements_in_a_file(run: Run) -> None:
    write(POD, "pod.yaml")
    write("resources: [pod.yaml]\nreplacements: [{path: replacements.yaml}]\n", "kustomization.yaml")
    targets = f"[{{select: {SELECT}, fieldPaths: [spec.containers.0.resources]}}]"
    write(f"- source: {SOURCE}\n  targets: {targets}\n", "replacements.yaml")
    ran = run("lint", ".")
    assert "CNF006" not in ran.out
    Path("replacements.yaml").write_text("[]\n")
    assert "CNF006" in run("lint", ".").out
