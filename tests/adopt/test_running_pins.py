"""Software in versions that the catalog lacks, from import to build: nothing of what was built restarts.

A fleet is built, and its software gets versions that the catalog lacks. The imported fleet builds the same again.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import pytest

from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.inventory.observed import Inventory, Observed, ObservedCluster
from gitgpu.runs.import_ import Imported, import_fleet
from tests.adopt.clusters import applied_patches, built, emitted, observed
from tests.adopt.test_first_build import live
from tests.adopt.test_running_rows import OWN
from tests.emit.fleets import A100, CATALOG, CLUSTER_ID, PROMETHEUS, Body, cluster, fleet, inputs_of, pool, workload

ND = "Standard_ND96isr_H100_v5"
SRIOV = CATALOG.must("containers", "sriov-device-plugin")["digest"]  # a NicClusterPolicy has it as the version
SCALING = {"engine": "hpa", "target": 70, "max": 4}
RESERVED = pool("nd", ND, provisioner="fixed", nodes={"min": 2, "max": 2}, rdma="sriov")
MODEL = {**workload("phi", ["a100"], inference={"preset": "phi-4-mini-instruct"})}
del MODEL["spec"]["target"]
# The chart or the image, its version, the stack that installs it, and what else is in the fleet.
SOFTWARE: Mapping[str, tuple[str, Body, tuple[Body, ...]]] = {
    "dra-driver-nvidia-gpu": ("0.3.9", {"driver": "operator", "allocation": "dra"}, ()),
    "gpu-operator": ("v25.3.2", {"driver": "operator"}, ()),
    "kaito-workspace": ("0.6.0", {"kaito": "helm", "versions": {"kaito-workspace": "0.11.0"}}, (MODEL,)),
    "keda": ("2.16.1", {"keda": "helm"}, ()),
    "network-operator": ("25.7.0", {}, (RESERVED,)),
    "node-feature-discovery": (
        "0.16.4",  # from a repository, as 0.17.4; later ones are from a registry
        {"discovery": "gfd", "versions": {"node-feature-discovery": "0.17.4"}},
        (),
    ),
    "prometheus-adapter": ("4.14.1", {"adapter": "helm"}, (workload("chat", ["a100"], scaling=SCALING),)),
}
IMAGES: Mapping[str, tuple[str, str, Body, tuple[Body, ...]]] = {
    "nvidia-device-plugin": ("v0.20.0", "v0.17.1", {}, ()),
    "dcgm-exporter": ("4.5.3-4.8.2-distroless", "4.2.3-4.2.0-ubuntu22.04", {}, ()),
    "sriov-device-plugin": (SRIOV, "network-operator-v25.7.0", {}, (RESERVED,)),
    "doca-driver": ("doca3.4.1-26.04-1.1.0.0-1", "doca3.1.0-25.07-0.9.7.0-0", {}, (RESERVED,)),
}


def running(stack: Body, others: tuple[Body, ...]) -> ObservedCluster:
    """What a fleet with the stack and a pool of A100s builds, as a server prints it, with its workloads."""
    metrics = {"metrics": PROMETHEUS}
    there = cluster(resourceId=CLUSTER_ID, stack={**metrics, **stack})
    inputs = inputs_of(fleet(), there, pool("a100", A100), *others)
    [own] = inputs.clusters
    seen = built(inputs, own)
    patched = tuple(observed(body) for body in applied_patches(inputs, own))
    return seen._replace(objects=(*map(as_stored, seen.objects), *patched))


def as_stored(each: Observed) -> Observed:
    return each._replace(body=live(each.body)) if each.body["kind"] == "DaemonSet" else each


def imported(seen: ObservedCluster) -> Imported:
    return import_fleet(Inventory((seen,)), ClusterOptions(), (OWN,), "fleet")


def with_chart(seen: ObservedCluster, chart: str, version: str) -> ObservedCluster:
    """The cluster with this version in the releases of a chart."""
    objects = []
    for each in seen.objects:
        body: Any = deepcopy(each.body)
        named = body.get("spec", {}).get("chart") if body["kind"] == "HelmRelease" else None
        if named and named["spec"]["chart"] == chart:
            named["spec"]["version"] = version
        if body["kind"] == "OCIRepository" and body["spec"]["url"].endswith(f"/{chart}"):
            body["spec"]["ref"] = {"tag": version}
        objects.append(each._replace(body=body))
    assert tuple(objects) != seen.objects
    return seen._replace(objects=tuple(objects))


def replaced(value: Any, old: str, new: str) -> Any:
    """The value with another version of an image, without its digest."""
    if isinstance(value, str):
        return value.partition("@")[0].replace(old, new) if old in value else value
    if isinstance(value, dict):
        return {key: replaced(inner, old, new) for key, inner in value.items()}
    return [replaced(inner, old, new) for inner in value] if isinstance(value, list) else value


def assert_nothing_restarts(made: Imported, seen: ObservedCluster) -> None:
    """The first build changes no node and no software, and writes each DaemonSet, release and policy as it runs."""
    assert [(change.title, change.effect, change.reason) for change in made.software] == []
    assert [(verdict.change.name, verdict.reason) for verdict in made.verdicts if not verdict.keeps_nodes] == []
    assert made.checked.inputs
    [own] = made.checked.inputs.clusters
    kinds = ("DaemonSet", "HelmRelease", "NicClusterPolicy", "OCIRepository")
    again = {name_of(as_stored(observed(body)).body): body for body in emitted(made.checked.inputs, own)}
    for each in seen.objects:
        if each.body["kind"] in kinds:
            key = name_of(each.body)
            assert read_by(as_stored(observed(again[key])).body) == read_by(each.body), key


def read_by(body: Mapping[str, Any]) -> Any:
    """The spec of an object. Charts of KAITO before 0.8.1 do not read the value, so gitgpu does not set it."""
    spec = deepcopy(body["spec"])
    if body["metadata"]["name"] == "kaito-workspace":
        spec.get("values", {}).pop("nvidiaDevicePlugin", None)
    return spec


def name_of(body: Mapping[str, Any]) -> tuple[str, str, str]:
    return body["kind"], body["metadata"].get("namespace", ""), body["metadata"]["name"]


@pytest.mark.parametrize("chart", SOFTWARE)
def test_a_chart(chart: str) -> None:
    version, stack, others = SOFTWARE[chart]
    name = "workspace" if chart == "kaito-workspace" else chart
    seen = with_chart(running(stack, others), name, version)
    made = imported(seen)
    assert f"releases/{chart}-{version}.yaml" in made.rows
    assert_nothing_restarts(made, seen)


@pytest.mark.parametrize("software", IMAGES)
def test_an_image(software: str) -> None:
    newest, version, stack, others = IMAGES[software]
    seen = running(stack, others)
    seen = seen._replace(
        objects=tuple(each._replace(body=replaced(each.body, newest, version)) for each in seen.objects)
    )
    made = imported(seen)
    assert f"releases/{software}-{version}.yaml" in made.rows
    assert_nothing_restarts(made, seen)
