"""Teams: their clusters, what their quota counts there, and which workloads belong to them."""

import pytest

from gitgpu.model.inputs import Inputs
from gitgpu.model.team_quotas import Units, quotas_on
from tests.helping.cases import for_each
from tests.model.test_link import CLUSTER, FLEET, HEAD, POOL, WORKLOAD, linked, reported

SECOND = CLUSTER.replace("c1", "c2").replace("env: prod", "env: lab")
SPOT = f"{HEAD}GpuPool\nmetadata: {{name: mixed}}\nspec:\n  clusters: [c1, c2]\n  sku: Standard_NC40ads_H100_v5\n"
SPOT += "  capacity: [spot, on-demand]\n"
MIG = f"{HEAD}GpuPool\nmetadata: {{name: slices}}\nspec:\n  clusters: [c1]\n  sku: Standard_NC24ads_A100_v4\n"
MIG += "  driver: operator\n  partition: {mig: {strategy: mixed, profiles: {1g.10gb: 3, 2g.20gb: 2}}}\n"


def team(quota: str, name: str = "a", rest: str = "") -> str:
    """A team in namespace s with this quota."""
    return f"{HEAD}GpuTeam\nmetadata: {{name: {name}}}\nspec:\n  namespaces: [s]\n  quota: [{quota}]\n{rest}"


def inputs_of(*documents: str) -> Inputs:
    """The inputs of a fleet without faults."""
    inputs, faults = linked(FLEET, CLUSTER, SECOND, POOL, SPOT, MIG, WORKLOAD, *documents)
    assert faults == ()
    assert inputs is not None
    return inputs


def counted(*documents: str) -> list[tuple[str, str, str, int]]:
    """The cluster, flavor, resource and number of each quota."""
    inputs = inputs_of(*documents)
    return [
        (cluster.name, quota.flavor, quota.unit.resource, quota.entry.gpus)
        for cluster in inputs.clusters
        for quota in quotas_on(inputs, cluster)
    ]


@for_each(
    ("entry", "expected"),
    [
        ("{pool: t4, gpus: 4}", [("c1", "t4", "nvidia.com/gpu", 4)]),
        ("{model: t4, gpus: 4}", [("c1", "t4", "nvidia.com/gpu", 4)]),
        ("{pool: t4, capacity: on-demand, gpus: 4}", [("c1", "t4", "nvidia.com/gpu", 4)]),
        ("{pool: t4, flavor: aks-t4, gpus: 4}", [("c1", "aks-t4", "nvidia.com/gpu", 4)]),
        ("{pool: slices, mig: 2g.20gb, gpus: 2}", [("c1", "slices", "nvidia.com/mig-2g.20gb", 2)]),
        (
            "{model: H100, capacity: spot, gpus: 1}",
            [("c1", "mixed-spot", "nvidia.com/gpu", 1), ("c2", "mixed-spot", "nvidia.com/gpu", 1)],
        ),
    ],
)
def test_an_entry_counts_one_resource_of_one_pool_on_each_cluster(
    entry: str, expected: list[tuple[str, str, str, int]]
) -> None:
    assert counted(team(entry)) == expected


@for_each(
    ("entry", "number"),
    [
        ("{pool: mixed, gpus: 4}", 2),  # spot or on-demand
        ("{pool: slices, gpus: 4}", 2),  # one of two profiles
        ("{pool: t4, capacity: spot, gpus: 4}", 0),
        ("{pool: t4, mig: 1g.10gb, gpus: 4}", 0),
        ("{pool: slices, mig: 3g.40gb, gpus: 4}", 0),
    ],
)
def test_an_entry_that_means_no_resource_or_several_counts_none(entry: str, number: int) -> None:
    inputs = inputs_of(team(entry))
    cluster = inputs.clusters[0]
    assert len(Units(inputs, cluster).matching(inputs.teams[0].quota[0])) == number
    assert list(quotas_on(inputs, cluster)) == []


