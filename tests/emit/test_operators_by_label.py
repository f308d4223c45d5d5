"""Operators on nodes that are selected by labels: a further pool restarts none of their pods on the nodes of others."""

from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.emit.fleets import A100, CLUSTER_ID, H100, MI300X, T4, Body, cluster, emitted, fleet, pool

ND = "Standard_ND96isr_H100_v5"
TAINTED = {"taints": [{"key": "team", "value": "search", "effect": "NoSchedule"}]}
FIXED: Body = {"provisioner": "fixed", "nodes": {"min": 1, "max": 1}}
OPERATED: Body = {"driver": "operator"}
MIG = {"partition": {"mig": {"profiles": {"1g.10gb": 7}}}}
SHARED = {"partition": {"timeSlicing": {"replicas": 4}}}
RELEASES = ("gpu-operator", "amd-gpu-operator", "network-operator")
KINDS: Mapping[str, Body] = {
    "AKS's driver": {},
    "taints": TAINTED,
    "shares of AKS's driver": SHARED,
    "managed by AKS": {"driver": "managed"},
    "no driver": {"driver": "none"},
    "InfiniBand": {"sku": ND, "rdma": "shared", **FIXED},
    "operator": OPERATED,
    "operator, another size": {**OPERATED, "sku": H100},
    "operator, taints": {**OPERATED, **TAINTED},
    "operator, branch": {**OPERATED, "driverBranch": "580"},
    "operator, InfiniBand": {**OPERATED, "sku": ND, "rdma": "shared", **FIXED},
    "operator, InfiniBand without RDMA": {**OPERATED, "sku": ND, **FIXED},
    "operator, shares": {**OPERATED, **SHARED},
    "operator, MIG": {**OPERATED, **MIG, "sku": A100},
    "AMD's operator": {**OPERATED, "sku": MI300X, **FIXED},
    "AMD's operator, taints": {**OPERATED, **TAINTED, "sku": MI300X, **FIXED},
}
# A ConfigMap, which the pods read when they start: with another file, none of them restarts.
FILES = (("devicePlugin", "config", "data"),)
# What the operator has once for all its nodes, and only some pools need.
ONCE: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "operator, shares": (("dcgmExporter", "env"),),
    "operator, MIG": (("mig",), ("migManager",)),
}


def installed(*kinds: str, **stack: Any) -> dict[str, Any]:
    """The values of the operators, and the drivers of single pools, of a cluster with pools of these kinds."""
    pools = [pool(f"pool-{at}", **{"sku": T4, **KINDS[kind]}) for at, kind in enumerate(kinds)]
    own = cluster(resourceId=CLUSTER_ID, kubernetesVersion="1.35", stack={"nodeSelection": "labels", **stack})
    output = emitted(fleet(), own, *pools)
    drivers = {f"driver of {body['metadata']['name']}": body["spec"] for body in output.every("NVIDIADriver")}
    return drivers | {release: values for release in RELEASES if (values := output.values(release))}


def without(values: Body, *paths: tuple[str, ...]) -> Body:
    """The values without those at some paths."""
    left = dict(values)
    for first, *rest in paths:
        if first in left:
            below = left.pop(first)
            if rest:
                left[first] = without(below, tuple(rest))
    return left


@given(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=3), st.sampled_from(sorted(KINDS)))
def test_a_further_pool_changes_no_values_of_an_operator(kinds: list[str], further: str) -> None:
    before, after = installed(*kinds), installed(*kinds, further)
    once = (*FILES, *(() if further in kinds else ONCE.get(further, ())))
    for name, values in before.items():
        assert without(after[name], *once) == without(values, *once), name
