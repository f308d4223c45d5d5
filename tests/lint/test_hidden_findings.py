"""A value of the wrong type does not hide other findings in the document, unless they depend on it."""

import pytest

from gitgpu.load.text import Text
from gitgpu.runs.validate import validate_texts
from tests.cli.fleets import CLUSTER, FLEET, POOL

WORKLOAD = (
    "apiVersion: gitgpu.dev/v1alpha1\nkind: GpuWorkload\nmetadata: {name: w, namespace: team}\n"
    "spec: {pools: [t4], target: {kind: Deployment, name: w}}\n"
)


def codes(*documents: str) -> list[str]:
    """The codes of all findings of a fleet, sorted."""
    text = "---\n".join(documents)
    return sorted(each.code for each in validate_texts([Text("fleet.yaml", text, "fleet.yaml")]).diagnostics)


@pytest.mark.parametrize(
    ("slip", "expected"),
    [
        (("limits:", "limitz:"), ["LNK004", "SHP003"]),
        (("limits: {gpus: 2}", "limits: {gpus: two}"), ["LNK004", "SHP003"]),
        (("limits: {gpus: 2}", "limits: {gpus: 2}, frobnication: 3"), ["LNK004", "SHP003"]),
        (("limits: {gpus: 2}", "limits: {gpus: 2}, capacity: [sopt]"), ["LNK004", "SHP003"]),
        (("limits: {gpus: 2}", "limits: {gpus: 2}, zones: [0]"), ["LNK004", "SHP003"]),
        (("sku:", "skuu:"), ["LNK004", "SHP003"]),
        (("limits: {gpus: 2}", "limits: {gpus: few, cpu: [many]}"), ["LNK004", "SHP003", "SHP003"]),
    ],
)
def test_a_pool_on_an_unknown_cluster(slip: tuple[str, str], expected: list[str]) -> None:
    pool = POOL.replace("[c1]", "[nowhere]")
    assert codes(FLEET, CLUSTER, pool) == ["LNK004"]
    assert codes(FLEET, CLUSTER, pool.replace(*slip)) == expected
    assert codes(FLEET, CLUSTER, POOL.replace(*slip)) == [code for code in expected if code != "LNK004"]


def test_an_unknown_size() -> None:
    pool = POOL.replace("Standard_NC16as_T4_v3", "Standard_NC16as_T4_v9")
    assert codes(FLEET, CLUSTER, pool.replace("limits:", "limitz:")) == ["LNK007", "SHP003"]


@pytest.mark.parametrize(
    "slip",
    [("limits:", "limitz:"), ("limits: {gpus: 2}", "limits: 2"), ("limits: {gpus: 2}", "limits: {gpu: 2}")],
)
def test_nothing_follows_from_the_wrong_value_itself(slip: tuple[str, str]) -> None:
    """A pool without limits would be reported, but here the limits are only misspelt."""
    assert codes(FLEET, CLUSTER, POOL.replace(", limits: {gpus: 2}", "")) != []
    assert codes(FLEET, CLUSTER, POOL.replace(*slip)) == ["SHP003"]


def test_rules_see_the_rest_of_a_document() -> None:
    """A rule reports the size despite a mistake elsewhere."""
    old = POOL.replace("Standard_NC16as_T4_v3", "Standard_NC6")
    whole = codes(FLEET, CLUSTER, old)
    assert whole != []
    slip = old.replace("limits: {gpus: 2}", "limits: {gpus: 2}, frobnication: 1")
    assert codes(FLEET, CLUSTER, slip) == sorted([*whole, "SHP003"])


@pytest.mark.parametrize(
    ("cluster", "fleet"),
    [
        (FLEET, CLUSTER.replace("spec: {", "spec: {stak: {driver: aks}, ")),
        (FLEET, CLUSTER.replace("region: swedencentral", "regoin: swedencentral")),
        (FLEET.replace("repository:", "repositry:"), CLUSTER),
        (FLEET.replace("spec: {", "spec: {default: {}, "), CLUSTER),
    ],
)
def test_a_slip_in_a_cluster_or_the_fleet_leaves_the_pools(fleet: str, cluster: str) -> None:
    assert codes(fleet, cluster, POOL.replace("[c1]", "[nowhere]")) == ["LNK004", "SHP003"]
    assert codes(fleet, cluster, POOL) == ["SHP003"]


def test_a_workload_with_a_slip() -> None:
    broken = WORKLOAD.replace("[t4]", "[t5]")
    assert codes(FLEET, CLUSTER, POOL, broken) == ["LNK005"]
    assert codes(FLEET, CLUSTER, POOL, broken.replace("target:", "gpsu: 1, target:")) == ["LNK005", "SHP003"]
    assert codes(FLEET, CLUSTER, POOL, WORKLOAD.replace("target:", "gpsu: 1, target:")) == ["SHP003"]


@pytest.mark.parametrize("name", ["T4", "", "[a]"])
def test_a_document_without_a_name_is_not_read(name: str) -> None:
    assert set(codes(FLEET, CLUSTER, POOL.replace("name: t4", f"name: {name}").replace("[c1]", "[no]"))) == {"SHP003"}


def test_the_other_documents_get_no_finding_from_a_slip() -> None:
    """If the pool were ignored, the cluster with ResourceClaims would be reported as having no pool."""
    cluster = CLUSTER.replace("spec: {", "spec: {stack: {allocation: dra}, ")
    whole = codes(FLEET, cluster, POOL)
    assert codes(FLEET, cluster) != []
    slip = codes(FLEET, cluster, POOL.replace("limits:", "limitz:"))
    assert set(slip) <= {*whole, "SHP003"}


@pytest.mark.parametrize("slip", [("pools: [t4]", "pools: 3"), ("kind: Deployment, name: w", "kind: [x]")])
def test_required_values_that_are_wrong_are_not_guessed(slip: tuple[str, str]) -> None:
    assert set(codes(FLEET, CLUSTER, POOL, WORKLOAD.replace(*slip))) == {"SHP003"}
