"""Why a pod does not get a node: the pool, the kind of reason, the message and the locations."""

import pytest
import yaml

from gitgpu.simulate.forecast import Reason
from tests.helping.cases import for_each
from tests.rules.fleet.examples import CATALOG
from tests.simulate.clusters import agents
from tests.simulate.test_node_pools import DRIVER
from tests.simulate.test_running import node
from tests.simulate.worlds import (
    A100,
    A100X2,
    CLASS,
    COUNT,
    GPU,
    H100X8,
    NAME,
    POOL,
    T4,
    T4X4,
    TAINT,
    ZONE,
    Body,
    daemon,
    deployment,
    forecast,
    only,
    pool,
    verdicts,
    wants,
)

MI300X = "Standard_ND96isr_MI300X_v5"
V710 = "Standard_NV4ads_V710_v5"
SPOT = wants("karpenter.sh/capacity-type", "In", "spot")


def affinity(*expressions: Body) -> Body:
    """A required node affinity with one term, or without terms."""
    terms = [{"matchExpressions": list(expressions)}] if expressions else []
    return {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}


def selected(key: str, value: str) -> Body:
    """A workload with a node selector."""
    return deployment("w", nodeSelector={key: value})


CASES: dict[str, tuple[Body, Body, str, str]] = {
    "a taint": (
        pool("a", A100),
        deployment("w", tolerations=[]),
        "taint",
        "does not tolerate the taint sku=gpu:NoSchedule",
    ),
    "a pool that is being retired": (
        agents("a", "Standard_NC24ads_A100_v4", nodeTaints=["gitgpu.dev/retiring=true:NoSchedule"]),
        deployment("w"),
        "taint",
        "the pool is being retired, so its nodes do not take new pods",
    ),
    "a toleration of another value": (
        pool("a", A100),
        deployment("w", tolerations=[{"key": "sku", "value": "cpu"}]),
        "taint",
        "sku=gpu:NoSchedule",
    ),
    "a label that the pool does not set": (
        pool("a", A100),
        selected("nvidia.com/gpu.product", "NVIDIA-A100"),
        "label",
        "nvidia.com/gpu.product=NVIDIA-A100: Karpenter does not start a node for a label that the pool does not set",
    ),
    "a label of another value": (
        pool("a", A100, labels={"team": "ml"}),
        selected("team", "web"),
        "label",
        "requires team=web, but its nodes have team=ml",
    ),
    "another pool": (pool("a", A100), selected(POOL, "b"), "label", f"requires {POOL}=b, but its nodes have {POOL}=a"),
    "another GPU": (
        pool("a", A100),
        selected("karpenter.azure.com/sku-gpu-name", "H100"),
        "size",
        f"which no size of the pool ({A100}) has",
    ),
    "another region": (pool("a", A100), selected("topology.kubernetes.io/region", "westus"), "size", "=westus"),
    "Windows": (pool("a", A100), selected("kubernetes.io/os", "windows"), "size", "kubernetes.io/os=windows"),
    "another zone": (
        pool("a", A100, more=(wants(ZONE, "In", "eastus-1"),)),
        selected(ZONE, "eastus-2"),
        "label",
        "its nodes have topology.kubernetes.io/zone=eastus-1",
    ),
    "a zone that the region has not": (
        pool("a", A100),
        selected(ZONE, "eastus-9"),
        "offering",
        f"({A100}) is sold with {ZONE}=eastus-9",
    ),
    "spot from a pool on demand": (
        pool("a", A100),
        selected("karpenter.sh/capacity-type", "spot"),
        "label",
        "its nodes have karpenter.sh/capacity-type=on-demand",
    ),
    "too much memory": (
        pool("a", A100),
        deployment("w", requests={"memory": "200Gi"}),
        "resource",
        f"requests 200.0Gi of memory, but {A100}, the largest size of the pool, has 191.6Gi",
    ),
    "too many GPUs": (pool("a", A100), deployment("w", gpus=2), "resource", "requests 2 of nvidia.com/gpu"),
    "a part of a GPU": (
        pool("a", A100),
        deployment("w", gpus=0, limits={"nvidia.com/mig-1g.10gb": "1"}),
        "resource",
        "requests nvidia.com/mig-1g.10gb, but no size of the pool has any",
    ),
    "AMD from an NVIDIA pool": (
        pool("a", A100),
        deployment("w", gpus=0, limits={"amd.com/gpu": "1"}),
        "resource",
        "no size of the pool has any",
    ),
    "too many disks": (
        pool("a", A100),
        deployment("w", requests={"ephemeral-storage": "500Gi"}),
        "resource",
        "ephemeral-storage",
    ),
    "ResourceClaims": (
        pool("a", A100),
        deployment("w", gpus=0, resourceClaims=[{"name": "gpu", "resourceClaimTemplateName": "gpu"}]),
        "claim",
        "the pod has resourceClaims, but Karpenter on AKS does not start nodes for such pods",
    ),
    "a limit below one node": (
        pool("a", H100X8, limits={GPU: "4"}),
        deployment("w"),
        "limit",
        f"limit {GPU} is 4: 4 left, and a node of {H100X8} uses 8",
    ),
    "a limit of no node": (
        pool("a", A100, limits={"nodes": "0"}),
        deployment("w"),
        "limit",
        "its limit nodes is 0, so it gets no new nodes",
    ),
    "zones of another region": (
        pool("a", A100, more=(wants(ZONE, "In", "norwaywest-1"),)),
        deployment("w"),
        "size",
        "its zones are in norwaywest, but the region is",
    ),
    "labels and requirements that are mutually exclusive": (
        pool("a", A100, labels={"karpenter.sh/capacity-type": "spot"}),
        deployment("w"),
        "size",
        "no known GPU size that Karpenter offers meets its requirements and labels",
    ),
    "a missing node class": (
        pool("a", A100, owner="other"),
        deployment("w"),
        "class",
        "its AKSNodeClass other does not exist",
    ),
    "a size that needs another driver": (
        pool("a", MI300X),
        deployment("w", gpus=0, limits={"amd.com/gpu": "1"}),
        "size",
        "gpu.mode: None",
    ),
    "sizes without GPUs": (
        pool("a", "Standard_D4s_v5"),
        deployment("w"),
        "size",
        "no known GPU size that Karpenter offers",
    ),
    "a fixed number of nodes": (pool("a", A100, replicas=0), deployment("w"), "limit", "its number of nodes is fixed"),
}


