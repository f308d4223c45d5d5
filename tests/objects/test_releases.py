"""Chart releases as Flux and Argo CD define them: chart, version, namespace and values."""

from typing import Any

import pytest

from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.objects import Item, Objects, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.schema.structural import structural_schema
from tests.rules.objects.samples import conformed, read, shared_norms

Found = tuple[str, str, str, Any, bool]
FLUX = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: r, namespace: flux}}
spec: {{{spec}}}
"""
ARGO = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: r, namespace: argocd}}
spec: {{destination: {{namespace: gpu}}, {spec}}}
"""
SOURCE = """
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {{name: {name}, namespace: {namespace}}}
spec: {{url: "oci://ghcr.io/nvidia/gpu-operator", ref: {{tag: v26.7.0}}}}
---
"""
CHART_SOURCE = """
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmChart
metadata: {name: o, namespace: flux}
spec: {chart: gpu-operator, sourceRef: {kind: HelmRepository, name: nvidia}}
---
"""


def released(text: str, *charts: str) -> list[Found]:
    """The chart, version, namespace and values of each release in a text, and whether these are all its values."""
    items = tuple(Item(given, identity(given.body), Scope.NAMESPACED) for given in read(text))
    objects = Objects(
        items, frozenset(item.identity for item in items), shared_norms().catalog, shared_norms().kinds, "1.36"
    )
    return [
        (release.chart, release.version, release.namespace, dict(release.values), release.whole)
        for release in releases(objects, *charts)
    ]


CHART = "chart: {spec: {chart: gpu-operator, version: v26.7.0}}"


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [
        (CHART, ("gpu-operator", "v26.7.0", "flux", {}, True)),
        (f"{CHART}, targetNamespace: gpu", ("gpu-operator", "v26.7.0", "gpu", {}, True)),
        (f"{CHART}, values: {{a: 1}}", ("gpu-operator", "v26.7.0", "flux", {"a": 1}, True)),
        (f"{CHART}, values: [1]", ("gpu-operator", "v26.7.0", "flux", {}, True)),
        (f"{CHART}, valuesFrom: [{{kind: ConfigMap, name: v}}]", ("gpu-operator", "v26.7.0", "flux", {}, False)),
        ("chart: {spec: {chart: gpu-operator, valuesFiles: [a.yaml]}}", ("gpu-operator", "", "flux", {}, False)),
        ("chart: {spec: {chart: charts/gpu-operator, version: 26.7}}", ("gpu-operator", "26.7", "flux", {}, True)),
        ("chart: {spec: {version: v26.7.0}}", None),
        ("interval: 1h", None),
    ],
)
def test_releases_of_flux(spec: str, wanted: Found | None) -> None:
    assert released(FLUX.format(spec=spec)) == ([wanted] if wanted else [])


@pytest.mark.parametrize(
    ("name", "namespace", "reference", "version"),
    [
        ("o", "flux", "{kind: OCIRepository, name: o}", "v26.7.0"),
        ("o", "other", "{kind: OCIRepository, name: o, namespace: other}", "v26.7.0"),
        ("o", "other", "{kind: OCIRepository, name: o}", None),
        ("p", "flux", "{kind: OCIRepository, name: o}", None),
        ("o", "flux", "{kind: HelmChart, name: o}", None),
        ("o", "flux", "{kind: HelmRepository, name: o}", None),
    ],
)
def test_a_chart_from_a_registry_has_the_name_of_its_image(
    name: str, namespace: str, reference: str, version: str | None
) -> None:
    text = SOURCE.format(name=name, namespace=namespace) + CHART_SOURCE + FLUX.format(spec=f"chartRef: {reference}")
    assert [(release[0], release[1]) for release in released(text)] == ([("gpu-operator", version)] if version else [])


