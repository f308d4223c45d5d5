"""Any fleet with teams that is built and imported builds the same queues and quotas again."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.inventory.observed import Inventory
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.runs.import_ import import_fleet
from tests.adopt.clusters import built, emitted
from tests.adopt.test_round_trip import slowly
from tests.emit.fleets import A100, CLUSTER_ID, T4, Body, cluster, document, fleet, inputs_of, pool

KINDS = (
    "AdmissionCheck",
    "ClusterQueue",
    "Cohort",
    "LocalQueue",
    "PriorityClass",
    "ProvisioningRequestConfig",
    "ResourceFlavor",
    "ResourceQuota",
    "Topology",
    "WorkloadPriorityClass",
)
H100 = "Standard_ND96isr_H100_v5"
ENTRIES = st.fixed_dictionaries(
    {"gpus": st.integers(0, 8)},
    optional={"borrow": st.integers(0, 8) | st.just("unlimited"), "lend": st.integers(0, 8)},
)
POOLS: Mapping[str, tuple[Body, ...]] = {
    "t4": ({"pool": "t4"},),
    "shared": ({"pool": "shared"},),
    "both": ({"pool": "both", "capacity": "spot"}, {"pool": "both", "capacity": "on-demand"}),
    "reserved": ({"pool": "reserved"},),
}


@st.composite
def fleets(draw: st.DrawFn, queues: str) -> list[Body]:
    """Fleets with one to three teams on a cluster with pools of several kinds."""
    pools = [
        pool("t4", T4, taints=[{"key": "sku", "value": "gpu", "effect": "NoSchedule"}]),
        pool("shared", T4, partition={"timeSlicing": {"replicas": 4}}),
        pool("both", A100, capacity=["spot", "on-demand"]),
        pool("reserved", H100, provisioner="cluster-autoscaler", nodes={"min": 0, "max": 2}, rdma="shared"),
    ]
    teams = []
    for name in draw(st.lists(st.sampled_from(("research", "batch", "research-b")), min_size=1, unique=True)):
        kinds = draw(st.lists(st.sampled_from(sorted(POOLS)), min_size=1, unique=True))
        selected = [entry for kind in kinds for entry in POOLS[kind]]
        if queues == "none":  # a ResourceQuota does not say which of several pools it counts
            selected = [{"pool": "t4"}]
        quota = [{**entry, **draw(ENTRIES)} for entry in selected]
        optional = {
            "priorities": st.dictionaries(st.sampled_from(("urgent", "b-low")), st.integers(1, 999), min_size=1),
            "fairShare": st.sampled_from((0, 2, 0.5)),
        }
        more = draw(st.fixed_dictionaries({}, optional=optional))
        namespaces = [name, f"{name}-lab"][: draw(st.integers(1, 2))]
        teams.append(document("GpuTeam", name, {"namespaces": namespaces, "quota": quota, **more}))
    pools = pools if queues == "kueue" else pools[:1]
    return [fleet(), cluster(stack={"queues": queues}, kubernetesVersion="1.34", resourceId=CLUSTER_ID), *pools, *teams]


def accepted(documents: list[Body]) -> Inputs:
    try:
        return inputs_of(*documents)
    except AssertionError:  # rules reject some combinations
        reject()


def round_trip(inputs: Inputs) -> None:
    [own] = inputs.clusters
    running = built(inputs, own)
    made = import_fleet(Inventory((running,)), ClusterOptions(), (), "fleet")
    lost = [outcome for outcome in made.adopted.outcomes if outcome.fate is Fate.INEXPRESSIBLE]
    assert [(outcome.observed.name, outcome.reason) for outcome in lost] == []
    after = made.checked.inputs
    assert after is not None, made.checked.diagnostics
    assert after.clusters[0].stack.queues == own.stack.queues
    assert queues_of(emitted(after, after.clusters[0])) == queues_of(emitted(inputs, own))


def queues_of(bodies: list[Mapping[str, Any]]) -> list[tuple[str, Any]]:
    """The queues and quotas without their labels, which name the fleet."""
    return sorted(
        (
            (
                f"{body['kind']}/{body['metadata'].get('namespace')}/{body['metadata']['name']}",
                body.get("spec", body.get("value")),
            )
            for body in bodies
            if body["kind"] in KINDS
        ),
        key=str,
    )


@slowly
@given(fleets("kueue"))
def test_queues_are_read_back(documents: list[Body]) -> None:
    round_trip(accepted(documents))


@slowly
@given(fleets("none"))
def test_resource_quotas_are_read_back(documents: list[Body]) -> None:
    round_trip(accepted(documents))


@pytest.mark.parametrize("queues", ["kueue", "none"])
@pytest.mark.parametrize("stack", [{"allocation": "dra"}, {"driver": "operator"}])
def test_devices_and_mig_instances_are_read_back(queues: str, stack: Body) -> None:
    quota: list[Body] = [{"pool": "a100", "gpus": 4}]
    partition: Body = {}
    if "driver" in stack:
        partition = {
            "provisioner": "fixed",
            "nodes": {"min": 2, "max": 2},
            "partition": {"mig": {"profiles": {"1g.10gb": 3, "2g.20gb": 2}, "strategy": "mixed"}},
        }
        quota = [{"pool": "a100", "mig": "1g.10gb", "gpus": 6}, {"pool": "a100", "mig": "2g.20gb", "gpus": 2}]
    team = document("GpuTeam", "research", {"namespaces": ["research"], "quota": quota})
    version = "1.35" if "allocation" in stack else "1.34"
    on = cluster(stack={**stack, "queues": queues}, kubernetesVersion=version, resourceId=CLUSTER_ID)
    round_trip(inputs_of(fleet(), on, pool("a100", A100, **partition), team))


@pytest.mark.parametrize("queues", ["kueue", "none"])
@pytest.mark.parametrize("guard", ["deny", "warn", "none"])
def test_the_guard_is_read_back(guard: str, queues: str) -> None:
    team = document("GpuTeam", "research", {"namespaces": ["research", "vision"], "quota": [{"pool": "t4", "gpus": 4}]})
    on = cluster(stack={"guard": guard, "queues": queues}, kubernetesVersion="1.34", resourceId=CLUSTER_ID)
    inputs = inputs_of(fleet(), on, pool("t4", T4), team)
    assert imported(inputs).stack.guard == guard
    # A guard that does not know the team would deny its pods.
    assert imported(inputs, "ResourceQuota", "LocalQueue").stack.guard == "none"


def imported(inputs: Inputs, *omitted: str) -> Cluster:
    [own] = inputs.clusters
    running = built(inputs, own)
    left = tuple(observed for observed in running.objects if observed.body["kind"] not in omitted)
    made = import_fleet(Inventory((running._replace(objects=left),)), ClusterOptions(), (), "fleet")
    assert made.checked.inputs is not None, made.checked.diagnostics
    return made.checked.inputs.clusters[0]