@for_each("name", CASES)
def test_the_reason_for_each_unschedulable_pod(name: str) -> None:
    nodes, workload, kind, words = CASES[name]
    result = only(nodes, workload)
    assert (result.verdict, result.pools, result.high.nodes, result.high.price) == ("unschedulable", (), 0, 0.0)
    (reason,) = result.reasons
    assert (reason.pool, reason.kind) == ("a", kind)
    assert words in reason.message
    assert reason.help
    assert reason.at.line
    assert reason.change.line


def lines(*bodies: Body) -> tuple[Reason, ...]:
    """The reasons that have a place in a file with these objects."""
    (verdict,) = forecast(CLASS, *bodies).verdicts
    return verdict.reasons


def test_the_places_are_those_of_the_pool_and_of_the_line_to_change() -> None:
    bodies = [CLASS, pool("a", A100), deployment("w", requests={"memory": "200Gi"})]
    text = yaml.safe_dump_all(bodies, sort_keys=False).splitlines()
    (reason,) = lines(*bodies[1:])
    assert "200Gi" in text[reason.change.line - 1]
    (reason,) = lines(pool("a", A100), deployment("w", tolerations=[]))
    assert "- key: sku" in text[reason.at.line - 1]


def test_the_pool_that_came_closest_is_reported_first() -> None:
    result = only(
        pool("far", A100, taints=[{**TAINT, "value": "other"}]),
        pool("near", A100),
        deployment("w", gpus=2, tolerations=[{"key": "sku", "value": "gpu"}]),
    )
    assert [(reason.pool, reason.kind) for reason in result.reasons] == [("near", "resource"), ("far", "taint")]


def test_every_alternative_of_a_pod_is_tried() -> None:
    terms = [{"matchExpressions": [wants(COUNT, "Gt", "99")]}, {"matchExpressions": [wants(POOL, "In", "a")]}]
    rule = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}
    result = only(pool("a", A100), deployment("w", gpus=2, affinity=rule))
    assert result.reasons[0].kind == "resource"  # the reason of the second alternative, which comes closer


def test_without_a_price_the_price_is_not_zero() -> None:
    result = only(pool("a", "Standard_NC24ads_A100_v4"), deployment("w"), region="austriaeast")
    assert (result.verdict, result.high.price, result.certain) == ("schedulable", None, False)
    assert [doubt.kind for doubt in result.doubts] == ["price"]