ONE = "chart: nvidia/gpu-operator, targetRevision: v26.7.0"


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [
        (f"source: {{{ONE}}}", [("gpu-operator", "v26.7.0", "gpu", {}, True)]),
        (f"source: {{{ONE}, helm: {{valuesObject: {{a: 1}}}}}}", [("gpu-operator", "v26.7.0", "gpu", {"a": 1}, True)]),
        (f"source: {{{ONE}, helm: {{values: 'a: 2'}}}}", [("gpu-operator", "v26.7.0", "gpu", {"a": 2}, True)]),
        (f"source: {{{ONE}, helm: {{values: '8080: a'}}}}", [("gpu-operator", "v26.7.0", "gpu", {"8080": "a"}, True)]),
        (
            f"source: {{{ONE}, helm: {{values: 'a: 2', valuesObject: {{a: 1}}}}}}",
            [("gpu-operator", "v26.7.0", "gpu", {"a": 1}, True)],
        ),
        (f"source: {{{ONE}, helm: {{values: '['}}}}", [("gpu-operator", "v26.7.0", "gpu", {}, False)]),
        (f"source: {{{ONE}, helm: {{values: '[1]'}}}}", [("gpu-operator", "v26.7.0", "gpu", {}, False)]),
        (f'source: {{{ONE}, helm: {{values: "a: 1\\n---\\na: 2"}}}}', [("gpu-operator", "v26.7.0", "gpu", {}, False)]),
        (f'source: {{{ONE}, helm: {{values: "a: 1\\na: 2"}}}}', [("gpu-operator", "v26.7.0", "gpu", {}, False)]),
        (f"source: {{{ONE}, helm: {{valueFiles: [a.yaml]}}}}", [("gpu-operator", "v26.7.0", "gpu", {}, False)]),
        (
            f"source: {{{ONE}, helm: {{parameters: [{{name: a, value: b}}]}}}}",
            [("gpu-operator", "v26.7.0", "gpu", {}, False)],
        ),
        (
            f"source: {{{ONE}, helm: {{fileParameters: [{{name: a, path: b}}]}}}}",
            [("gpu-operator", "v26.7.0", "gpu", {}, False)],
        ),
        ("source: {path: apps}", []),
        (
            "sources: [{path: apps}, {chart: dcgm-exporter}]",
            [("dcgm-exporter", "", "gpu", {}, True)],
        ),
    ],
)
def test_releases_of_argo_cd(spec: str, wanted: list[Found]) -> None:
    assert released(ARGO.format(spec=spec)) == wanted


def test_releases_are_found_by_chart() -> None:
    text = FLUX.format(spec=CHART) + "---" + ARGO.format(spec="source: {chart: dcgm-exporter}")
    assert [release[0] for release in released(text)] == ["gpu-operator", "dcgm-exporter"]
    assert [release[0] for release in released(text, "dcgm-exporter")] == ["dcgm-exporter"]
    assert [release[0] for release in released(text, "kaito", "gpu-operator")] == ["gpu-operator"]


@pytest.mark.parametrize(
    ("schema", "wanted"),
    [
        ({"type": "integer", "minimum": 0, "exclusiveMinimum": True}, {"exclusiveMinimum": 0}),
        ({"type": "integer", "maximum": 9, "exclusiveMaximum": True}, {"exclusiveMaximum": 9}),
        ({"type": "integer", "maximum": 9, "exclusiveMaximum": False}, {"maximum": 9}),
        ({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}, {"uniqueItems": True}),
        ({"type": "object"}, {"additionalProperties": False}),
        ({"type": "object", "x-kubernetes-preserve-unknown-fields": True}, {}),
        ({"type": "object", "additionalProperties": {"type": "string"}}, {"additionalProperties": {"type": "string"}}),
        ({"type": "string", "pattern": "^a+$"}, {"pattern": "^a+$"}),
        ({"type": "string", "pattern": "("}, {}),
    ],
)
def test_what_a_contract_keeps_of_a_definition(schema: dict[str, Any], wanted: dict[str, Any]) -> None:
    kept = structural_schema(schema)
    assert {key: kept[key] for key in wanted} == wanted
    gone = {"exclusiveMinimum", "exclusiveMaximum", "additionalProperties", "uniqueItems", "pattern"} - wanted.keys()
    assert gone.isdisjoint(kept)


