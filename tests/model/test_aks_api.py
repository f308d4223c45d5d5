"""The oldest version of Azure's API that has what is written of a resource."""

from typing import Any

import pytest

from gitgpu.model.aks_api import OLDEST_API, ApiField, fields_of, least_api
from tests.emit.fleets import CATALOG
from tests.helping.cases import for_each

PREVIEW = CATALOG.must("pools", "aks")["previewApi"]


@for_each(
    ("properties", "version"),
    [
        ({}, OLDEST_API),
        ({"gpuProfile": {"driver": "None"}, "nodeLabels": {"a/b": "c"}, "nodeTaints": ["a=b:NoExecute"]}, OLDEST_API),
        ({"osSKU": "Ubuntu2404"}, "2025-10-01"),
        ({"osSKU": "AzureContainerLinux"}, "2026-03-01"),
        ({"osSKU": "Ubuntu2604"}, "2026-06-02-preview"),
        ({"artifactStreamingProfile": {"enabled": True}}, "2026-03-01"),
        ({"networkProfile": {"dranet": {"mode": "Managed"}}}, "2026-06-01"),
        ({"gpuProfile": {"driver": "Install", "nvidia": {"managementMode": "Managed"}}}, "2026-08-01"),
        ({"gpuProfile": {"nvidia": {"managementMode": "Managed", "migStrategy": "Single"}}}, PREVIEW),
        ({"gpuProfile": {"nvidia": {"managementMode": "Managed", "driverMode": "DRA"}}}, "2026-06-02-preview"),
        ({"gpuProfile": {"nvidia": {"driverMode": "DRA", "migProfiles": ["MIG1g"]}}}, "2026-07-02-preview"),
        # A list as of 2026-02-02-preview; with the sizes, and as an object, it is in older previews only.
        ({"virtualMachinesProfile": {"scale": {"autoscale": [{"size": "a", "maxCount": 1}]}}}, "2026-05-01"),
    ],
)  # fmt: skip
def test_a_node_pool_has_the_oldest_version_with_all_of_its_fields_and_values(
    properties: dict[str, Any], version: str
) -> None:
    assert least_api(CATALOG, "agentPools", fields_of(CATALOG, "agentPools", properties)) == version


def test_a_cluster_never_has_a_version_with_another_shape_of_a_field() -> None:
    properties: dict[str, Any] = {"schedulerProfile": {"upstream": {"schedulerConfigMode": "ManagedByCRD"}}}
    assert least_api(CATALOG, "managedClusters", fields_of(CATALOG, "managedClusters", properties)) == "2026-05-01"
    # 2026-04-02-preview is the first preview that would be written, and has the scheduler's settings elsewhere.
    properties["nodeDisruptionProfile"] = {"nodeDisruptionPolicy": "Block"}
    assert (
        least_api(CATALOG, "managedClusters", fields_of(CATALOG, "managedClusters", properties)) == "2026-05-02-preview"
    )


@pytest.mark.parametrize("resource", ["agentPools", "managedClusters", "maintenanceConfigurations"])
def test_some_version_has_every_field_of_the_newest_stable_one_and_any_preview_field(resource: str) -> None:
    fields = CATALOG.must("arm", resource)["fields"]
    current = [path for path, facts in fields.items() if "last" not in facts and facts["preview"]]
    stable = [path for path in current if fields[path]["stable"]]
    for path in current:
        assert least_api(CATALOG, resource, map(ApiField, [*stable, path])) >= OLDEST_API
    assert {path for path, facts in fields.items() if facts["stable"] and "last" not in facts} == set(stable)


def test_a_property_that_the_api_does_not_have_is_a_bug() -> None:
    with pytest.raises(KeyError):
        least_api(CATALOG, "agentPools", fields_of(CATALOG, "agentPools", {"gpuProfile": {"vendor": "nvidia"}}))
