"""Values in the spec are merged into the releases of Flux and Argo CD in the same way as in Helm."""

from typing import Any

import pytest

from tests.patch.fleets import Result, compiled, under

FLUX, ARGO = "controllers/helmrelease-gpu-operator.yaml", "sync/application-contoso-prod.gpu-operator.yaml"
FLEET = under("values", {"gpu-operator": {"operator": {"resources": {"limits": {"memory": "1Gi", "cpu": "1"}}}}}, 3)


def of_cluster(values: dict[str, Any]) -> str:
    return under("stack", {"values": {"gpu-operator": values}})


def values_of(result: Result, engine: str) -> Any:
    body = result.body(FLUX if engine == "flux" else ARGO)
    return body["spec"]["values"] if engine == "flux" else body["spec"]["source"]["helm"]["valuesObject"]


@pytest.mark.parametrize("engine", ["flux", "argocd"])
def test_values_of_the_cluster_override_the_fleet_and_the_fleet_overrides_gitgpu(engine: str) -> None:
    cluster = of_cluster(
        {"operator": {"resources": {"limits": {"memory": "2Gi"}}}, "dcgmExporter": {"serviceMonitor": None}}
    )
    plain = values_of(compiled(driver="operator", engine=engine), engine)
    result = compiled(FLEET, cluster, driver="operator", engine=engine)
    values = values_of(result, engine)
    assert values["operator"]["resources"]["limits"] == {"memory": "2Gi", "cpu": "1"}
    assert plain["dcgmExporter"].pop("serviceMonitor")
    assert values["dcgmExporter"] == plain["dcgmExporter"]
    assert {key: value for key, value in values.items() if key != "operator"} == plain
    path = FLUX if engine == "flux" else ARGO
    assert "# Values from Fleet contoso in fleet.yaml, Cluster prod in fleet.yaml." in result.header(path)


def test_no_null_is_emitted() -> None:
    result = compiled(
        cluster=of_cluster({"operator": {"resources": None, "tolerations": {"a": None}}}), driver="operator"
    )
    assert values_of(result, "flux")["operator"] == {"tolerations": {}}