def test_a_workload_that_the_api_server_rejects_is_reported_with_its_place() -> None:
    broken = deployment("w")
    del broken["spec"]["selector"]
    result = only(pool("a", A100), broken)
    assert (result.verdict, result.reasons[0].kind) == ("unschedulable", "refused")


def test_a_pool_that_the_api_server_rejects_is_a_reason() -> None:
    wrong = pool("b", A100, weight=1000)
    result = only(pool("a", T4, limits={GPU: "0"}), wrong, deployment("w"))
    assert {(reason.pool, reason.kind) for reason in result.reasons} == {("a", "limit"), ("b", "refused")}


@for_each("key", ["agentpool", "kubernetes.io/hostname", "kubernetes.azure.com/team", "team"])
def test_the_remedy_sets_no_label_that_a_nodepool_cannot_have(key: str) -> None:
    (reason,) = only(pool("a", A100), deployment("w", nodeSelector={key: "x"})).reasons
    assert reason.kind == "label"
    assert ("set team in the labels" in reason.help) == (key == "team")


def test_a_rejected_pool_is_not_missing() -> None:
    (reason,) = only(pool("b", A100, weight=1000), deployment("w")).reasons
    assert (reason.pool, reason.kind) == ("b", "refused")


def test_a_pool_with_invalid_annotations_for_node_claims_is_a_reason() -> None:
    wrong = pool("a", A100)
    wrong["spec"]["template"]["metadata"] = {"annotations": {"made from": "x"}}
    (reason,) = only(wrong, deployment("w")).reasons
    assert (reason.pool, reason.kind) == ("a", "refused")
    assert "'made from'" in reason.message


def test_only_labels_that_exclude_every_offering_are_named() -> None:
    """The size is available in zones 1 and 3 of the region."""
    chosen = {POOL: "a", ZONE: "southcentralus-2"}
    (reason,) = only(pool("a", A100), deployment("w", nodeSelector=chosen), region="southcentralus").reasons
    assert (reason.kind, reason.message) == ("offering", f"no size ({A100}) is sold with {ZONE}=southcentralus-2")


def test_a_claim_is_reported_at_its_line() -> None:
    claims = [{"name": "gpu", "resourceClaimTemplateName": "gpu"}]
    bodies = [pool("a", A100), deployment("w", gpus=0, resourceClaims=claims)]
    (reason,) = only(*bodies).reasons
    lines = yaml.safe_dump_all([CLASS, *bodies], sort_keys=False).splitlines()
    assert reason.kind == "claim"
    assert reason.help == "request nvidia.com/gpu in limits, or use a pool of the cluster autoscaler"
    assert "resourceClaims" in lines[reason.at.line - 2] + lines[reason.at.line - 1]


def test_a_pod_with_a_claim_waits_for_no_node_of_karpenter() -> None:
    """The node for the other pod has a free GPU, but nobody knows yet what a driver will report there."""
    claiming = deployment("w", gpus=0, resourceClaims=[{"name": "gpu", "resourceClaimTemplateName": "gpu"}])
    found = verdicts(pool("a", A100X2), claiming, deployment("beside"))
    assert {name: verdict.verdict for name, verdict in found.items()} == {"w": "unschedulable", "beside": "schedulable"}


@pytest.mark.parametrize(
    ("software", "placed"),
    [([DRIVER], 1), ([], 0)],
    ids=["driver", "no driver"],
)
def test_a_pod_with_a_claim_needs_a_driver_on_a_node_that_exists(software: list[Body], placed: int) -> None:
    claiming = deployment("w", gpus=0, resourceClaims=[{"name": "gpu", "resourceClaimTemplateName": "gpu"}])
    assert only(pool("a", A100), node("n1", A100), *software, claiming).high.placed == placed


def test_a_port_is_in_use_on_the_sizes_that_the_pod_accepts() -> None:
    """The DaemonSet runs only on nodes with an A100, and the pod accepts no others."""
    chosen = {NAME: A100}
    port: Body = {"main": {"ports": [{"containerPort": 80, "hostPort": 80}]}}
    bodies = [pool("a", A100, T4), daemon("agent", {}, nodeSelector=chosen, **port)]
    (reason,) = only(*bodies, deployment("w", nodeSelector=chosen, **port)).reasons
    assert (reason.kind, "host port 80/TCP" in reason.message) == ("apart", True)
    assert only(*bodies, deployment("w", **port)).skus == (T4,)


