"""Where charts come from after an import: what the running source has is kept or reported, never dropped."""

from typing import Any

import yaml

from gitgpu.access import reach
from gitgpu.adopt.adoption import Fate, Outcome
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.inventory.joined import ImportOptions
from gitgpu.inventory.read import inventory
from gitgpu.load.text import Text
from gitgpu.runs.import_ import Imported, import_fleet
from tests.adopt.test_first_build import nodes
from tests.helping.cases import for_each

PUBLIC = "https://kedacore.github.io/charts"
OWN = "https://charts.contoso.com/keda"
OPTIONS = ClusterOptions("prod", "swedencentral", "1.34", "https://github.com/contoso/gpu-fleet")


def source(url: str, namespace: str = "flux-system", kind: str = "HelmRepository", **spec: Any) -> str:
    head = {"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": kind}
    meta = {"name": "own", "namespace": namespace}
    return yaml.safe_dump({**head, "metadata": meta, "spec": {"url": url, "interval": "10m", **spec}})


def release(namespace: str = "flux-system") -> str:
    reference = {"kind": "HelmRepository", "name": "own", "namespace": namespace}
    chart = {"chart": "keda", "version": "2.20.2", "sourceRef": reference}
    head = {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease"}
    return yaml.safe_dump(
        {**head, "metadata": {"name": "keda", "namespace": "keda"}, "spec": {"chart": {"spec": chart}}}
    )


def application(url: str) -> str:
    head = {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": "k", "namespace": "argocd"},
    }
    place = {"destination": {"server": "https://kubernetes.default.svc", "namespace": "keda"}, "project": "default"}
    chart = {"repoURL": url, "chart": "keda", "targetRevision": "2.20.2"}
    return yaml.safe_dump({**head, "spec": {**place, "source": chart}})


def imported(*texts: str, first: str = "") -> Imported:
    texts = (first or nodes(), *texts)
    read = inventory([Text(f"{n}.yaml", text, f"{n}.yaml") for n, text in enumerate(texts)], ImportOptions("prod"))
    return import_fleet(read, OPTIONS, (), "fleet")


def patches(made: Imported) -> Any:
    [cluster] = [each.document for each in made.adopted.documents if each.document.kind == "Cluster"]
    return [(each["target"]["kind"], each["patch"]["spec"]) for each in reach(cluster.spec, "patches") or ()]


def about_source(made: Imported, kind: str = "HelmRepository") -> list[Outcome]:
    return [each for each in made.adopted.outcomes if each.pointer and each.observed.body.get("kind") == kind]


@for_each(
    ("url", "spec", "kept"),
    [
        (PUBLIC, {}, None),
        (f"{PUBLIC}/", {"provider": "generic", "timeout": "2m"}, None),
        (OWN, {}, {"url": OWN}),
        (OWN, {"secretRef": {"name": "charts"}}, {"secretRef": {"name": "charts"}, "url": OWN}),
        (PUBLIC, {"certSecretRef": {"name": "ca"}}, {"certSecretRef": {"name": "ca"}}),
        ("oci://contoso.azurecr.io/charts", {"type": "oci"}, {"type": "oci", "url": "oci://contoso.azurecr.io/charts"}),
    ],
)
def test_a_source_of_ones_own_is_kept_with_a_patch(url: str, spec: dict[str, Any], kept: dict[str, Any] | None) -> None:
    made = imported(source(url, **spec), release())
    assert patches(made) == ([("HelmRepository", kept)] if kept else [])
    assert [each.fate for each in about_source(made)] == ([Fate.INFERRED] if kept else [])


@for_each(
    ("url", "namespace", "spec", "words"),
    [
        (
            "https://bob:hunter22@charts.contoso.com/keda",
            "flux-system",
            {},
            "may contain a password, so gitgpu gets",
        ),
        (f"{OWN}?token=hunter22", "flux-system", {}, "put that in a Secret, and set url and secretRef"),
        (OWN, "charts", {"secretRef": {"name": "charts"}}, "copy the Secret there from charts, and set url"),
    ],
)
def test_credentials_that_a_patch_cannot_keep(url: str, namespace: str, spec: dict[str, Any], words: str) -> None:
    """Nothing is written that is secret, and the report says that the chart would come from elsewhere."""
    made = imported(source(url, namespace, **spec), release(namespace))
    [outcome] = about_source(made)
    assert outcome.fate is Fate.INEXPRESSIBLE
    assert words in outcome.reason
    assert f"gitgpu gets the chart from {PUBLIC}" in outcome.reason
    assert "in HelmRepository/keda, with spec.patches of the Cluster" in outcome.reason
    assert patches(made) == []
    assert not any("hunter22" in text for text in made.files.values())


def test_the_source_of_another_namespace_is_of_another_release() -> None:
    made = imported(source(OWN, "other"), source(PUBLIC), release())
    assert patches(made) == []


BY_ARGO = nodes().replace("name:", "annotations: {argocd.argoproj.io/sync-options: Delete=false}, name:", 1)


@for_each(
    ("url", "kept"),
    [(PUBLIC, None), (OWN, OWN), ("contoso.azurecr.io/charts", "contoso.azurecr.io/charts")],
)
def test_the_repository_of_an_application(url: str, kept: str | None) -> None:
    made = imported(application(url), first=BY_ARGO)
    assert patches(made) == ([("Application", {"source": {"repoURL": kept}})] if kept else [])


def test_an_application_with_a_password_stays_with_its_owner() -> None:
    made = imported(application("https://bob:hunter22@charts.contoso.com/keda"), first=BY_ARGO)
    whole = [each.fate for each in made.adopted.outcomes if each.observed.body.get("kind") == "Application"]
    assert set(whole) - {Fate.INFERRED} == {Fate.LEFT}


def test_a_chart_that_flux_installs_from_now_on() -> None:
    assert patches(imported(application(OWN))) == [("HelmRepository", {"url": OWN})]
    oci = {"type": "oci", "url": "oci://contoso.azurecr.io/charts"}
    assert patches(imported(application("contoso.azurecr.io/charts"))) == [("HelmRepository", oci)]


def test_a_chart_that_argo_cd_installs_from_now_on() -> None:
    made = imported(source(OWN), release(), first=BY_ARGO)
    assert patches(made) == [("Application", {"source": {"repoURL": OWN}})]
    made = imported(source("https://bob:hunter22@charts.contoso.com/keda"), release(), first=BY_ARGO)
    [outcome] = about_source(made)
    assert "add the repository to Argo CD, and set repoURL in Application/fleet-prod.keda" in outcome.reason
    made = imported(source(OWN, secretRef={"name": "charts"}), release(), first=BY_ARGO)
    [outcome] = about_source(made)
    assert "add the credentials of the repository to Argo CD" in outcome.reason


def test_a_chart_that_nothing_needs_stays_with_its_owner() -> None:
    """No NicClusterPolicy says that the Network Operator does anything: a build would not install it."""
    chart = release().replace("keda", "network-operator").replace("2.20.2", "26.4.1")
    made = imported(source("https://helm.ngc.nvidia.com/nvidia"), chart)
    outcomes = {each.observed.body.get("kind"): each for each in made.adopted.outcomes if not each.pointer}
    for kind in ("HelmRelease", "HelmRepository"):
        assert outcomes[kind].fate is Fate.LEFT
        assert outcomes[kind].reason == "nothing in the fleet needs network-operator, so gitgpu would not install it"
