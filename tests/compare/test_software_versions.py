"""A plan lists every chart and image whose version changes, whatever installs it."""

from functools import lru_cache
from typing import Any

import pytest

from gitgpu.compare import Both, Context, compare_clusters
from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from gitgpu.model.catalog import catalog
from gitgpu.model.software.transitions import Transition, Verdict
from gitgpu.objects.schema.contract import Contracts
from gitgpu.runs.build import build
from gitgpu.runs.validate import link_fleet
from tests.adopt.test_running_versions import OLDER, spec_of
from tests.compare.sides import between, overlays

CONTEXT = Context(catalog(()), Contracts(Schemas()))
REGISTRY = "spec: {registry: {mirror: contoso.azurecr.io/mirror, charts: 'oci://contoso.azurecr.io/charts'}, delivery:"


@lru_cache(4)  # each is compared in both directions
def files(spec: str) -> dict[str, str]:
    """The files that a fleet builds."""
    made = build(link_fleet([Text("fleet.yaml", spec, "fleet.yaml")]), list)
    assert made.errors == ()
    return dict(made.files)


def transitions_of(before: str, after: str) -> list[Transition]:
    """The version changes between two specs of a cluster."""
    changes, faults = compare_clusters(Both(files(before), files(after), "", {"prod": "swedencentral"}), CONTEXT)
    assert faults == []
    return [each for cluster in changes for each in cluster.transitions]


def steps(before: str, after: str) -> list[tuple[str, str, str]]:
    """The name and versions of each change."""
    return [each[:3] for each in transitions_of(before, after)]


def verdicts(before: str, after: str) -> dict[str, Verdict]:
    """The verdict on each change, by name."""
    return {each.software: each.verdict for each in transitions_of(before, after)}


@pytest.mark.parametrize("engine", ["flux", "argocd"])
@pytest.mark.parametrize(("fleet", "software", "version"), OLDER)
def test_every_pin_that_changes_is_named(fleet: str, software: str, version: str, engine: str) -> None:
    older, newest = (spec_of(fleet, pins, engine=engine) for pins in (f"{{{software}: {version!r}}}", "{}"))
    last = list(CONTEXT.catalog.versions(software))[-1]
    assert steps(older, newest) == [(software, version, last)]
    assert steps(newest, older) == [(software, last, version)]


@pytest.mark.parametrize("engine", ["flux", "argocd"])
def test_in_your_own_registry(engine: str) -> None:
    pins = "{keda: 2.19.0, nvidia-device-plugin: v0.18.2, dcgm-exporter: 4.4.1-4.6.0-distroless}"
    older, newest = (
        spec_of("aks", text, engine=engine).replace("spec: {delivery:", REGISTRY).replace("gfd", "gfd, keda: helm")
        for text in (pins, "{}")
    )
    assert [name for name, _, _ in steps(older, newest)] == ["dcgm-exporter", "keda", "nvidia-device-plugin"]
    with_mirror = newest
    without = newest.replace(REGISTRY, "spec: {delivery:")
    assert steps(without, with_mirror) == []


@pytest.mark.parametrize("registry", ["", "spec: {registry: {charts: 'oci://contoso.azurecr.io/charts'}, delivery:"])
@pytest.mark.parametrize("engine", ["flux", "argocd"])
@pytest.mark.parametrize(("branch", "verdict"), [("", Verdict.MANUAL), ("  driverBranch: '580'\n", Verdict.BLOCKED)])
def test_the_values_before_the_change_decide(engine: str, registry: str, branch: str, verdict: Verdict) -> None:
    """A branch needs NVIDIADriver objects, which v26.3.3 does not upgrade."""
    older, newer = (
        spec_of("operator", f"{{gpu-operator: {version}}}", engine=engine) for version in ("v25.10.1", "v26.3.3")
    )
    if registry:
        older, newer = (text.replace("spec: {delivery:", registry) for text in (older, newer))
        assert "oci:" in older
    older, newer = (
        text.replace("  sku: Standard_NC16as", f"{branch}  sku: Standard_NC16as") for text in (older, newer)
    )
    assert verdicts(older, newer) == {"gpu-operator": verdict}
    assert verdicts(older, newer.replace("gpus: 16", "gpus: 24")) == {"gpu-operator": verdict}


@pytest.mark.parametrize(("discovery", "pods"), [("gfd", ("gpu-feature-discovery",)), ("none", ())])
def test_the_pods_of_an_image_are_those_that_name_it(discovery: str, pods: tuple[str, ...]) -> None:
    older, newer = (
        spec_of("aks", text).replace("gfd", discovery) for text in ("{nvidia-device-plugin: v0.18.2}", "{}")
    )
    (transition,) = transitions_of(older, newer)
    assert transition.restarts == (*pods, "nvidia-device-plugin")
    assert transition.crds == ()


def test_added_or_removed_software_has_no_transition() -> None:
    spec = spec_of("aks", "{}")
    assert steps(spec, spec.replace("gfd", "gfd, keda: helm")) == []
    assert steps(spec.replace("gfd", "gfd, keda: helm"), spec) == []


def test_an_image_name_that_several_vendors_use_is_not_reported() -> None:
    def agent(image: str) -> dict[str, str]:
        labels = {"app": "agent"}
        template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "agent", "image": image}]}}
        spec = {"selector": {"matchLabels": labels}, "template": template}
        return overlays([{"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "agent"}, "spec": spec}])

    def named(repository: str) -> list[str]:
        [change] = between(agent(f"{repository}:v0.18.1"), agent(f"{repository}:v0.18.2"))
        return [each.software for each in change.transitions]

    assert named("registry.example.com/k8s-device-plugin") == []
    assert named("registry.example.com/nvidia/k8s-device-plugin") == ["nvidia-device-plugin"]
    assert named("registry.example.com/agent") == []


def application(version: str, *, several: bool, helm: dict[str, Any]) -> dict[str, str]:
    """An Application of the GPU Operator, with the chart in `source` or in `sources`."""
    chart = {"repoURL": "https://helm.ngc.nvidia.com/nvidia", "chart": "gpu-operator", "targetRevision": version}
    values = {"repoURL": "https://github.com/contoso/gpus", "targetRevision": "main"}
    sources = {"sources": [values, {**chart, "helm": helm}]} if several else {"source": {**chart, "helm": helm}}
    return overlays([{"apiVersion": "argoproj.io/v1alpha1", "kind": "Application",
                      "metadata": {"name": "operator"}, "spec": sources}])  # fmt: skip


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize(
    ("helm", "verdict"),
    [
        ({"valuesObject": {"driver": {"enabled": False}}}, Verdict.SAFE),
        ({"valuesObject": {"driver": {"nvidiaDriverCRD": {"enabled": True}}}}, Verdict.BLOCKED),
        ({}, Verdict.MANUAL),
        ({"values": "a: b", "valuesObject": {"driver": {"enabled": False}}}, Verdict.MANUAL),
    ],
)
def test_an_application_with_values(helm: dict[str, Any], verdict: Verdict, *, several: bool) -> None:
    """Values in a text are not read, so they could set anything."""
    older, newer = (application(version, several=several, helm=helm) for version in ("v25.10.1", "v26.3.3"))
    [change] = between(older, newer)
    assert [(each.software, each.verdict) for each in change.transitions] == [("gpu-operator", verdict)]
