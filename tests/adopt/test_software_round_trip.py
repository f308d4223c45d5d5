"""Generated clusters keep their software: the first build of their imported fleet restarts and upgrades nothing.

Of clusters that gitgpu has built, it changes nothing at all. Others have an operator or DaemonSets of another author.
"""

from collections.abc import Mapping
from typing import Any

import yaml
from hypothesis import example, find, given, reject
from hypothesis import strategies as st

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.adopt.first_build.software_change import Effect
from gitgpu.inventory.observed import Azure, Inventory, ObservedCluster
from gitgpu.runs.import_ import Imported, import_fleet
from tests.adopt.clusters import built
from tests.adopt.inventories import observed
from tests.adopt.test_first_build import live
from tests.adopt.test_kept_values import FORMS, NODES, SHARING, VERSIONS
from tests.adopt.test_owned_software import daemon
from tests.adopt.test_round_trip import slowly
from tests.emit.fleets import A100, AZURE, CLUSTER_ID, MI300X, PROMETHEUS, Body, cluster, fleet, inputs_of, pool

TAINTS = st.sampled_from(
    (
        [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}],
        [{"key": "sku", "value": "gpu", "effect": "NoSchedule"}],
        [],
    )
)
STACKS: Mapping[str, Any] = {
    "driver": st.sampled_from(("aks", "operator", "aks-only", "none")),
    "nodeSelection": st.sampled_from(("labels", "pools")),
    "allocation": st.just("dra"),
    "discovery": st.just("gfd"),
    "health": st.just("npd"),
    "keda": st.sampled_from(("helm", "none", "addon")),
    "metrics": st.sampled_from(
        (
            {"scrape": "none"},
            {"exporter": False, "scrape": "none"},
            {**PROMETHEUS, "labels": {"release": "kps"}, "interval": "15s"},
            {**AZURE, "counters": "standard"},
        )
    ),
    "versions": st.sampled_from(
        (
            {"gpu-operator": "v25.10.1"},
            {"nvidia-device-plugin": "v0.18.2", "keda": "2.19.0"},
            {"gpu-operator": "v26.3.3"},
        )
    ),
    "values": st.sampled_from(
        (
            {
                "gpu-operator": {
                    "daemonsets": {"priorityClassName": "gpu-critical"},
                    "driver": {"version": "570.148.08"},
                }
            },
            {"gpu-operator": {"toolkit": {"env": [{"name": "A", "value": "b"}]}, "mig": {"strategy": "mixed"}}},
            {"keda": {"operator": {"replicaCount": 2}}},
        )
    ),
}
POOLS: Mapping[str, Any] = {
    "taints": TAINTS,
    "partition": st.sampled_from(({"timeSlicing": {"replicas": 4}}, {"mps": {"replicas": 4}})),
    "operatorOptOut": st.just(False),
    "capacity": st.just(["spot"]),
    "driver": st.sampled_from(("operator", "none", "aks", "managed")),
}
OF_AMD = ({"driver": "operator"}, {"driver": "none"}, {"driver": "none", "devicePlugin": True})
WITH_NICS = "Standard_ND96isr_H100_v5"
RESTARTING = (Effect.RESTARTS, Effect.UPGRADES, Effect.DOWNGRADES, Effect.STOPS)


@st.composite
def fleets(draw: st.DrawFn) -> list[Body]:
    """Fleets with one cluster: a stack, NodePools, and mostly AKS node pools as well, fixed and autoscaled ones."""
    stack = draw(st.fixed_dictionaries({}, optional=STACKS))
    pools = [pool("karpenter", **draw(st.fixed_dictionaries({}, optional=POOLS)))]
    if draw(st.booleans()):
        fixed = {"provisioner": "fixed", "nodes": {"min": 2, "max": 2}}
        pools.append(pool("fixed", A100, **fixed, **draw(st.fixed_dictionaries({}, optional=POOLS))))
    if draw(st.booleans()):
        scaled = {"provisioner": "cluster-autoscaler", "nodes": {"min": 1, "max": 2}}
        pools.append(pool("scaled", A100, **scaled, **draw(st.fixed_dictionaries({}, optional=POOLS))))
    if draw(st.booleans()):
        rdma = draw(st.sampled_from(({}, {"rdma": "shared"}, {"rdma": "managed"})))
        pools.append(pool("nics", WITH_NICS, provisioner="fixed", nodes={"min": 1, "max": 1}, **rdma))
    if draw(st.booleans()):
        own: Body = draw(st.sampled_from(OF_AMD))
        pools.append(pool("amd", MI300X, **own))
    return [fleet(), cluster(resourceId=CLUSTER_ID, stack=stack), *pools]


