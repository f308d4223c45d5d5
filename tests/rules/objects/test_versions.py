"""API versions that are removed, deprecated or only older: what is reported and fixed in each case."""

from dataclasses import replace
from typing import Any

import pytest

from gitgpu.diagnostic import Diagnostic
from gitgpu.objects.schema.crd import custom
from gitgpu.objects.schema.served_versions import served_version
from gitgpu.rules.object_findings import object_findings
from tests.helping.cases import for_each
from tests.rules.objects.samples import KUBERNETES, conformed, read, shared_norms

QUEUE = "apiVersion: kueue.x-k8s.io/v1beta1\nkind: ClusterQueue\nmetadata: {name: gpus}\nspec: {namespaceSelector: {}"
POOL = """
apiVersion: containerservice.azure.com/%s
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: fleet}
spec: {owner: {name: contoso}, vmSize: Standard_NC40ads_H100_v5, mode: User, count: 1%s}
"""
NODE_CLASS_OF_A_DATE = "apiVersion: karpenter.azure.com/v20991231\nkind: AKSNodeClass\nmetadata: {name: a}\n"
CLAIM = """
apiVersion: resource.k8s.io/%s
kind: ResourceClaim
metadata: {name: gpu, namespace: serving}
spec: {devices: {requests: [{name: gpu, %s}]}}
"""
FLAT, EXACT = "deviceClassName: gpu.nvidia.com", "exactly: {deviceClassName: gpu.nvidia.com}"
OLD_JOB = "apiVersion: batch/v1beta1\nkind: CronJob\nmetadata: {name: a, namespace: b}\nspec: {schedule: '* * * * *'}\n"


def codes(diagnostics: list[Diagnostic]) -> list[str]:
    """The codes of all findings."""
    return [fault.code for fault in diagnostics]


@for_each(
    ("kubernetes", "version", "request_", "expected"),
    [
        ("1.34", "v1", EXACT, []),
        ("1.33", "v1", EXACT, ["CNF016"]),
        ("1.33", "v1beta1", FLAT, ["CNF016"]),
        ("1.34", "v1beta1", FLAT, ["CNF016"]),
        ("1.35", "v1beta1", FLAT, ["CNF016"]),
        ("1.35", "v1beta2", EXACT, ["CNF016"]),
        ("1.36", "v1beta2", EXACT, ["CNF016"]),
        ("1.33", "v1alpha3", FLAT, ["CNF016"]),
        ("1.34", "v1alpha3", FLAT, ["CNF016"]),
    ],
)
def test_a_version_ages_with_kubernetes(kubernetes: str, version: str, request_: str, expected: list[str]) -> None:
    diagnostics = conformed(CLAIM % (version, request_), kubernetes=kubernetes)
    assert [code for code in codes(diagnostics) if code in ("CNF016", "CNF017")] == expected


def test_a_version_that_is_off_by_default_is_reported_and_still_checked() -> None:
    (gone, wrong) = conformed(CLAIM % ("v1beta2", EXACT.replace("exactly", "exactl")), kubernetes="1.36")
    claim = "resource.k8s.io/v1beta2 ResourceClaim"
    assert gone.message == f"{claim} is served only if the API server enables it with --runtime-config; AKS does not"
    assert gone.help == "write it as resource.k8s.io/v1, and run Kubernetes 1.37 or later"
    assert gone.edit
    assert gone.edit.text == "resource.k8s.io/v1"
    assert wrong.code == "CNF001"
    (early,) = conformed(CLAIM % ("v1beta1", FLAT), kubernetes="1.33")
    assert early.help.endswith("Kubernetes 1.34 or later")


def test_with_the_crds_of_the_cluster_a_deprecated_version_is_still_reported() -> None:
    spec = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    versions = [{"name": "v1alpha2", "served": True, "storage": False, "schema": schema}]
    names = {"kind": "AKSNodeClass", "plural": "aksnodeclasses"}
    crd = {"spec": {"group": "karpenter.azure.com", "scope": "Cluster", "names": names, "versions": versions}}
    with_crd = replace(shared_norms(), custom=custom([crd], {}))
    body = "apiVersion: karpenter.azure.com/v1alpha2\nkind: AKSNodeClass\nmetadata: {name: a}\nspec: {%s}\n"
    for spec_text in ("osDiskSizeGB: 256", "someOtherField: 1", "osDiskSizeGB: text"):
        diagnostics = object_findings(read(body % spec_text), "1.34", with_crd)
        assert [fault.code for fault in diagnostics] == ["CNF017"], spec_text


def test_a_version_with_the_same_meaning_is_fixed() -> None:
    (fault,) = conformed(OLD_JOB)
    assert (fault.code, fault.edit and fault.edit.text) == ("CNF016", "batch/v1")


def test_a_version_with_another_shape_is_reported_and_not_checked() -> None:
    (fault,) = conformed(QUEUE + ", cohort: all}\n")
    assert (fault.code, fault.edit) == ("CNF017", None)


