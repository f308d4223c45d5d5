"""Delivery engines see no difference: objects in the API server equal what was sent, but for ignored fields.

An engine that applies server-side compares the fields that it sent. So the API server must not drop any of them, nor
add a default inside a value that an engine owns as a whole, such as a list without keys.
"""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from gitgpu.emit.manifest import Manifest, Role
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from tests.catalog.test_catalog_rows import rows
from tests.emit import fleets
from tests.helping.nested import values_inside
from tests.oracles.cel import compared, has_upstream, needs_crds, upstream_schema
from tests.test_upstream import of_the_example
from tools.contracts import CRDS, KINDS, OF_CHARTS, crd

# Fields that Kubernetes keeps even if they are empty or zero: pointers, and apiGroups, which can contain "".
KEPT = {
    "allowPrivilegeEscalation", "apiGroups", "automountServiceAccountToken", "backoffLimit", "emptyDir", "minReplicas",
    "readOnlyRootFilesystem", "replicas", "runAsNonRoot", "runAsUser",
}  # fmt: skip
FREE = {"data", "stringData", "annotations", "labels", "matchLabels", "nodeSelector"}  # maps: empty values stay
BUILT_IN = ("v1", "apps/v1", "autoscaling/v2", "batch/v1", "rbac.authorization.k8s.io/v1")


