"""Keys of chart values that no template reads, wherever the values are written."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from gitgpu.load.catalog.folders import Folder
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.objects.gitops.value_keys import rejects_no_key
from gitgpu.objects.objects import Given
from gitgpu.rules.object_findings import object_findings
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, read, shared_norms, somewhere

CODES = ("STK033", "STK034")
OPERATOR, PLUGIN = ("gpu-operator", "v26.7.0"), ("nvidia-device-plugin", "0.20.0")


def reported(objects: list[Given]) -> list[tuple[str, str, str]]:
    """The code, place and remedy of the findings about keys."""
    diagnostics = object_findings(objects, KUBERNETES, shared_norms())
    return [
        (finding.code, finding.pointer.replace("/", ".")[1:], finding.help)
        for finding in diagnostics
        if finding.code in CODES
    ]


def flux(chart: str, version: str, values: Any = None, **spec: Any) -> dict[str, Any]:
    """A HelmRelease."""
    source = spec.pop("source", {"kind": "HelmRepository", "name": "charts"})
    reported = {"interval": "1h", "chart": {"spec": {"chart": chart, "version": version, "sourceRef": source}}}
    metadata = {"name": chart, "namespace": "gpu"}
    body = {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": metadata}
    return body | {"spec": reported | spec | ({"values": values} if values else {})}


def test_whether_a_schema_rejects_keys_is_known_before_its_row_is_parsed() -> None:
    own = {"cert-manager": "extends: gitgpu\nname: cert-manager\n", "mine": "name: mine\nstrict: {a: ['', '']}\n"}
    folder = Folder("mine", "mine", {f"values/{name}.yaml": text for name, text in own.items()})
    shipped, extended = Catalog(CatalogFiles()), Catalog(CatalogFiles([folder]))
    expected = {name: not row["strict"] for name, row in shipped.rows("values").items()}
    assert set(expected.values()) == {True, False}
    assert {name: rejects_no_key(name, shipped) for name in expected} == expected
    assert not any(rejects_no_key(name, extended) for name in own)
    assert rejects_no_key("keda", extended)
    assert rejects_no_key("unknown", extended)


@for_each(
    ("chart", "values", "place", "remedy"),
    [
        (OPERATOR, {"mig": {"Strategy": "mixed"}}, "mig.Strategy", "use strategy"),
        (OPERATOR, {"driver": {"enable": False}}, "driver.enable", "use enabled"),
        (OPERATOR, {"driver": {"autoUpgrade": False}}, "driver.autoUpgrade",
         "write it as driver.upgradePolicy.autoUpgrade"),
        (OPERATOR, {"dcgm_exporter": {"enabled": False}}, "dcgm_exporter", "use dcgmExporter"),
        (OPERATOR, {"psp": {"enabled": True}}, "psp", "remove it: the chart uses it up to 23.9.2"),
        (OPERATOR, {"nodeSelector": {"a": "b"}}, "nodeSelector", "remove it"),
        (OPERATOR, {"nfd": {"worker": {"config": {"a": 1}}}}, "nfd.worker",
         "write it as node-feature-discovery.worker"),
        (("gpu-operator", "v24.9.0"), {"driver": {"kernelModuleType": "open"}}, "driver.kernelModuleType",
         "remove it: the chart uses it as of version 25.3.0"),
        (PLUGIN, {"config": {"Map": {"a": "version: v1"}}}, "config.Map", "use map"),
        (("keda", "2.20.2"), {"podIdentity": {"azureWorkload": {"clientID": "x"}}},
         "podIdentity.azureWorkload.clientID",
         "use clientId"),
        (("dcgm-exporter", "4.8.2"), {"serviceMonitor": {"additionalLabel": {"a": "b"}}},
         "serviceMonitor.additionalLabel", "use additionalLabels"),
        (("dcgm-exporter", "4.8.2"), {"serviceMonitor": {"enable": False}}, "serviceMonitor.enable", "use enabled"),
        (("kube-prometheus-stack", "75.0.0"), {"serviceMonitorSelectorNilUsesHelmValues": False},
         "serviceMonitorSelectorNilUsesHelmValues",
         "write it as prometheus.prometheusSpec.serviceMonitorSelectorNilUsesHelmValues"),
    ],
)  # fmt: skip
def test_a_key_that_the_chart_does_not_read(chart: tuple[str, str], values: Any, place: str, remedy: str) -> None:
    assert reported(somewhere(flux(*chart, values))) == [("STK033", f"spec.values.{place}", remedy)]


@for_each(
    ("chart", "values"),
    [
        (OPERATOR, {"global": {"x": 1}, "nameOverride": "a", "fullnameOverride": "b"}),
        (OPERATOR, {"daemonsets": {"labels": {"any": "thing"}, "tolerations": [{"operator": "Exists"}]}}),
        (OPERATOR, {"driver": {"manager": {"env": [{"name": "A", "value": "b"}]}, "kernelModuleType": "open"}}),
        (OPERATOR, {"node-feature-discovery": {"worker": {"config": {"sources": {"pci": {}}}}}}),
        (OPERATOR, {"dcgmExporter": {"serviceMonitor": {"enabled": True, "relabelings": [{"action": "drop"}]}}}),
        (OPERATOR, {"psp": None, "old": {}, "older": []}),  # empty values set nothing
        (OPERATOR, {"x-common": {"a": 1}, "_defaults": {"b": 2}, "anchors": {"c": 3}}),
        (OPERATOR, {"mine": "a", "driver": {"version": "{{ .Values.mine }}"}}),
        (OPERATOR, {"mine": "a", "driver": {"repoConfig": ["b", "{{ .Values.mine }}"]}}),
        (OPERATOR, {"gpu-operator": {"driver": {"enabled": False}}}),  # values of a parent chart
        (("gpu-operator", "v99.1.0"), {"mig": {"Strategy": "mixed"}}),  # a version that is not in the catalog
        (("gpu-operator", "26.x"), {"mig": {"Strategy": "mixed"}}),
        (("company-chart", "1.0.0"), {"mig": {"Strategy": "mixed"}}),
        (("gpu-operator", "v23.9.0"), {"psp": {"enabled": True}}),
        (PLUGIN, {"nfd": {"worker": {"tolerations": [{"operator": "Exists"}]}}, "gfd": {"enabled": True}}),
        (PLUGIN, {"config": {"map": {"anything": "version: v1"}, "default": "anything"}}),
        (("workspace", "0.12.0"), {"own": {"a": 1}}),  # another publisher's chart with this name
    ],
)
def test_keys_that_may_be_read_are_not_reported(chart: tuple[str, str], values: Any) -> None:
    assert reported(somewhere(flux(*chart, values))) == []


def test_a_chart_that_is_surely_the_one_of_kaito_has_its_keys() -> None:
    values = {"nodeProvisionner": "byo"}
    (finding,) = reported(
        somewhere(flux("workspace", "0.12.0", values, source={"kind": "HelmRepository", "name": "kaito"}))
    )
    assert finding == ("STK033", "spec.values.nodeProvisionner", "use nodeProvisioner")


def test_a_chart_in_a_folder_may_have_any_values() -> None:
    assert (
        reported(somewhere(flux(*OPERATOR, {"mine": {"a": 1}}, source={"kind": "GitRepository", "name": "own"}))) == []
    )


@pytest.mark.parametrize("values", [{"installCRD": True}, {"prometheus": {"serviceMonitor": {"enable": True}}}])
def test_a_key_that_the_schema_of_the_chart_refuses(values: Any) -> None:
    (finding,) = reported(somewhere(flux("cert-manager", "v1.19.2", values)))
    assert finding[0] == "STK034"
    (finding,) = reported(somewhere(flux("cert-manager", "v1.15.1", values)))  # before the chart had a schema
    assert finding[0] == "STK033"


def argo(helm: Any) -> dict[str, Any]:
    """An Application."""
    source = {"repoURL": "https://helm.ngc.nvidia.com/nvidia", "chart": OPERATOR[0], "targetRevision": OPERATOR[1]}
    to = {"server": "https://kubernetes.default.svc", "namespace": "gpu-operator"}
    spec = {"project": "default", "destination": to, "source": source | {"helm": helm}}
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": "a", "namespace": "argocd"},
    } | {"spec": spec}


@pytest.mark.parametrize(
    ("helm", "place"),
    [
        ({"valuesObject": {"mig": {"Strategy": "mixed"}}}, "valuesObject.mig.Strategy"),
        ({"values": "mig: {Strategy: mixed}"}, "values"),
        ({"parameters": [{"name": "toolkit.enabled", "value": "false"}, {"name": "mig.Strategy", "value": "mixed"}]},
         "parameters.1.name"),
    ],
)  # fmt: skip
def test_values_of_an_application(helm: Any, place: str) -> None:
    assert reported(somewhere(argo(helm))) == [("STK033", f"spec.source.helm.{place}", "use strategy")]


def test_a_parameter_with_an_index_or_an_escape_is_left_alone() -> None:
    names = ("toolkit.env[0].name", "operator.annotations.a\\.b/c", "toolkit.a\\.b/c", "")
    parameters = [*({"name": name, "value": "x"} for name in names), {"value": "x"}]
    assert reported(somewhere(argo({"parameters": parameters}))) == []


def maps(key: str, values: Any) -> Iterator[dict[str, Any]]:
    """A ConfigMap with values."""
    metadata = {"name": "values", "namespace": "gpu"}
    yield {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {key: json.dumps(values)}}


def test_values_from_a_config_map() -> None:
    release = flux(*OPERATOR, valuesFrom=[{"kind": "ConfigMap", "name": "values"}])
    (finding,) = reported(somewhere(release, *maps("values.yaml", {"mig": {"Strategy": "mixed"}})))
    assert finding == ("STK033", "data.values.yaml", "use strategy")
    assert reported(somewhere(release, *maps("values.yaml", {"mig": {"strategy": "mixed"}}))) == []


def test_values_that_read_values_may_read_any_key() -> None:
    """Such as values that the chart renders as templates."""
    text = {"daemonsets": {"labels": {"a": "{{ .Values.mig.Strategy }}"}}}
    for values, taken in ((text, {"mig": {"Strategy": "mixed"}}), ({"mig": {"Strategy": "mixed"}}, text)):
        release = flux(*OPERATOR, values, valuesFrom=[{"kind": "ConfigMap", "name": "values"}])
        assert reported(somewhere(release, *maps("values.yaml", taken))) == []


def test_a_single_value_from_a_config_map() -> None:
    taken = {"kind": "ConfigMap", "name": "values", "valuesKey": "way", "targetPath": "mig.Strategy"}
    (finding,) = reported(somewhere(flux(*OPERATOR, valuesFrom=[taken]), *maps("way", "mixed")))
    assert finding == ("STK033", "spec.valuesFrom.0.targetPath", "use strategy")


def test_a_values_file_may_have_the_keys_of_any_version() -> None:
    file = {"apiVersion": "gitgpu.dev/v1alpha1", "kind": "HelmValues", "chart": "gpu-operator"}
    assert reported(somewhere(file | {"values": {"mig": {"Strategy": "mixed"}}})) == [
        ("STK033", "values.mig.Strategy", "use strategy")
    ]
    assert reported(somewhere(file | {"values": {"psp": {"enabled": True}, "cdi": {"default": True}}})) == []
    (fault,) = object_findings(somewhere(file | {"values": {"mig": {"Strategy": "mixed"}}}), KUBERNETES, shared_norms())
    assert fault.message == "mig.Strategy: no known version of the chart gpu-operator uses this value"


def test_a_chart_that_a_kustomization_inflates_has_a_version() -> None:
    chart = {"apiVersion": "gitgpu.dev/v1alpha1", "kind": "HelmValues", "chart": OPERATOR[0], "version": OPERATOR[1]}
    values = {"psp": {"enabled": True}}
    places = [place for _, place, _ in reported(somewhere(chart | {"id": "kustomization", "values": values}))]
    assert places == ["values.psp"]


def test_a_key_that_another_rule_reports_is_not_reported_twice() -> None:
    assert reported(somewhere(flux(*OPERATOR, {"driver": {"useOpenKernelModules": True}}))) == []


def test_a_finding_in_values_as_text_is_at_their_key() -> None:
    text = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpu-operator, namespace: gpu}
spec:
  interval: 1h
  chart: {spec: {chart: gpu-operator, version: v26.7.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values:
    driver:
      enable: false
"""
    (finding,) = (
        finding for finding in object_findings(read(text), KUBERNETES, shared_norms()) if finding.code == "STK033"
    )
    assert (finding.span.line, finding.span.column) == (10, 7)


@for_each(
    ("chart", "values", "places"),
    [
        (OPERATOR, {"driver": {"repository": "https://contoso.azurecr.io/nvidia", "version": "580.1"}},
         ["driver.repository"]),
        (("keda", "2.20.2"), {"image": {"keda": {"registry": "HTTPS://contoso.azurecr.io", "tag": "2"}}},
         ["image.keda.registry"]),
        (("dcgm-exporter", "4.8.2"), {"image": {"repository": "docker://nvcr.io/x"}}, ["image.repository"]),
        (("dcgm-exporter", "4.8.2"), {"image": {"repository": "nvcr.io/x", "tag": "1"}}, []),
        (("dcgm-exporter", "4.8.2"), {"extraEnv": {"repository": "https://github.com/contoso/x"}}, []),
        (("my-chart", "1.0.0"), {"image": {"repository": "https://nvcr.io/x"}}, []),
    ],
)  # fmt: skip
def test_an_image_has_no_scheme(chart: tuple[str, str], values: Any, places: list[str]) -> None:
    diagnostics = object_findings(somewhere(flux(*chart, values)), KUBERNETES, shared_norms())
    assert [finding.message.partition(" ")[0] for finding in diagnostics if finding.code == "STK039"] == places
