"""DaemonSets that select nodes by a label: a further pool changes none of them, and they run on the same nodes."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.emit.fleets import A10, A100, CLUSTER_ID, H100, T4, Body, cluster, emitted, fleet, plans, pool, pools

BY_LABEL = {"nodeSelection": "labels", "discovery": "gfd"}
PROVISIONERS: st.SearchStrategy[Body] = st.sampled_from(({}, {"provisioner": "fixed", "nodes": {"min": 1, "max": 1}}))
TAINTS = st.sampled_from(
    ([], [{"key": "sku", "value": "gpu", "effect": "NoSchedule"}], [{"key": "a", "value": "b", "effect": "NoExecute"}])
)
PARTITIONS = st.sampled_from(({}, {"partition": {"mps": {"replicas": 4}}}))


def alike(partition: Body) -> st.SearchStrategy[list[Body]]:
    """Pools on AKS's driver with any size, taints and provisioner."""
    specs = st.tuples(st.sampled_from((T4, A100, H100)), TAINTS, PROVISIONERS)
    return st.lists(specs, min_size=2, max_size=5).map(
        lambda drawn: [
            pool(f"pool-{at}", sku, taints=taints, **own, **partition) for at, (sku, taints, own) in enumerate(drawn)
        ]
    )


def daemons(gpu_pools: Sequence[Body], **stack: Any) -> dict[str, Body]:
    """The pod templates of the DaemonSets by name."""
    own = cluster(resourceId=CLUSTER_ID, stack={**BY_LABEL, **stack})
    output = emitted(fleet(), own, *gpu_pools)
    return {body["metadata"]["name"]: body["spec"]["template"] for body in output.every("DaemonSet")}


@given(PARTITIONS.flatmap(alike), st.data())
def test_a_further_pool_changes_no_pod_template(gpu_pools: list[Body], data: st.DataObject) -> None:
    fewer = data.draw(st.lists(st.sampled_from(gpu_pools), min_size=1, unique_by=lambda body: body["metadata"]["name"]))
    assert daemons(fewer) == daemons(gpu_pools)


def test_a_pool_with_another_exporter_changes_no_pod_template() -> None:
    """Sizes with GRID drivers have no profiling: the catalog knows them, whether or not a pool has them."""
    profiled, virtual = [pool("t4", T4), pool("a100", A100)], [pool("a10", A10), pool("a10-too", A10)]
    alone, together = daemons(profiled), daemons([*profiled, *virtual])
    assert alone.keys() < together.keys()
    assert {name: together[name] for name in alone} == alone
    of_virtual = daemons(virtual)
    assert {name: together[name] for name in of_virtual} == of_virtual


@given(pools())
def test_the_same_nodes_are_selected(gpu_pools: list[Body]) -> None:
    by_name = daemons(gpu_pools, nodeSelection="pools")
    by_label = daemons(gpu_pools)
    (plan,) = plans(fleet(), cluster(stack=BY_LABEL), *gpu_pools).values()
    assert by_name.keys() == {part(name) for name in by_label}
    for name, template in by_name.items():
        parts = [by_label[other] for other in by_label if part(other) == name]
        for planned in plan.pools:
            size = planned.pool.skus[0].name
            labels = {
                "karpenter.sh/nodepool": planned.name, "node.kubernetes.io/instance-type": size, **planned.labels
            }  # fmt: skip
            assert any(selects(other, labels) for other in parts) is selects(template, labels), (name, planned.name)


def part(name: str) -> str:
    """What a DaemonSet runs, without the pool that it is for."""
    return name.partition("-pool-")[0]


def selects(template: Body, labels: Mapping[str, str]) -> bool:
    """Whether pods of the template may run on nodes with these labels."""
    affinity = template["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
    return any(
        all(
            (labels.get(rule["key"]) in rule["values"]) is (rule["operator"] == "In")
            for rule in term["matchExpressions"]
        )
        for term in affinity["nodeSelectorTerms"]
    )


def test_a_pool_without_the_label_is_selected_by_its_name() -> None:
    template = daemons([pool("t4"), pool("old", operatorOptOut=False)])["nvidia-device-plugin"]
    assert selects(template, {"karpenter.sh/nodepool": "old"})
    assert selects(template, {"nvidia.com/gpu.deploy.operands": "false", "karpenter.sh/nodepool": "elsewhere"})
    assert not selects(template, {"karpenter.sh/nodepool": "elsewhere"})
    assert template["spec"]["tolerations"] == [{"operator": "Exists"}]


def test_nodes_whose_gpus_aks_manages_are_excluded_by_name() -> None:
    template = daemons([pool("t4"), pool("managed", driver="managed")])["nvidia-device-plugin"]
    assert not selects(template, {"nvidia.com/gpu.deploy.operands": "false", "karpenter.sh/nodepool": "managed"})


@pytest.mark.parametrize(
    ("driver", "label"), [("aks", "nvidia.com/gpu.deploy.operands"), ("operator", "nvidia.com/dra-kubelet-plugin")]
)
def test_a_further_pool_does_not_change_the_dra_driver(driver: str, label: str) -> None:
    stack = {"allocation": "dra", "driver": driver, "nodeSelection": "labels"}
    documents = [fleet(), cluster(stack=stack, kubernetesVersion="1.35"), pool("one-pool", A100)]
    further = pool("further", A100, taints=[{"key": "a", "value": "b", "effect": "NoSchedule"}])
    before, after = (
        [body["spec"]["values"] for body in emitted(*made).every("HelmRelease") if "dra" in body["metadata"]["name"]]
        for made in (documents, [*documents, further])
    )
    assert before == after
    [values] = before
    [term] = values["kubeletPlugin"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][
        "nodeSelectorTerms"
    ]
    assert [expression["key"] for expression in term["matchExpressions"]] == [label]