def test_an_object_that_fits_the_next_version_is_fixed() -> None:
    (fault,) = conformed(QUEUE + "}\n")
    assert (fault.code, fault.edit and fault.edit.text) == ("CNF017", "kueue.x-k8s.io/v1beta2")


@for_each("version", ["v1api20240901", "v20240901", "v1api20250801", "v20250801"])
def test_every_served_version_of_an_agent_pool_is_checked(version: str) -> None:
    assert conformed(POOL % (version, "")) == []
    assert codes(conformed(POOL % (version, ", scaleSetPriority: Cheap"))) == ["CNF001"]


def test_a_version_with_other_fields_is_checked_against_its_own_contract() -> None:
    newer = POOL % ("v20251002preview", ", osSKU: Ubuntu2404, gpuProfile: {driverType: GRID}")
    assert conformed(newer) == []
    assert codes(conformed(newer.replace("Ubuntu2404", "Ubuntu2604"))) == ["CNF001"]
    assert codes(conformed(newer.replace("driverType", "driverKind"))) == ["CNF001"]
    assert codes(conformed(newer.replace("v20251002preview", "v1api20250801"))) == ["CNF001", "CNF001"]


@for_each(
    ("version", "release"),
    [
        ("v1api20210501", "2.16"),
        ("v1api20230201", "2.18"),
        ("v1api20230202preview", "2.9"),
        ("v1api20231001", "2.18"),
        ("v1api20231102preview", "2.16"),
        ("v1api20240402preview", "2.19"),
    ],
)
def test_a_version_that_newer_releases_of_azure_service_operator_lack_is_deprecated(version: str, release: str) -> None:
    norms = replace(shared_norms(), versions=(), run_cache={})  # which release the cluster runs is not known
    (fault,) = object_findings(read(POOL % (version, "")), KUBERNETES, norms)
    assert fault.code == "CNF017"
    assert fault.message.endswith(f"is deprecated, and Azure Service Operator {release} no longer serves it")


def test_a_version_of_another_kind_is_rejected() -> None:
    (fault,) = conformed(POOL % ("v1api20250301", ""))  # only the kinds of Fleet Manager have it
    assert (fault.code, fault.pointer) == ("CNF001", "/apiVersion")


def test_a_version_newer_than_every_known_one_is_not_rejected() -> None:
    assert conformed(POOL % ("v20991231", "")) == []
    assert codes(conformed(POOL % ("v20991231preview", ", newField: 1"))) == ["CNF002"]
    assert codes(conformed(NODE_CLASS_OF_A_DATE)) == ["CNF001"]


@pytest.mark.parametrize("version", ["v20260501", "v20991231"])
def test_fields_of_a_newer_agent_pool_are_not_reported(version: str) -> None:
    (note,) = conformed(POOL % (version, ", gpuProfile: {nvidia: {managementMode: Managed}}"))
    schema = f"the schema of ManagedClustersAgentPool of containerservice.azure.com/{version}"
    assert (note.code, note.message) == ("CNF002", f"{schema} is unknown: its fields were not checked")
    assert note.help == "write it as containerservice.azure.com/v1api20250801 to have them checked"


def before(minor: str) -> str:
    """The Kubernetes version before another one."""
    major, _, number = minor.partition(".")
    return f"{major}.{int(number) - 1}"


def test_a_version_is_removed_or_deprecated_from_the_recorded_release_on() -> None:
    for family, row in shared_norms().catalog.rows("apis").items():
        for entry in row["versions"]:
            _check_recorded_releases(f"{family}/{entry['version']}", entry)


def _check_recorded_releases(api_version: str, entry: Any) -> None:
    def status(kubernetes: str) -> tuple[bool, bool]:
        known = served_version(shared_norms().catalog, kubernetes, api_version, entry["kinds"][0])
        assert known is not None
        return known.gone, known.deprecated

    removed, deprecated = entry["removed"], entry.get("deprecated", "")
    if removed == "always":
        assert status("1.1")[0], api_version
    elif removed:
        assert (status(removed)[0], status(before(removed))[0]) == (True, False), api_version
    else:
        assert not status("1.99")[0], api_version
    if "disabled" in entry or deprecated == "never":
        assert not status("1.99")[1], api_version
    elif deprecated:
        assert (status(deprecated)[1], status(before(deprecated))[1]) == (True, False), api_version
    else:
        assert status("1.1")[1], api_version


def test_nothing_is_known_about_a_version_that_is_not_in_the_catalog() -> None:
    catalog = shared_norms().catalog
    assert served_version(catalog, "1.34", "apps/v1", "Deployment") is None
    assert served_version(catalog, "1.34", "example.org/v1", "Thing") is None
    assert served_version(catalog, "1.34", "v1", "Pod") is None
    assert served_version(catalog, "1.34", "autoscaling/v2beta2", "Scale") is None