def test_a_preferred_constraint_is_not_the_reason() -> None:
    """No node has a label for its rack, so the required constraint excludes every node."""
    term = {"labelSelector": {"matchLabels": {"app": "x"}}, "topologyKey": "rack"}
    apart = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}
    soft = {
        "maxSkew": 1,
        "topologyKey": ZONE,
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": {"app": "w"}},
    }
    for spreads, kind in (([soft], "apart"), ([{**soft, "whenUnsatisfiable": "DoNotSchedule"}], "spread")):
        (reason,) = only(pool("a", A100), deployment("w", affinity=apart, topologySpreadConstraints=spreads)).reasons
        assert reason.kind == kind


DOUBTS: dict[str, tuple[Body, Body, str]] = {
    "close": (pool("a", A100), deployment("w", requests={"memory": "190Gi"}), "near"),
    "only spot": (pool("a", A100, more=(SPOT,)), deployment("w"), "spot"),
    "zones unknown": (pool("a", A100, more=(wants(ZONE, "In", "eastus-1"),)), deployment("w"), "zone"),
    "another scheduler": (pool("a", A100), deployment("w", schedulerName="volcano"), "model"),
    "a volume": (
        pool("a", A100),
        deployment("w", volumes=[{"name": "v", "persistentVolumeClaim": {"claimName": "v"}}]),
        "volume",
    ),
}


@for_each("name", DOUBTS)
def test_an_unknown_fact_is_a_doubt(name: str) -> None:
    nodes, workload, kind = DOUBTS[name]
    result = only(nodes, workload)
    assert result.verdict == "schedulable"
    assert kind in [doubt.kind for doubt in result.doubts if doubt.decides]
    assert not result.certain