def test_a_claimed_pool_is_counted_in_devices() -> None:
    claimed = CLUSTER.replace('"1.36"', '"1.36", stack: {allocation: dra}')
    inputs, faults = linked(FLEET, claimed, POOL, team("{pool: t4, gpus: 4}"))
    assert (inputs is not None, faults) == (True, ())
    assert inputs is not None
    [quota] = quotas_on(inputs, inputs.clusters[0])
    assert (quota.unit.resource, quota.unit.claimed) == ("gpu.nvidia.com", True)


@pytest.mark.parametrize(
    ("rest", "clusters"),
    [
        ("", ("c1", "c2")),
        ("  clusters: [c2]\n", ("c2",)),
        ("  clusters: {matchLabels: {env: prod}}\n", ("c1",)),
    ],
)
def test_a_team_has_the_clusters_it_selects_or_those_of_its_pools(rest: str, clusters: tuple[str, ...]) -> None:
    inputs = inputs_of(team("{pool: mixed, capacity: spot, gpus: 1}", rest=rest))
    assert inputs.teams[0].clusters == clusters
    assert [bool(inputs.teams_on(cluster)) for cluster in inputs.clusters] == ["c1" in clusters, "c2" in clusters]


def test_an_override_makes_a_variant() -> None:
    rest = "  overrides: [{clusters: [c2], set: {quota: [{model: H100, capacity: spot, gpus: 7}], fairShare: 2}}]\n"
    inputs = inputs_of(team("{pool: mixed, capacity: spot, gpus: 1}", rest=rest))
    found = [(variant.clusters, variant.quota[0].gpus, variant.fair_share) for variant in inputs.teams]
    assert found == [(("c1",), 1, None), (("c2",), 7, 2)]


def test_a_workload_has_the_team_it_names_or_that_of_its_namespace() -> None:
    named = WORKLOAD.replace("name: w,", "name: v,").replace("pools: [t4]", "pools: [t4]\n  team: b\n  priority: high")
    own, other = (
        team("{pool: t4, gpus: 4}"),
        team("{pool: t4, gpus: 4}", "b").replace("namespaces: [s]", "namespaces: [r]"),
    )
    inputs = inputs_of(own, other, named)
    cluster, without = inputs.clusters
    found = {workload.name: inputs.team_of(workload, cluster) for workload in inputs.workloads}
    assert {name: found_team.name for name, found_team in found.items() if found_team} == {"v": "b", "w": "a"}
    assert [inputs.team_of(workload, without) for workload in inputs.workloads] == [None, None]
    assert [workload.priority for workload in inputs.workloads] == ["high", None]


@for_each(
    ("document", "expected"),
    [
        (team("{pool: t5, gpus: 1}"), ["LNK005 /spec/quota/0/pool"]),
        (team("{model: T5, gpus: 1}"), ["LNK008 /spec/quota/0/model"]),
        (team("{pool: t4, gpus: 1}", rest="  clusters: [c1, c2]\n"), ["LNK010 /spec/clusters/1"]),
        (team("{pool: t4, gpus: 1}", rest="  clusters: [c3]\n"), ["LNK004 /spec/clusters/0"]),
        (
            team("{pool: t4, gpus: 1}", rest="  overrides: [{clusters: [c2], set: {fairShare: 1}}]\n"),
            ["LNK010 /spec/overrides/0/clusters/0"],
        ),
        (
            team("{pool: t4, gpus: 1}", rest="  overrides: [{clusters: [c1], set: {quota: [{pool: t6, gpus: 1}]}}]\n"),
            ["LNK005 /spec/overrides/0/set/quota/0/pool"],
        ),
        (WORKLOAD.replace("pools: [t4]", "pools: [t4]\n  team: c"), ["LNK005 /spec/team"]),
        (WORKLOAD.replace("pools: [t4]", "pools: [t4]\n  priority: c"), ["LNK005 /spec/priority"]),
    ],
)
def test_what_does_not_exist_is_reported_where_it_is_written(document: str, expected: list[str]) -> None:
    found = [f"{code} {place}" for code, _, place in map(str.split, reported(FLEET, CLUSTER, SECOND, POOL, document))]
    assert found == expected
