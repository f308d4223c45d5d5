"""The custom resource definitions that a chart release installs."""

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.objects.gitops.installed_definitions import installed_definitions
from gitgpu.objects.gitops.releases import Release
from tests.helping.cases import for_each

CATALOG = Catalog(CatalogFiles())


def names(chart: str, version: str, values: dict[str, object], *, whole: bool = True) -> set[str]:
    """The names of the definitions of a release."""
    release = Release(None, chart, version, "gpu", (), values, whole)  # type: ignore[arg-type]
    return {each.name for each in installed_definitions(release, CATALOG)}


@for_each(("version", "expected"), [("v26.3.3", False), ("26.7.0", True), ("", True), ("26.x", True), ("20.1", False)])
def test_a_version_that_is_not_exact_is_taken_for_the_newest(version: str, expected: bool) -> None:
    assert ("computedomains.resource.nvidia.com" in names("gpu-operator", version, {})) is expected


def test_a_removed_definition_is_not_in_later_versions() -> None:
    removed = "machines.karpenter.sh"
    assert removed in names("workspace", "0.4.1", {})
    assert removed not in names("workspace", "0.4.2", {}) | names("workspace", "", {})


def test_one_of_two_values_is_enough() -> None:
    assert not names("cert-manager", "v1.21.1", {})
    assert names("cert-manager", "v1.21.1", {"installCRDs": True})
    assert names("keda", "2.20.2", {})
    assert not names("keda", "2.20.2", {"crds": {"install": False}})


def test_values_from_elsewhere_can_turn_a_definition_off() -> None:
    assert not names("kube-prometheus-stack", "80.0.0", {}, whole=False)
    assert names("kube-prometheus-stack", "80.0.0", {"crds": {"enabled": True}}, whole=False)
    assert "clusterpolicies.nvidia.com" in names("gpu-operator", "26.7.0", {}, whole=False)