def beside(app: str, key: str = ZONE) -> Body:
    """Pod affinity to the pods of an app."""
    term = {"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": key}
    return {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


def test_affinity_to_pods_from_elsewhere_is_a_doubt() -> None:
    result = only(pool("a", A100), deployment("w", affinity=beside("x")))
    assert (result.verdict, result.certain, result.reasons[0].kind) == ("unschedulable", False, "apart")
    assert "the input may not contain all of them" in result.doubts[0].message


def test_known_facts_leave_no_doubt() -> None:
    result = only(pool("a", A100), deployment("w", requests={"memory": "100Gi"}))
    assert (result.certain, result.doubts) == (True, ())


@pytest.mark.parametrize("pools", [True, False])
def test_without_a_region_the_named_zones_may_exist(pools: bool) -> None:
    term = wants(ZONE, "In", "eastus-1", "westus2-1")
    asked = deployment("w") if pools else deployment("w", affinity=affinity(term))
    result = only(pool("a", A100, more=(term,) if pools else ()), asked, region="")
    assert (result.verdict, result.certain) == ("schedulable", False)
    assert "zone" in [doubt.kind for doubt in result.doubts]
    assert only(pool("a", A100), selected(ZONE, "eastus1"), region="").verdict == "unschedulable"


NAMELESS = "Standard_ND40rs_v2"  # it has V100s, but its name does not show it


@for_each("size", [NAMELESS, "Standard_ND96asr_v4", "Standard_ND40s_v3"])
@for_each("pools", [True, False])
def test_a_size_whose_name_shows_no_gpu_has_no_gpu_name(pools: bool, size: str) -> None:
    term = wants("karpenter.azure.com/sku-gpu-name", "In", "V100", "A100")
    asked = deployment("w") if pools else deployment("w", affinity=affinity(term))
    result = only(pool("a", size, more=(term,) if pools else ()), asked)
    assert (result.verdict, result.certain) == ("unschedulable", True)


def test_a_size_whose_name_shows_no_gpu_meets_a_requirement_not_to_have_another() -> None:
    term = wants("karpenter.azure.com/sku-gpu-name", "NotIn", "A100")
    result = only(pool("a", NAMELESS), deployment("w", affinity=affinity(term)))
    assert (result.verdict, result.certain) == ("schedulable", True)


def test_a_gpu_name_of_another_gpu_is_not_a_doubt() -> None:
    result = only(pool("a", NAMELESS), selected("karpenter.azure.com/sku-gpu-name", "a100"))
    assert (result.verdict, result.reasons[0].kind) == ("unschedulable", "size")


def test_requests_within_two_percent_of_a_node_are_too_close() -> None:
    """An NC24ads_A100_v4 has 205737951232 bytes of memory left."""
    for part, kinds in (("0.979", []), ("0.981", ["near"])):
        asked = str(int(205737951232 * float(part)))
        assert [
            doubt.kind for doubt in only(pool("a", A100), deployment("w", requests={"memory": asked})).doubts
        ] == kinds


def test_amd_sizes_need_a_node_class_without_the_driver_of_aks() -> None:
    asks = deployment("w", gpus=0, limits={"amd.com/gpu": "8"})
    assert only(pool("a", MI300X), asks, region="swedencentral").verdict == "unschedulable"
    bare = {**CLASS, "spec": {"gpu": {"mode": "None"}}}
    (result,) = forecast(bare, pool("a", MI300X), asks, region="swedencentral").verdicts
    assert (result.verdict, result.skus, result.high.gpus) == ("schedulable", (MI300X,), 8)


def test_no_size_that_the_node_class_excludes_is_started() -> None:
    """A pool that names no sizes gets none that needs another driver."""
    asks = deployment("w", gpus=0, limits={"amd.com/gpu": "8"})
    assert only(pool("a"), asks, region="swedencentral").verdict == "unschedulable"
    (result,) = forecast({**CLASS, "spec": {"gpu": {"mode": "None"}}}, pool("a"), asks, region="swedencentral").verdicts
    assert (result.verdict, result.high.gpus) == ("schedulable", 8)


def test_gpus_that_azure_does_not_report_do_not_count() -> None:
    bare = {**CLASS, "spec": {"gpu": {"mode": "None"}}}
    (result,) = forecast(bare, pool("a", V710), deployment("w", gpus=0, limits={"amd.com/gpu": "1"})).verdicts
    assert f"Azure's API does not report GPUs of {V710}" in result.reasons[0].message
    (result,) = forecast(bare, pool("a", V710), deployment("w", gpus=1)).verdicts
    assert result.reasons[0].message.endswith("no size of the pool has any")


def test_an_unknown_fact_is_assumed_to_be_enough_and_reported() -> None:
    result = only(pool("a", "Standard_ND96isrf_H100_v5"), deployment("w", gpus=8, requests={"memory": "9000Gi"}))
    assert (result.verdict, result.certain) == ("schedulable", False)
    assert "fact" in [doubt.kind for doubt in result.doubts]


REFUSED = {
    "half a GPU": deployment("w", limits={GPU: "0.5"}),
    "an invalid amount": deployment("w", requests={"cpu": "lots"}),
    "fewer GPUs than none": deployment("w", limits={GPU: "-1"}),
    "a toleration of nothing": deployment("w", tolerations=[{"operator": "Equal", "value": "gpu"}]),
    "fewer replicas than none": deployment("w", replicas=-1),
    "no terms": deployment("w", affinity=affinity()),
    "an invalid operator": deployment("w", affinity=affinity(wants(NAME, "Is", A100))),
    "a bound that is not a number": deployment("w", affinity=affinity(wants(COUNT, "Gt", "many"))),
}


@for_each("body", REFUSED.values(), ids=REFUSED.keys())
def test_an_object_that_is_rejected_despite_its_schema_gets_no_node(body: Body) -> None:
    result = only(pool("a", A100), body)
    assert (result.verdict, [reason.kind for reason in result.reasons]) == ("unschedulable", ["refused"])


def test_invalid_pods_are_rejected_in_an_object_of_any_kind() -> None:
    job = {"template": {"spec": {"template": deployment("w", limits={GPU: "0.5"})["spec"]["template"]}}}
    body = {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": {"name": "w", "namespace": "a"}}
    result = only(pool("a", A100), {**body, "spec": {"replicatedJobs": [{"name": "w", **job}]}})
    assert [reason.kind for reason in result.reasons] == ["refused"]


@pytest.mark.parametrize(
    ("roles", "pods"),
    [
        ({"Master": {}, "Worker": {"replicas": 3}}, 4),
        ({"Master": {"replicas": -2}, "Worker": {"replicas": 3}}, 3),
        ({"Worker": {"replicas": 0}}, 1),
    ],
)
def test_a_rejected_workload_has_the_pods_of_all_its_groups(roles: Body, pods: int) -> None:
    template = deployment("w", limits={GPU: "0.5"})["spec"]["template"]
    groups = {name: {**role, "template": template} for name, role in roles.items()}
    body = {"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": {"name": "w", "namespace": "a"}}
    result = only(pool("a", A100), {**body, "spec": {"pytorchReplicaSpecs": groups}})
    assert [reason.kind for reason in result.reasons] == ["refused"]
    assert (result.high.replicas, result.high.placed) == (pods, 0)


def test_a_rejected_job_set_counts_the_pods_of_each_of_its_jobs() -> None:
    job = {"parallelism": 2, "template": deployment("w", limits={GPU: "0.5"})["spec"]["template"]}
    jobs = [{"name": "w", "replicas": 3, "template": {"spec": job}}]
    body = {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet", "metadata": {"name": "w", "namespace": "a"}}
    result = only(pool("a", A100), {**body, "spec": {"replicatedJobs": jobs}})
    assert (result.verdict, result.low.replicas, result.high.replicas) == ("unschedulable", 6, 6)


LISTED = {"region": "norwayeast", "catalog": CATALOG}  # tests/rules/fleet/catalog has what Azure lists for this region


def test_sizes_that_the_subscription_cannot_use_are_a_reason_of_their_own() -> None:
    (reason,) = only(pool("a", A100), deployment("w"), **LISTED).reasons
    assert (reason.kind, reason.message, reason.help) == (
        "size",
        f"the subscription cannot use {A100} in norwayeast",
        "open an Azure support request for access, or use another size or region",
    )
    result = only(pool("a", A100, T4), deployment("w"), **LISTED)
    assert (result.skus, result.high.placed) == ((T4,), 1)
    of_no_size = pool("a", A100, more=(wants(COUNT, "Gt", "8"),))
    not_in_that_zone = pool("a", A100, T4, more=(wants(ZONE, "In", "norwayeast-2"),))
    for impossible in (of_no_size, not_in_that_zone):
        (other,) = only(impossible, deployment("w"), **LISTED).reasons
        assert other.message.startswith("no known GPU size")


@pytest.mark.parametrize(("zone", "placed"), [("norwayeast-1", 1), ("norwayeast-2", 0), ("0", 1)])
def test_a_size_is_available_in_the_zones_that_azure_lists_and_without_a_zone(zone: str, placed: int) -> None:
    result = only(pool("a", T4), deployment("w", nodeSelector={ZONE: zone}), **LISTED)
    assert result.high.placed == placed
    words = f"no size ({T4}) is sold with {ZONE}={zone}"
    assert [(reason.kind, reason.message) for reason in result.reasons] == ([] if placed else [("offering", words)])


def test_daemonsets_that_request_more_than_a_node_has_are_the_reason() -> None:
    """The reason names them, and not the requirements of the pool, which some sizes meet."""
    pods = deployment("w")
    (reason,) = verdicts(pool("a", T4), pods, daemon("agent", {"memory": "500Gi", "cpu": "1"}))["w"].reasons
    assert (reason.kind, reason.message, reason.help) == (
        "resource",
        f"DaemonSets request more memory than nodes of {T4} have",
        "reduce the requests of the DaemonSets, keep them off the pool, or add a larger size",
    )
    two = verdicts(pool("a", A100, T4), pods, daemon("agent", {"memory": "150Gi", "cpu": "40"}))["w"].reasons
    assert [reason.message for reason in two] == [
        f"DaemonSets request more cpu and memory than nodes of {T4} and {A100} have"
    ]
    assert verdicts(pool("a", A100, T4), pods, daemon("agent", {"memory": "150Gi"}))["w"].skus == (A100,)
    no_size = pool("a", T4, more=(wants(COUNT, "Gt", "8"),))
    (other,) = verdicts(no_size, pods, daemon("agent", {"memory": "500Gi"}))["w"].reasons
    assert other.message.startswith("no known GPU size")


def test_a_request_for_more_gpus_than_any_size_of_two_vendors_has() -> None:
    (reason,) = only(pool("a", A100, MI300X), deployment("w", gpus=2)).reasons
    assert reason.message == f"the pod requests 2 of {GPU}, but {A100}, the largest size of the pool, has 1"


def test_a_limit_too_low_for_two_sizes_shows_what_the_smaller_one_needs() -> None:
    (reason,) = only(pool("a", T4, T4X4, limits={"cpu": "10"}), deployment("w")).reasons
    assert reason.message == f"limit cpu is 10: 10 left, and a node of {T4} and {T4X4} uses at least 16"
    (reason,) = only(pool("a", T4, limits={"cpu": "10"}), deployment("w")).reasons
    assert reason.message == f"limit cpu is 10: 10 left, and a node of {T4} uses 16"


def test_a_rejected_workload_with_the_name_of_a_node_class_does_not_reject_the_class() -> None:
    wrong = deployment("gpu", limits={GPU: "0.5"})
    by_name = verdicts(pool("a", A100), wrong, deployment("w"))
    assert (by_name["gpu"].verdict, by_name["w"].verdict) == ("unschedulable", "schedulable")
