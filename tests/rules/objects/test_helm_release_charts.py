"""Charts of kind OCIRepository in HelmReleases of Flux 2.10."""

from dataclasses import replace
from typing import Any

from gitgpu.rules.object_findings import object_findings
from tests.helping.cases import for_each
from tests.rules.objects.samples import shared_norms, somewhere

URL = "oci://contoso.azurecr.io/charts/gpu-operator"
SOURCE = {"kind": "HelmRepository", "name": "nvidia"}


@for_each(
    ("chart", "pointers"),
    [
        ({"kind": "OCIRepository", "spec": {"url": URL, "ref": {"tag": "26.3.3"}}}, []),
        ({"kind": "OCIRepository", "spec": {"url": URL, "version": "*", "reconcileStrategy": "ChartVersion"}}, []),
        ({"kind": "OCIRepository", "spec": {"ref": {"tag": "26.3.3"}}}, ["/spec/chart/spec"]),
        ({"kind": "OCIRepository", "spec": {"url": URL, "version": "26.3.3"}}, ["/spec/chart/spec/version"]),
        ({"kind": "OCIRepository", "spec": {"url": URL, "sourceRef": SOURCE}}, ["/spec/chart/spec/sourceRef"]),
        ({"kind": "HelmChart", "spec": {"chart": "gpu-operator", "version": "26.3.3", "sourceRef": SOURCE}}, []),
        ({"spec": {"chart": "gpu-operator", "sourceRef": SOURCE, "url": URL}}, ["/spec/chart/spec/url"]),
        ({"spec": {"version": "26.3.3"}}, ["/spec/chart/spec", "/spec/chart/spec"]),
    ],
)
def test_fields_of_a_chart_depend_on_its_kind(chart: dict[str, Any], pointers: list[str]) -> None:
    head = {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease"}
    body = {**head, "metadata": {"name": "a", "namespace": "a"}, "spec": {"interval": "10m", "chart": chart}}
    norms = replace(shared_norms(), versions=(("flux", ("2.10.0",)),), today="2026-11-29")
    found = object_findings(somewhere(body), "1.34", norms, closed=False)
    assert [finding.pointer for finding in found if finding.code == "GIT025"] == pointers
