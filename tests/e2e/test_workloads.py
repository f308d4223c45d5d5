"""Pods of every workload that includes its component, and of every other generated template."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.client import Object
from tests.e2e.conftest import Cluster, Proved
from tests.e2e.fleet import OVERLAYS, clusters, identity, kustomize, layers, namespace, prepare, read, wipe

COMPONENTS = sorted(path.parent for path in OVERLAYS.glob("*/workloads/*.*/kustomization.yaml"))


def named(folder: Path) -> str:
    """How a case is called: the cluster and the workload."""
    return f"{folder.parents[1].name}/{folder.name}"


def base(patch: Object, place: str) -> Object:
    """The least that the owner of a workload writes: a name, a selector, and containers with images."""
    labels = {"app": patch["metadata"]["name"]}
    containers = [{"name": container["name"], "image": "example.com/app:1"} for container in containers_of(patch)]
    template = {"metadata": {"labels": labels}, "spec": {"containers": containers}}
    return {
        "apiVersion": patch["apiVersion"],
        "kind": patch["kind"],
        "metadata": {"name": patch["metadata"]["name"], "namespace": place},
        "spec": spec_of(patch["kind"], template, labels),
    }


def containers_of(patch: Object) -> list[Any]:
    """The containers that a patch names."""
    spec = patch["spec"]["jobTemplate"]["spec"] if patch["kind"] == "CronJob" else patch["spec"]
    return list(spec["template"]["spec"]["containers"])


def spec_of(kind: str, template: Object, labels: dict[str, str]) -> Object:
    """The spec of a workload that has this template."""
    job = {"template": {**template, "spec": {**template["spec"], "restartPolicy": "Never"}}}
    if kind == "CronJob":
        return {"schedule": "0 0 * * *", "jobTemplate": {"spec": job}}
    return job if kind == "Job" else {"selector": {"matchLabels": labels}, "template": template}


def pod(body: Object) -> Object | None:
    """The pod that an object would make, or nothing."""
    spec = body.get("spec") or {}
    spec = (spec.get("jobTemplate") or {}).get("spec") or spec.get("jobTargetRef") or spec
    template = spec.get("template")
    if not isinstance(template, dict) or "containers" not in template.get("spec", {}):
        return None
    metadata = {"namespace": body["metadata"]["namespace"], "generateName": f"{body['metadata']['name']}-"}
    inner = {"restartPolicy": "Never"} if body["kind"] in {"Job", "CronJob", "ScaledJob"} else {}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {**template.get("metadata", {}), **metadata},
        "spec": {**inner, **template["spec"]},
    }


@pytest.mark.parametrize("component", COMPONENTS, ids=named)
def test_a_workload_with_its_component_gets_pods(component: Path, cluster: Cluster, tmp_path: Path) -> None:
    """Kustomize takes the component into a kustomization of the owner; the object and its pod are accepted."""
    (patch,) = read(component, "[!k]*.yaml")
    place = component.name.partition(".")[0]
    (tmp_path / "app.yaml").write_text(yaml.safe_dump(base(patch, place)), encoding="utf-8")
    owner = {"resources": ["app.yaml"], "components": [os.path.relpath(component, tmp_path)]}
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump(owner), encoding="utf-8")
    (rendered,) = kustomize(tmp_path)
    namespace(cluster.client, place)
    assert cluster.client.apply(rendered, dry_run=True).warnings == ()
    wanted = pod(rendered)
    assert wanted
    answer = cluster.client.create(wanted, dry_run=True)
    assert answer.warnings == ()
    assert contains(answer.body["spec"], patch["spec"]["template"]["spec"])


def contains(actual: Any, wanted: Any) -> bool:
    """Is everything that is wanted there? Entries of lists may have company."""
    if isinstance(wanted, dict):
        return isinstance(actual, dict) and all(contains(actual.get(key), value) for key, value in wanted.items())
    if isinstance(wanted, list):
        return isinstance(actual, list) and all(any(contains(item, each) for item in actual) for each in wanted)
    return bool(actual == wanted)


@pytest.fixture(scope="module", params=clusters())
def templates(request: pytest.FixtureRequest, cluster: Cluster) -> Iterator[list[Object]]:
    """The pods of all templates that a cluster of the fleet gets, with what they need in place."""
    order = layers(request.param)
    verify = OVERLAYS / request.param / "verify"
    objects = [body for layer in order for body in layer.objects] + (kustomize(verify) if verify.is_dir() else [])
    prepare(cluster.client, objects)
    for body in objects:
        if body["kind"] in {"Namespace", "ServiceAccount"}:
            cluster.client.apply(body)
    yield [each for body in objects if (each := pod(body))]
    wipe(cluster.client)


def test_every_template_gives_a_pod(templates: list[Object], cluster: Cluster, proved: Proved) -> None:
    warned = [
        (identity(named_so(template)), cluster.client.create(template, dry_run=True).warnings) for template in templates
    ]
    assert [warning for warning in warned if warning[1]] == []
    proved(f"{len(templates)} pods of templates that are emitted: accepted, no warning")


def named_so(body: Object) -> Object:
    """An object that the API server is to name, with the name that it begins with."""
    return {**body, "metadata": {**body["metadata"], "name": body["metadata"]["generateName"]}}


def test_there_are_workloads(proved: Proved) -> None:
    assert COMPONENTS
    proved(f"{len(COMPONENTS)} workload components rendered with a workload; object and pod accepted, no warning")
