"""Releases of operators in manifests."""

from typing import Any

from gitgpu.load.schemas import Schemas
from gitgpu.objects.found_releases import found_releases
from gitgpu.objects.schema.contracts import Contracts
from tests.helping.cases import for_each

LISTS = Contracts(Schemas()).release_lists


def release(chart: str, version: Any) -> dict[str, Any]:
    """A HelmRelease of a chart."""
    return {
        "apiVersion": "helm.toolkit.fluxcd.io/v2",
        "kind": "HelmRelease",
        "spec": {"chart": {"spec": {"chart": chart, "version": version}}},
    }


def application(**source: str) -> dict[str, Any]:
    """An Application of a chart."""
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "spec": {"sources": [source, "?"]}}


def deployment(*images: Any) -> dict[str, Any]:
    """A Deployment with containers of these images."""
    containers = [{"name": "a", "image": image} for image in images]
    return {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"template": {"spec": {"containers": containers}}}}


def instance(version: str) -> dict[str, Any]:
    """A FluxInstance of a distribution."""
    return {
        "apiVersion": "fluxcd.controlplane.io/v1",
        "kind": "FluxInstance",
        "spec": {"distribution": {"version": version}},
    }


def oci(url: str, tag: str) -> dict[str, Any]:
    """An OCIRepository."""
    spec = {"url": url, "ref": {"tag": tag}}
    return {"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "OCIRepository", "spec": spec}


@for_each(
    ("body", "found"),
    [
        (release("keda", "2.19.0"), {"keda": ("2.19.0",)}),
        (release("gpu-operator", "v26.3.3"), {"gpu-operator": ("v26.3.3",)}),
        (release("keda", "2.x"), {}),
        (release("keda", ">=2.19.0"), {}),
        (release("keda", 2.19), {}),
        (release("unknown", "2.19.0"), {}),
        (application(chart="kueue", targetRevision="0.19.2"), {"kueue": ("0.19.2",)}),
        (deployment("ghcr.io/fluxcd/helm-controller:v1.4.5"), {"flux": ("2.7",)}),
        (deployment("ghcr.io/fluxcd/source-controller:v1.10.1@sha256:00"), {"flux": ("2.10",)}),
        (deployment("quay.io/argoproj/argocd:v3.4.13", 5, None), {"argo-cd": ("v3.4.13",)}),
        (deployment("quay.io/argoproj/argocd:latest", "quay.io/argoproj/argocd"), {}),
        (deployment("mcr.microsoft.com/aks/karpenter/controller:1.14.0"), {"karpenter": ("1.14.0",)}),
        (deployment("contoso.azurecr.io/mirror/kedacore/keda:2.19.0"), {"keda": ("2.19.0",)}),
        (deployment("contoso.azurecr.io/keda:2.19.0", "contoso/otherkedacore/keda:2.19.0"), {}),
        (instance("2.10.x"), {"flux": ("2.10",)}),
        (instance("v2.9.5"), {"flux": ("2.9",)}),
        (instance("2.x"), {}),
        (oci("oci://ghcr.io/kedacore/charts/keda", "2.19.0"), {"keda": ("2.19.0",)}),
        (oci("oci://ghcr.io/contoso/manifests", "2.19.0"), {}),
        ({"apiVersion": "apps/v1", "kind": "Deployment", "spec": None}, {}),
        ({"apiVersion": "argoproj.io/v1alpha1", "kind": "ApplicationSet", "spec": {"template": {"spec": "?"}}}, {}),
    ],
)
def test_charts_and_images_name_a_release(body: dict[str, Any], found: dict[str, tuple[str, ...]]) -> None:
    assert dict(found_releases([body], LISTS)) == found


def test_a_tree_can_have_two_releases() -> None:
    assert found_releases([release("keda", "2.20.2"), release("keda", "2.19.0")], LISTS) == (
        ("keda", ("2.19.0", "2.20.2")),
    )


def test_every_minor_version_of_a_controller_is_one_of_the_list_or_older() -> None:
    for image, minors in LISTS["flux"]["images"].items():
        known = {number.rpartition(".")[0] for number in LISTS["flux"]["releases"]}
        assert known <= set(minors.values()), image


KAITO = "https://kaito-project.github.io/kaito/charts/kaito"


@for_each(("url", "is_kaito"), [(KAITO, True), (f"{KAITO}/", True), ("https://contoso.com/charts", False)])
@for_each("namespace", ["gpu", None])
def test_a_chart_with_a_common_name_is_known_by_its_repository(
    url: str, namespace: str | None, *, is_kaito: bool
) -> None:
    own = release("workspace", "0.11.0") | {"metadata": {"name": "kaito", "namespace": "gpu"}}
    source = {"kind": "HelmRepository", "name": "kaito"} | ({"namespace": namespace} if namespace else {})
    own["spec"]["chart"]["spec"]["sourceRef"] = source
    where = {"name": "kaito", "namespace": "gpu"}
    repository = {"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "HelmRepository", "metadata": where}
    found = {"kaito": ("0.11.0",)} if is_kaito else {}
    assert dict(found_releases([own, repository | {"spec": {"url": url}}], LISTS)) == found
    assert dict(found_releases([own], LISTS)) == {}
    applied = application(chart="workspace", repoURL=url, targetRevision="0.11.0")
    assert dict(found_releases([applied], LISTS)) == found
