"""From which Kubernetes version on a version of a kind is deprecated, removed or off by default."""

from collections.abc import Hashable
from typing import Any

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.schemas import Schemas
from gitgpu.load.validate.releases import CHANGED
from gitgpu.model.catalog import Catalog
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.objects.schema.served_versions import Served, of_another_cloud, served_version, served_version_once
from tests.helping.cases import for_each

CATALOG = Catalog(CatalogFiles())


def known_version(minor: str, api_version: str, kind: str) -> Served:
    """What is known about a version of a kind."""
    known = served_version(CATALOG, minor, api_version, kind)
    assert known is not None
    return known


@for_each(
    ("minor", "deprecated", "gone"),
    [("1.28", False, False), ("1.29", True, False), ("1.31", True, False), ("1.32", True, True)],
)
def test_a_version_is_deprecated_before_it_is_removed(minor: str, *, deprecated: bool, gone: bool) -> None:
    known = known_version(minor, "flowcontrol.apiserver.k8s.io/v1beta3", "FlowSchema")
    assert (known.deprecated, known.gone, known.since) == (deprecated, gone, "1.32")
    assert known.use == "flowcontrol.apiserver.k8s.io/v1"


def test_a_version_that_was_never_deprecated() -> None:
    known = known_version("1.25", "flowcontrol.apiserver.k8s.io/v1beta1", "FlowSchema")
    assert (known.deprecated, known.gone) == (False, False)


def test_a_version_that_no_kubernetes_serves() -> None:
    known = known_version("1.34", "karpenter.sh/v1beta1", "NodePool")
    assert (known.gone, known.since) == (True, "")
    message = known.message("karpenter.sh/v1beta1", "NodePool")
    assert message == "karpenter.sh/v1beta1 NodePool is not served: the API server rejects it"


def test_a_version_without_an_end() -> None:
    known = known_version("1.34", "karpenter.azure.com/v1alpha2", "AKSNodeClass")
    assert (known.gone, known.since, known.deprecated, known.off) == (False, "", True, False)
    message = known.message("karpenter.azure.com/v1alpha2", "AKSNodeClass")
    assert message == "karpenter.azure.com/v1alpha2 AKSNodeClass is deprecated"


def test_a_version_that_is_off_by_default_is_not_called_deprecated() -> None:
    known = known_version("1.36", "resource.k8s.io/v1beta1", "ResourceClaim")
    assert (known.off, known.deprecated, known.gone, known.since) == (True, False, False, "1.38")
    assert "enables it with --runtime-config" in known.message("resource.k8s.io/v1beta1", "ResourceClaim")


def test_a_removed_version_that_was_off_before_never_was_on_aks() -> None:
    known = known_version("1.37", "scheduling.k8s.io/v1alpha2", "PodGroup")
    message = known.message("scheduling.k8s.io/v1alpha2", "PodGroup")
    assert " is not served as of Kubernetes 1.37, and AKS does not enable it before that: the API server" in message


def test_a_result_is_cached() -> None:
    kept: dict[Hashable, Any] = {}
    kind = ("policy/v1beta1", "PodDisruptionBudget")
    first = served_version_once(kept, CATALOG, "1.34", kind)
    assert first == served_version(CATALOG, "1.34", *kind)
    assert served_version_once(kept, CATALOG, "1.34", kind) is first
    assert served_version_once(kept, CATALOG, "1.20", kind) != first


def test_versions_about_which_nothing_is_known() -> None:
    assert served_version(CATALOG, "1.34", "flowcontrol.apiserver.k8s.io/v1beta3", "Pod") is None
    assert served_version(CATALOG, "1.34", "flowcontrol.apiserver.k8s.io/v1", "FlowSchema") is None
    assert served_version(CATALOG, "1.34", "example.com/v1", "FlowSchema") is None


def template(**spec: Any) -> dict[str, Any]:
    """The spec of a NodePool."""
    return {"template": {"spec": spec}}


@for_each(
    ("spec", "expected"),
    [
        (template(nodeClassRef={"group": "karpenter.k8s.aws", "kind": "EC2NodeClass"}), True),
        (template(nodeClassRef={"apiVersion": "karpenter.k8s.aws/v1beta1", "kind": "EC2NodeClass"}), True),
        (template(nodeClassRef={"group": "karpenter.k8s.aws"}), True),
        (template(nodeClassRef={"group": "karpenter.azure.com", "kind": "Other"}), False),
        (template(nodeClassRef={"kind": "EC2NodeClass"}), True),
        (template(nodeClassRef={"name": "a"}), False),
        (template(nodeClassRef={"group": "karpenter.azure.com", "kind": "AKSNodeClass"}), False),
        (template(nodeClassRef={"apiVersion": "karpenter.azure.com/v1alpha2"}), False),
        (template(nodeClassRef={"apiVersion": "karpenter.azure.com/v1alpha2", "kind": "Other"}), False),
        (template(nodeClassRef={"kind": "AKSNodeClass"}), False),
        (template(requirements=[{"key": "karpenter.k8s.aws/instance-family"}]), True),
        (template(requirements=[{"key": "karpenter.azure.com/sku-name"}, {"key": "karpenter.k8s.gcp/a"}]), True),
        (template(requirements=[{"key": "karpenter.azure.com/sku-name"}, None]), False),
        ({"providerRef": {"apiVersion": "karpenter.k8s.aws/v1alpha1", "kind": "AWSNodeTemplate"}}, True),
        ({"requirements": [{"key": "karpenter.k8s.alibabacloud/a"}]}, True),
        ({}, False),
        ("text", False),
    ],
)
def test_objects_of_karpenter_for_another_cloud(spec: Any, *, expected: bool) -> None:
    assert of_another_cloud({"apiVersion": "karpenter.sh/v1beta1", "spec": spec}) is expected
    assert not of_another_cloud({"apiVersion": "example.com/v1", "spec": spec})


@for_each(
    ("versions", "deprecated", "remedy"),
    [
        ((), True, ", and run KAITO 0.9 or later"),
        (("0.6.0",), False, ", and run KAITO 0.9 or later"),
        (("0.6.0", "0.9.4"), True, ""),
        (("0.9",), True, ""),
    ],
)
def test_a_version_is_not_deprecated_where_the_newer_one_is_not_served(
    versions: tuple[str, ...], remedy: str, *, deprecated: bool
) -> None:
    known = known_version("1.34", "kaito.sh/v1alpha1", "RAGEngine").on(versions)
    assert (known.deprecated, known.remedy) == (deprecated, f"write it as kaito.sh/v1beta1{remedy}")


def test_the_first_release_of_a_version_is_that_of_its_contract() -> None:
    contracts = Contracts(Schemas())
    for row in CATALOG.rows("apis").values():
        for entry in row["versions"]:
            for kind in entry["kinds"] if "from" in entry else ():
                contract = contracts.find("1.34", entry["use"], kind)
                releases = contracts.releases(contract.project)
                assert entry["from"] == f"{releases.name} {releases.text(contract.schema[CHANGED][0])}", kind
