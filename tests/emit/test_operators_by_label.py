"""Operators on nodes that are selected by labels: a further pool restarts none of their pods on the nodes of others."""

from collections.abc import Mapping
from itertools import combinations_with_replacement
from typing import Any

from gitgpu.model.names.labels import POD_SECURITY_ENFORCE_LABEL as ENFORCE
from tests.emit.fleets import A100, CLUSTER_ID, H100, MI300X, T4, Body, cluster, emitted, fleet, pool
from tests.helping.cases import for_each

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
    "operator, no profiling": {**OPERATED, "sku": "Standard_NV6s_v2", "driverBranch": "580", **FIXED},
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


def installed(pools: Mapping[str, str], **stack: Any) -> dict[str, Any]:
    """The values of the operators, and the drivers of single pools, of a cluster with pools of these kinds by name."""
    made = [pool(name, **{"sku": T4, **KINDS[kind]}) for name, kind in pools.items()]
    own = cluster(resourceId=CLUSTER_ID, kubernetesVersion="1.35", stack={"nodeSelection": "labels", **stack})
    output = emitted(fleet(), own, *made)
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


def test_a_further_pool_changes_no_values_of_an_operator() -> None:
    for first, second in combinations_with_replacement(KINDS, 2):
        both = installed({"one-pool": first, "two": second})
        for name, kind, further in (("one-pool", first, second), ("two", second, first)):
            once = (*FILES, *(() if further == kind else ONCE.get(further, ())))
            for part, values in installed({name: kind}).items():
                assert without(both[part], *once) == without(values, *once), (part, kind, further)


INFINIBAND = KINDS["operator, InfiniBand"]


def drivers_of(**spec: Any) -> tuple[Body, list[Body]]:
    """The values for the default driver, and the NVIDIADrivers: of two pools, of which one has InfiniBand."""
    pools = [pool("plain", T4, **OPERATED), pool("fast", **INFINIBAND)]
    stack = {"nodeSelection": "labels", **spec.pop("stack", {})}
    output = emitted(fleet(), cluster(resourceId=CLUSTER_ID, stack=stack, **spec), *pools)
    return (output.operator_values() or {}).get("driver", {}), output.every("NVIDIADriver")


def test_only_the_pool_with_infiniband_has_a_driver_for_it() -> None:
    default, [driver] = drivers_of()
    assert default == {"nvidiaDriverCRD": {"enabled": True}}
    assert driver["spec"]["nodeSelector"] == {"kubernetes.azure.com/agentpool": "fast"}
    assert driver["spec"]["rdma"] == {"enabled": True}
    assert driver["spec"]["version"] == "595.91.07", "the default of the release"


@for_each("part", ["driver", "gds", "gdrcopy"])
def test_a_driver_with_values_of_the_user_is_the_one_of_all_pools(part: str) -> None:
    """They are for the chart's own NVIDIADriver. One of gitgpu's would not have them."""
    default, drivers = drivers_of(stack={"values": {"gpu-operator": {part: {"enabled": True}}}})
    assert drivers == []
    assert default["rdma"] == {"enabled": True}


def test_an_older_operator_keeps_its_one_driver() -> None:
    """It has no default beside other drivers, and turning to NVIDIADrivers deletes the drivers that run."""
    default, drivers = drivers_of(stack={"versions": {"gpu-operator": "v26.3.3"}})
    assert (default, drivers) == ({"rdma": {"enabled": True}}, [])


def test_every_operator_depends_on_the_labels() -> None:
    """Their releases have rules for it, whose kinds it brings; and its worker may be on the nodes before they look."""
    pools = [pool(f"pool-{at}", **{"sku": T4, **KINDS[kind]}) for at, kind in enumerate(("operator", "AMD's operator"))]
    output = emitted(fleet(), cluster(resourceId=CLUSTER_ID, stack={"nodeSelection": "labels"}), *pools)
    for release in ("gpu-operator", "amd-gpu-operator"):
        assert output.one("HelmRelease", release)["spec"]["dependsOn"] == [{"name": "node-feature-discovery"}]
    assert output.one("Namespace", "node-feature-discovery")["metadata"]["labels"][ENFORCE] == "privileged"


def test_discovery_labels_what_every_operator_selects_by() -> None:
    """The same for any operators, or another pool with another operator would change the worker's settings."""
    sources = []
    for kind in ("operator", "AMD's operator", "InfiniBand"):
        own = cluster(resourceId=CLUSTER_ID, stack={"nodeSelection": "labels"})
        values = (
            emitted(fleet(), own, pool("only", **{"sku": T4, **KINDS[kind]})).values("node-feature-discovery") or {}
        )
        sources.append(values["worker"]["config"]["sources"])
    assert sources[0] == sources[1] == sources[2]
    assert sources[0]["pci"]["deviceLabelFields"] == ["vendor"], "pci-10de.present, which the GPU Operator looks for"
    classes = sources[0]["pci"]["deviceClassWhitelist"]
    assert not any(each.startswith("02") for each in classes), "in Azure, any node may have a NIC of NVIDIA"


def test_operators_install_no_labels_themselves() -> None:
    assert installed({"p": "InfiniBand"}) == {
        "network-operator": {"nfd": {"enabled": False, "deployNodeFeatureRules": False}}
    }
    assert installed({"p": "AMD's operator"})["amd-gpu-operator"]["node-feature-discovery"] == {"enabled": False}
    assert installed({"p": "operator"})["gpu-operator"]["nfd"] == {"enabled": False}


def test_a_branch_changes_nothing_for_nodes_whose_gpus_are_claimed() -> None:
    """With NVIDIADrivers turned on only then, the drivers of all nodes would be replaced."""
    before = installed({"a": "operator"}, allocation="dra")
    after = installed({"a": "operator", "b": "operator, branch"}, allocation="dra")
    assert before["gpu-operator"] == after["gpu-operator"]


def test_gpu_feature_discovery_keeps_its_master_when_an_operator_comes() -> None:
    stack = {"nodeSelection": "labels", "discovery": "gfd"}
    before, after = (
        emitted(fleet(), cluster(stack=stack), pool("t4"), *more) for more in ([], [pool("h100", H100, **OPERATED)])
    )
    assert before.values("node-feature-discovery") == {"worker": {"enable": False}}
    assert "enable" not in (after.values("node-feature-discovery") or {})["worker"]
    of_release = [
        each.one("HelmRelease", "node-feature-discovery")["spec"]["targetNamespace"] for each in (before, after)
    ]
    assert of_release[0] == of_release[1]
