"""Directories of arbitrary repositories: all commands skip files that are not Kubernetes objects."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

POOL = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: cpu}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: cpu}
      requirements:
      - {key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: cpu}
spec: {imageFamily: Ubuntu2204}
"""
POD = """\
apiVersion: v1
kind: Pod
metadata: {name: a}
spec: {containers: [{name: a, image: "a:1", resources: {limits: {nvidia.com/gpu: 1}}}]}
"""
WIDGET = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
"""


@pytest.fixture(autouse=True)
def repository(run: Run) -> None:
    """Runs in a directory with templates and with files of other tools."""
    Path("tree/chart/templates").mkdir(parents=True)
    for name, text in {
        "tree/stack.yaml": "Resources: {A: {Name: !Sub x}}\n",
        "tree/tsconfig.json": '{ // why\n "a": 1,}\n',
        "tree/play.yaml": "a: {{ b }}\n",
        "tree/chart/Chart.yaml": "name: x\n",
        "tree/chart/templates/a.yaml": "{{- if .Values.a }}\n",
        "tree/pool.yaml": POOL,
        "tree/pod.yaml": POD,
        "tree/vars.yaml": 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: "${A}"}\n',
        "tree/crd.yaml": WIDGET,
    }.items():
        Path(name).write_text(text, encoding="utf-8")


def findings(out: str) -> set[tuple[str, str]]:
    """The codes and severities of findings in JSON."""
    return {(result["code"], result["severity"]) for result in json.loads(out)["results"]}


def test_a_broken_link_in_a_directory_is_a_note(run: Run) -> None:
    Path("tree/gone.yaml").symlink_to("nowhere.yaml")
    ran = run("lint", "-o", "json", "tree")
    assert ("LNT013", "info") in findings(ran.out)
    assert ran.code != 2
    assert run("lint", "tree/gone.yaml").code == 2  # if it is named, it is reported as missing


def test_crds_are_found_in_any_repository(run: Run) -> None:
    Path("tree/gone.yaml").symlink_to("nowhere.yaml")
    Path("a.yaml").write_text("apiVersion: example.org/v1\nkind: Widget\nmetadata: {name: a}\n", encoding="utf-8")
    ran = run("lint", "-o", "json", "--crds", "tree", "a.yaml")
    assert (ran.code, findings(ran.out)) == (0, set())


def test_a_template_of_crds_is_still_an_error_where_it_is_named(run: Run) -> None:
    ran = run("lint", "-o", "json", "--crds", "tree/play.yaml", "tree/pool.yaml")
    assert ("LNT001", "error") in findings(ran.out)