def nothings(value: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    """The paths of values that Kubernetes omits when it stores an object."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key not in KEPT and key not in FREE:
                yield from nothings(item, (*path, key))
    elif isinstance(value, list) and value:
        for item in value:
            yield from nothings(item, path)
    elif not value:
        yield ".".join(path)


def nulls(body: Any) -> Iterator[Any]:
    """The path of every null: an API server drops it from a custom resource."""
    return (value for _, value in values_inside(body) if value is None)


def dropped(manifests: list[Manifest]) -> list[str]:
    """What the API server would drop from these manifests."""
    lines = []
    for body in (manifest.body for manifest in manifests if manifest.role is Role.RESOURCE):
        at = nothings(body) if body["apiVersion"] in BUILT_IN else map(str, nulls(body))
        lines += [f"{body['kind']} {body['metadata']['name']}: {path}" for path in at]
    return lines


def added(manifests: list[Manifest]) -> list[str]:
    """The defaults that the API server would add inside values that an engine compares as a whole."""
    lines = []
    for body in (manifest.body for manifest in manifests if manifest.role is Role.RESOURCE):
        if has_upstream(dict(body)):
            schema = upstream_schema(body["apiVersion"], body["kind"])
            lines += [f"{body['kind']} {body['metadata']['name']}: {path}" for path in compared(schema, body)]
    return lines


def test_nothing_of_the_example_is_dropped() -> None:
    assert dropped(of_the_example()) == []


@given(fleets.pools())
def test_nothing_of_any_fleet_is_dropped(gpu_pools: list[fleets.Body]) -> None:
    assert dropped(list(fleets.emitted(fleets.fleet(), fleets.cluster(), *gpu_pools).manifests)) == []


def test_a_dropped_value_is_detected() -> None:
    container = {"name": "a", "env": [{"name": "A", "value": ""}], "args": [], "stdin": False}
    assert list(nothings({"spec": {"containers": [container]}})) == [
        "spec.containers.env.value", "spec.containers.args", "spec.containers.stdin",
    ]  # fmt: skip


@needs_crds
def test_no_default_is_added_to_what_an_engine_compares() -> None:
    assert added(of_the_example()) == []


@needs_crds
@given(fleets.pools())
def test_no_default_is_added_in_any_fleet(gpu_pools: list[fleets.Body]) -> None:
    for engine in ("flux", "argocd"):
        fleet = fleets.fleet(delivery={"engine": engine}, stack={"keda": "helm"})
        assert added(list(fleets.emitted(fleet, fleets.cluster(), *gpu_pools).manifests)) == []


@needs_crds
def test_a_default_inside_a_list_is_detected() -> None:
    """Such a default makes a ScrapeConfig differ forever. A default next to the list does no harm."""
    scrape = copy.deepcopy(next(dict(m.body) for m in of_the_example() if m.body["kind"] == "ScrapeConfig"))
    schema = upstream_schema(scrape["apiVersion"], "ScrapeConfig")
    assert list(compared(schema, scrape)) == []
    del scrape["spec"]["relabelings"][0]["action"]
    assert list(compared(schema, scrape)) == ["$.spec.relabelings[0].action"]
    pool = copy.deepcopy(next(dict(m.body) for m in of_the_example() if m.body["kind"] == "NodePool"))
    del pool["spec"]["disruption"]["consolidateAfter"]
    assert list(compared(upstream_schema(pool["apiVersion"], "NodePool"), pool)) == []


def test_a_claim_has_the_defaults_that_kubernetes_would_add() -> None:
    """Argo CD knows the defaults of built-in kinds except in this group, and `requests` is a list without keys."""
    claims = [m.body for m in of_the_example() if m.body["apiVersion"].startswith("resource.k8s.io/")]
    requests = [request["exactly"] for body in claims for request in body["spec"]["spec"]["devices"]["requests"]]
    assert requests
    assert all({"allocationMode", "count"} <= set(request) for request in requests)


def fields(schema: Any, path: str = "") -> Iterator[str]:
    """The paths of all fields of a structural schema, in the notation of `kubectl explain`."""
    for key, sub in schema.get("properties", {}).items():
        here = f"{path}.{key}".lstrip(".")
        yield here
        yield from fields(sub, here)
    if isinstance(schema.get("items"), dict):
        yield from fields(schema["items"], path)


def named(kind: str) -> str:
    """The name of the CRD of a kind, which is also the name of its file."""
    there = [name for name in KINDS if (CRDS / f"{name}.yaml").is_file()]
    (file,) = [name for name in there if _kind(name) == kind and "azmonitoring" not in name]
    return file


def _kind(name: str) -> str:
    kind: str = crd(name)["spec"]["names"]["kind"]
    return kind


INSTALLING = {name: row for name, row in rows("charts").items() if "definitions" in row}
OWN = {name: row for name, row in INSTALLING.items() if row["definitions"]["copy"] == "own"}


@needs_crds
def test_every_kind_of_a_chart_has_a_contract() -> None:
    kinds = [kind for row in INSTALLING.values() for kind in row["definitions"]["kinds"]]
    assert [kind for kind in kinds if not named(kind)] == []
    assert len(set(kinds)) == len(kinds)


def declared(file: str, folder: Path) -> set[str]:
    """The fields of all versions of a definition."""
    versions = crd(file, folder)["spec"]["versions"]
    return {field for version in versions for field in fields(version["schema"]["openAPIV3Schema"])}


UPSTREAM = CRDS.parent / "upstream" / "crds"
OLDER = [
    (name, version)
    for name in OWN
    for version in Catalog(CatalogFiles()).versions(name)
    if version != OWN[name]["version"]
]


def differences(new: Any, old: Any, path: str) -> Iterator[tuple[str, str]]:
    """The fields that only the new schema declares, and those that only the old one requires."""
    if new.get("type") == "array":
        yield from differences(new["items"], old.get("items", {}), path)
    for name in sorted({*old.get("required", ())} - {*new.get("required", ())}):
        yield "required", f"{path}.{name}"
    for name, sub in sorted(new.get("properties", {}).items()):
        if name in old.get("properties", {}):
            yield from differences(sub, old["properties"][name], f"{path}.{name}")
        elif not old.get("x-kubernetes-preserve-unknown-fields"):
            yield "undeclared", f"{path}.{name}"


@pytest.mark.skipif(not UPSTREAM.is_dir(), reason="the CRDs of older versions are not next to the project")
@pytest.mark.parametrize(("name", "version"), OLDER)
def test_the_fields_of_older_definitions_are_known(name: str, version: str) -> None:
    """By the CRDs of the project at that version, compared with those that the contracts are made from."""
    facts = Catalog(CatalogFiles()).versions(name)[version].facts["charts"]["definitions"]
    missing = []
    for kind in sorted(facts["kinds"]):
        new, old = (
            crd(named(kind), folder)["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
            for folder in (CRDS, UPSTREAM / f"{name}-{version}")
        )
        missing += [(what, kind, field) for what, field in differences(new, old, "spec")]
    own = "spec.triggers.metricType"  # which only the copy in the chart does not have
    listed = [
        (what, entry["kind"], entry["field"])
        for what in ("required", "undeclared")
        for entry in facts[what]
        if entry["field"] != own
    ]
    assert sorted(listed) == sorted(missing)


@pytest.mark.skipif(not OF_CHARTS.is_dir(), reason="the CRDs of charts are not next to the project")
@pytest.mark.parametrize("name", OWN)
def test_what_a_chart_does_not_declare_is_known(name: str) -> None:
    """A snapshot of the fields that are in the contract but not in the CRD of the pinned chart."""
    row = OWN[name]
    folder, missing = OF_CHARTS / f"{row['chart']}-{row['version']}", []
    for kind in row["definitions"]["kinds"]:
        file = named(kind)
        missing += [(kind, field) for field in sorted(declared(file, CRDS) - declared(file, folder))]
    assert missing == [(body["kind"], body["field"]) for body in row["definitions"]["undeclared"]]