def test_generated_clusters_mix_all_provisioners() -> None:
    """Some of the generated clusters have NodePools, fixed node pools and autoscaled ones at once."""
    mixed = {None, "fixed", "cluster-autoscaler"}  # None is node auto-provisioning
    find(fleets(), lambda documents: {each["spec"].get("provisioner") for each in documents[2:]} == mixed)


# The operator's Node Feature Discovery runs on the nodes of one pool, so the other has no driver.
BESIDE_AN_OPERATOR = [
    fleet(),
    cluster(resourceId=CLUSTER_ID, stack={"allocation": "dra", "driver": "none"}),
    pool("bare"),
    pool("operated", A100, driver="operator", provisioner="fixed", nodes={"min": 2, "max": 2}),
]


@slowly
@example(BESIDE_AN_OPERATOR)
@given(fleets())
def test_what_gitgpu_has_built_stays_as_it_is(documents: list[Body]) -> None:
    try:
        inputs = inputs_of(*documents)
    except AssertionError:  # rules reject some combinations
        reject()
    [own] = inputs.clusters
    running = built(inputs, own)
    objects = tuple(
        each._replace(body=live(each.body)) if each.body["kind"] == "DaemonSet" else each for each in running.objects
    )
    made = import_fleet(Inventory((running._replace(objects=objects),)), ClusterOptions(), (), "fleet")
    assert_nothing_is_lost(made)
    assert [(change.title, change.effect, change.reason) for change in made.software] == []


def assert_nothing_is_lost(made: Imported) -> None:
    """All pools are in the fleet, and keep their nodes."""
    lost = [each for each in made.adopted.outcomes if each.fate in (Fate.INEXPRESSIBLE, Fate.WRONG)]
    assert [(each.observed.name, each.pointer, each.reason) for each in lost] == []
    assert [(each.change.name, each.reason) for each in made.verdicts if not each.keeps_nodes] == []


OPERATOR: Mapping[str, Any] = {
    "cdi": st.sampled_from(({"enabled": False}, {"enabled": True, "default": True})),
    "daemonsets": st.fixed_dictionaries(
        {},
        optional={
            "tolerations": st.sampled_from(
                ([{"operator": "Exists"}], [{"key": "nvidia.com/gpu", "operator": "Exists"}])
            ),
            "rollingUpdate": st.just({"maxUnavailable": "25%"}),
        },
    ),
    "dcgm": st.just({"enabled": True}),
    "dcgmExporter": st.fixed_dictionaries(
        {},
        optional={
            "env": st.just([{"name": "DCGM_EXPORTER_LISTEN", "value": ":9400"}]),
            "enabled": st.booleans(),
            "version": st.just("4.2.3-4.1.3-ubuntu22.04"),
            "serviceMonitor": st.sampled_from(
                ({"enabled": False}, {"enabled": True, "additionalLabels": {"release": "kps"}}, {"enabled": True})
            ),
        },
    ),
    "devicePlugin": st.sampled_from(
        (
            {"config": {"name": "sharing", "default": "any"}},
            {"version": "v0.17.1"},
            {"env": [{"name": "PASS_DEVICE_SPECS", "value": "true"}]},
        )
    ),
    "driver": st.fixed_dictionaries(
        {},
        optional={
            "version": st.just("570.148.08"),
            "usePrecompiled": st.booleans(),
            "rdma": st.just({"enabled": True}),
            "upgradePolicy": st.just({"autoUpgrade": False}),
            "nvidiaDriverCRD": st.sampled_from(({"enabled": True}, {"enabled": False})),
        },
    ),
    "gfd": st.sampled_from(({"enabled": False}, {"version": "v0.17.1"})),
    "mig": st.sampled_from(({"strategy": "mixed"}, {"strategy": "none"})),
    "migManager": st.sampled_from(({"enabled": False}, {"config": {"name": "layouts"}})),
    "nfd": st.just({"enabled": False}),
    "operator": st.sampled_from(({"logging": {"level": "debug"}}, {"upgradeCRD": True})),
    "toolkit": st.sampled_from(({"enabled": False}, {"env": [{"name": "CONTAINERD_CONFIG", "value": "/a"}]})),
}
AGENTS = """\
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: reserved, namespace: default}
spec:
  azureName: reserved
  owner: {armId: "%s"}
  vmSize: Standard_ND96isr_H100_v5
  mode: User
  osType: Linux
  count: 2
  nodeTaints: TAINTS
  gpuProfile: {driver: MODE}
---
"""