def details(spec: str, *, made: bool = False) -> list[tuple[str, str, str, str, bool]]:
    """The chart, version, namespace and cluster of each release of an Application, and whether its values are text."""
    text = ARGO.format(spec=spec)
    if made:
        head, _, body = text.replace("Application", "ApplicationSet").partition("\nspec: ")
        text = f"{head}\nspec: {{template: {{spec: {body.strip()}}}}}\n"
    items = tuple(Item(given, identity(given.body), Scope.NAMESPACED) for given in read(text))
    objects = Objects(
        items, frozenset(item.identity for item in items), shared_norms().catalog, shared_norms().kinds, "1.36"
    )
    return [
        (release.chart, release.version, release.namespace, release.cluster, release.text)
        for release in releases(objects)
    ]


@pytest.mark.parametrize(
    ("destination", "cluster"),
    [
        ("server: https://kubernetes.default.svc", ""),
        ("name: in-cluster", ""),
        ("server: https://gpu.example.com", "https://gpu.example.com"),
        ("name: gpu", "gpu"),
    ],
)
def test_the_cluster_that_an_application_is_for(destination: str, cluster: str) -> None:
    source = f"destination: {{{destination}}}, source: {{chart: a, targetRevision: 1.0.0}}"
    text = f"apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: r}}\nspec: {{{source}}}\n"
    items = tuple(Item(given, identity(given.body), Scope.NAMESPACED) for given in read(text))
    objects = Objects(
        items, frozenset(item.identity for item in items), shared_norms().catalog, shared_norms().kinds, "1.36"
    )
    assert [release.cluster for release in releases(objects)] == [cluster]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("source: {chart: nvidia/a, targetRevision: 1.0.0}", [("a", "1.0.0", "gpu", "", False)]),
        ("source: {repoURL: x}", []),
        ("source: {chart: a, helm: {values: 'b: 1'}}", [("a", "", "gpu", "", True)]),
        ("source: {chart: a, helm: {values: 'b: 1', valuesObject: {c: 2}}}", [("a", "", "gpu", "", False)]),
        ("sources: [{chart: a}, {path: b}, {chart: c}]", [("a", "", "gpu", "", False), ("c", "", "gpu", "", False)]),
    ],
)
def test_what_an_application_installs(spec: str, expected: list[tuple[str, str, str, str, bool]]) -> None:
    assert details(spec) == expected


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ('source: {chart: "{{chart}}"}', []),
        ('source: {chart: a, targetRevision: "{{version}}"}', [("a", "", "gpu", "", False)]),
        ("source: {chart: a, targetRevision: 1.0.0}", [("a", "1.0.0", "gpu", "", False)]),
    ],
)
def test_parameters_of_an_application_set_are_unknown(
    spec: str, expected: list[tuple[str, str, str, str, bool]]
) -> None:
    assert details(spec, made=True) == expected


@pytest.mark.parametrize(("old", "new"), [("v25.3.4", "v26.7.0"), ("v25.10.1", "v26.3.3")])
def test_the_version_to_upgrade_to_can_be_reached(old: str, new: str) -> None:
    """NVIDIA does not support upgrades that skip a minor version. For unrecorded versions, nothing is known."""
    source = "sourceRef: {kind: HelmRepository, name: nvidia}"
    spec = f"interval: 1h, chart: {{spec: {{chart: gpu-operator, version: {old}, {source}}}}}"
    helps = [finding.help for finding in conformed(FLUX.format(spec=spec)) if finding.code == "GIT008"]
    assert helps == [f"upgrade, for example to {new}"]
