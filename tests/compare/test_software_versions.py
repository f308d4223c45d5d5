"""A plan lists every chart and image whose version changes, whatever installs it."""

from functools import lru_cache
from typing import Any

import pytest

from gitgpu.compare import Both, Context, compare_clusters
from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from gitgpu.model.catalog import catalog
from gitgpu.model.software.transitions import Transition, Verdict
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.report.comparison.transitions import Step, step_lines
from gitgpu.runs.build import build
from gitgpu.runs.validate import link_fleet
from tests.adopt.test_running_versions import OLDER, spec_of
from tests.compare.sides import between, overlays
from tests.helping.cases import for_each

CONTEXT = Context(catalog(()), Contracts(Schemas()))
REGISTRY = "spec: {registry: {mirror: contoso.azurecr.io/mirror, charts: 'oci://contoso.azurecr.io/charts'}, delivery:"


@lru_cache(4)  # each is compared in both directions
def files(spec: str) -> dict[str, str]:
    """The files that a fleet builds."""
    made = build(link_fleet([Text("fleet.yaml", spec, "fleet.yaml")]))
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


@for_each("several", [False, True])
@for_each(
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


def helm_release(chart: str, version: str, namespace: str, /, **spec: Any) -> dict[str, str]:
    """A HelmRelease, named like the chart unless `name` says otherwise."""
    source = {"kind": "HelmRepository", "name": "charts", "namespace": "flux-system"}
    name = spec.pop("name", chart)
    of_chart = {"chart": {"spec": {"chart": chart, "version": version, "sourceRef": source}}}
    body = {"targetNamespace": namespace, "releaseName": chart, **of_chart, **spec}
    body = {key: value for key, value in body.items() if value is not None}
    return overlays([{"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
                      "metadata": {"name": name, "namespace": "flux-system"}, "spec": body}])  # fmt: skip


@for_each(("upgrade", "by"), [("CreateReplace", "Flux"), ("Create", ""), ("Skip", ""), (None, "")])
def test_flux_upgrades_definitions_only_if_a_release_says_so(upgrade: str | None, by: str) -> None:
    spec = {"upgrade": {"crds": upgrade}} if upgrade else {}
    older, newer = (helm_release("gpu-operator", version, "gpus", **spec) for version in ("v25.10.1", "v26.3.3"))
    [change] = between(older, newer)
    assert [(step.crds != (), step.crds_by) for step in change.transitions] == [(True, by)]
    lines = "\n".join(step_lines(Step(change.transitions[0], ("prod",))))
    assert f"CRDs that {by or 'you'} " in lines


@pytest.mark.parametrize(("helm", "by"), [({}, "Argo CD"), ({"skipCrds": True}, "")])
def test_argo_cd_applies_definitions_unless_it_skips_them(helm: dict[str, Any], by: str) -> None:
    older, newer = (application(version, several=False, helm=helm) for version in ("v25.10.1", "v26.3.3"))
    [change] = between(older, newer)
    assert [step.crds_by for step in change.transitions] == [by]


def test_only_changed_definitions_of_a_folder_are_named() -> None:
    """The definitions of KEDA are templates, which every tool upgrades with the release."""
    older, newer = (helm_release("keda", version, "keda") for version in ("2.19.0", "2.20.2"))
    [change] = between(older, newer)
    assert [(step.crds, step.crds_by) for step in change.transitions] == [((), "")]


def by_helm(old: str, new: str) -> str:
    return f"Helm deletes release {old} and creates release {new}, because it is another release"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("keda", "2.20.2", "keda"), ("keda", "2.20.2", "scaling")),
        (("keda", "2.19.0", "keda"), ("keda", "2.20.2", "scaling")),
        (("nvidia-dra-driver-gpu", "25.12.0", "dra"), ("dra-driver-nvidia-gpu", "0.5.0", "dra")),
    ],
)  # fmt: skip
def test_another_release_is_not_an_upgrade(before: tuple[str, str, str], after: tuple[str, str, str]) -> None:
    [change] = between(helm_release(*before), helm_release(*after))
    [step] = change.transitions
    was, now = (f"{chart} of chart {chart} in namespace {namespace}" for chart, _, namespace in (before, after))
    assert step[1:4] == (before[1], after[1], Verdict.MANUAL)
    assert step.why.partition(". ")[0] == by_helm(was, now)
    assert ("Upstream documents" in step.why) is (after[1] == "0.5.0")  # what is not known is still said
    has_templates = before[0] == "keda"  # its definitions are in templates, those of the DRA driver in a folder
    assert any("scaledobjects.keda.sh" in action for action in step.actions) is has_templates
    assert "workload" in step.actions[0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"name": "a"}, {"name": "b"}),  # the object has a different name, the release does not
        ({}, {"storageNamespace": "flux-system"}),
        ({"releaseName": None, "name": "x"}, {"releaseName": "keda-x", "name": "x"}),  # what Flux calls it anyway
    ],
)
def test_the_same_release_of_another_object(before: dict[str, Any], after: dict[str, Any]) -> None:
    old, new = (
        helm_release("keda", version, "keda", **spec) for version, spec in (("2.19.0", before), ("2.20.2", after))
    )
    [change] = between(old, new)
    [step] = change.transitions
    assert "another release" not in step.why


def test_a_release_whose_chart_is_in_an_oci_repository_moves() -> None:
    repository = {"kind": "OCIRepository", "name": "dra-driver-nvidia-gpu"}
    reference: dict[str, Any] = {"chart": None, "chartRef": repository}
    old, new = (helm_release("dra-driver-nvidia-gpu", "", namespace, **reference) for namespace in ("a", "b"))
    [change] = between(old, new)
    [step] = change.transitions
    assert (step.software, step.verdict) == ("dra-driver-nvidia-gpu", Verdict.MANUAL)
    assert (
        by_helm(*(f"dra-driver-nvidia-gpu of chart dra-driver-nvidia-gpu in namespace {name}" for name in "ab"))
        == step.why
    )


def test_an_application_that_moves() -> None:
    old, new = (application("v26.7.0", several=False, helm={"releaseName": name}) for name in ("a", "b"))
    [change] = between(old, new)
    assert [step.why.split()[:2] for step in change.transitions] == [["Argo", "CD"]]


def test_a_blocked_upgrade_stays_blocked_if_its_release_moves() -> None:
    values = {"values": {"driver": {"nvidiaDriverCRD": {"enabled": True}}}}
    old, new = (
        helm_release("gpu-operator", version, namespace, **values)
        for version, namespace in (("v25.10.1", "a"), ("v26.3.3", "b"))
    )
    [change] = between(old, new)
    assert [step.verdict for step in change.transitions] == [Verdict.BLOCKED]