@st.composite
def nodes(draw: st.DrawFn, mode: str) -> str:
    """A NodePool, mostly with an AKS node pool beside it, whose drivers AKS installs or not."""
    taints = draw(TAINTS)
    capacity = draw(st.sampled_from((["on-demand"], ["spot", "on-demand"])))
    requirements = [
        {"key": "karpenter.azure.com/sku-name", "operator": "In", "values": [A100]},
        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": capacity},
    ]
    reference = {"group": "karpenter.azure.com", "kind": "AKSNodeClass", "name": "gpu"}
    spec: Body = {"nodeClassRef": reference, "requirements": requirements, "taints": taints, "expireAfter": "720h"}
    gpu = {"gpu": {"mode": "None"}} if mode == "None" else {}
    image = {"imageFamily": "Ubuntu2204", **gpu}
    bodies: list[Body] = [
        {"apiVersion": "karpenter.azure.com/v1beta1", "kind": "AKSNodeClass", "spec": image},
        {"apiVersion": "karpenter.sh/v1", "kind": "NodePool", "spec": {"template": {"spec": spec}}},
    ]
    text = yaml.safe_dump_all([{**body, "metadata": {"name": "gpu"}} for body in bodies]) + "---\n"
    if draw(st.booleans()):
        listed = [f"{taint['key']}={taint['value']}:{taint['effect']}" for taint in taints]
        text += (AGENTS % CLUSTER_ID).replace("MODE", mode).replace("TAINTS", str(listed))
    return text


def imported(text: str) -> Imported:
    """The import of these objects."""
    running = ObservedCluster("prod", Azure(), tuple(observed(text)))
    return import_fleet(Inventory((running,)), ClusterOptions(region="swedencentral", kubernetes="1.34"), (), "fleet")


def assert_nothing_restarts(made: Imported) -> None:
    """The nodes stay, and no pod template changes."""
    assert [(each.change.name, each.reason) for each in made.verdicts if not each.keeps_nodes] == []
    restarted = [change for change in made.software if change.effect in RESTARTING and change.certain]
    assert [(change.title, change.effect, change.reason) for change in restarted] == []


@example(NODES.replace("LABELS", "{}"), {"cdi": {"enabled": True, "default": True}}, "Application", "v26.7.0")
@slowly
@given(
    st.sampled_from(("None", "Install")).flatmap(nodes),
    st.fixed_dictionaries({}, optional=OPERATOR),
    st.sampled_from(sorted(FORMS)),
    st.sampled_from((*VERSIONS, "v24.9.2", "v25.10.x")),
)
def test_an_operator_of_another_author_stays_as_it_is(
    text: str, values: dict[str, Any], form: str, version: str
) -> None:
    known = version if version in VERSIONS else VERSIONS[0]
    operator = FORMS[form](values, known).replace(known, version)
    assert_nothing_restarts(imported(text + SHARING + operator))


PLUGINS = ("v0.14.5", "v0.18.2", "v0.20.0", "latest")
EXPORTERS = ("3.3.5-3.4.1-ubuntu22.04", "4.5.3-4.8.2-distroless")


@slowly
@given(
    nodes("Install"),
    st.sampled_from(PLUGINS),
    st.sampled_from((*EXPORTERS, "")),
    st.sampled_from(({}, {"args": ["--pass-device-specs"]}, {"args": ["--fail-on-init-error=false"]})),
)
def test_daemon_sets_of_another_author_are_never_upgraded(
    text: str, plugin: str, exporter: str, settings: dict[str, Any]
) -> None:
    running = daemon("plugin", f"nvcr.io/nvidia/k8s-device-plugin:{plugin}", **settings)
    if exporter:
        running += daemon("exporter", f"nvcr.io/nvidia/k8s/dcgm-exporter:{exporter}")
    made = imported(text + running)
    assert_nothing_restarts(made)
    if plugin in ("v0.14.5", "latest") or "--pass-device-specs" in settings.get("args", ()):
        assert made.software == ()
    for change in made.software:
        assert change.effect in (Effect.REPLACED, Effect.STARTS)
        assert " instead of " not in change.reason
