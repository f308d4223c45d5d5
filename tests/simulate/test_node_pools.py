"""AKS node pools: with a fixed number of nodes, or with the cluster autoscaler."""

import yaml

from tests.helping.cases import for_each
from tests.simulate.worlds import A100, A100X4, CLASS, TOLERATION, ZONE, Body, daemon, deployment, forecast, only, pool


def agents(name: str = "gpu", **spec: object) -> Body:
    """An agent pool as an Azure Service Operator object."""
    body = {"owner": {"name": "c"}, "mode": "User", "vmSize": A100, "nodeTaints": ["sku=gpu:NoSchedule"], **spec}
    meta = {"name": name, "namespace": "aks"}
    return {
        "apiVersion": "containerservice.azure.com/v1api20240901",
        "kind": "ManagedClustersAgentPool",
        "metadata": meta,
        "spec": body,
    }


SCALED: Body = {"enableAutoScaling": True, "minCount": 0, "maxCount": 2}


def test_the_autoscaler_starts_nodes_up_to_its_maximum() -> None:
    result = only(agents(**SCALED), deployment("w", 2))
    assert (result.verdict, result.high.nodes, result.high.price) == ("schedulable", 2, 7.346)
    result = only(agents(**SCALED), deployment("w", 3))
    assert (result.high.placed, result.reasons[0].kind) == (2, "limit")


MACHINES: Body = {"type": "VirtualMachines", "vmSize": None}
FIXED: Body = {"scale": {"manual": [{"size": A100, "count": 1}, {"size": A100X4, "count": 1}]}}


@for_each(("gpus", "replicas", "placed"), [(1, 5, 5), (1, 6, 5), (4, 1, 1), (4, 2, 1)])
def test_a_pool_of_machines_has_nodes_of_each_size(gpus: int, replicas: int, placed: int) -> None:
    """One node with one GPU, and one with four."""
    machines = agents(**MACHINES, virtualMachinesProfile=FIXED)
    assert only(machines, deployment("w", replicas, gpus=gpus)).high.placed == placed


def test_a_reason_names_the_profile_of_the_size() -> None:
    machines = agents(**MACHINES, virtualMachinesProfile=FIXED)
    bodies = [machines, deployment("w", 2, gpus=4)]
    text = yaml.safe_dump_all([CLASS, *bodies], sort_keys=False).splitlines()
    places = {text[reason.at.line - 1].strip() for reason in only(*bodies).reasons}
    assert places == {f"- size: {A100}", "count: 1"}


def test_the_minimum_nodes_of_a_pool_cost_even_without_pods() -> None:
    result = forecast(agents(**{**SCALED, "minCount": 1}), deployment("w", 0))
    assert [(node.used, node.price) for node in result.low] == [(0, 3.673)]


def test_a_pool_of_fixed_size_gets_no_more_nodes() -> None:
    assert only(agents(count=2), deployment("w", 2)).verdict == "schedulable"
    result = only(agents(count=1), deployment("w", 2))
    assert (result.high.placed, result.reasons[0].message) == (
        1,
        "its number of nodes is fixed, and all 1 are full",
    )


@for_each(
    ("selector", "placed"),
    [
        ({"agentpool": "gpu"}, 1),
        ({"agentpool": "other"}, 0),
        ({"kubernetes.azure.com/agentpool": "gpu"}, 1),
        ({"kubernetes.azure.com/agentpool": "other"}, 0),
        ({"kubernetes.azure.com/mode": "user"}, 1),
        ({"team": "ml"}, 1),
        ({"squad": "ml"}, 0),
        ({"node.kubernetes.io/instance-type": A100}, 1),
        ({"node.kubernetes.io/instance-type": A100X4}, 0),
        ({"topology.kubernetes.io/region": "eastus"}, 1),
        ({"topology.kubernetes.io/region": "westus"}, 0),
        ({"karpenter.sh/nodepool": "gpu"}, 0),
        ({"accelerator": "nvidia"}, 1),
        ({"accelerator": "amd"}, 0),
        ({"kubernetes.azure.com/accelerator": "nvidia"}, 1),
        ({"kubernetes.azure.com/accelerator": "amd"}, 0),
        ({"kubernetes.azure.com/scalesetpriority": "regular"}, 0),
        ({"nvidia.com/gpu.present": "true"}, 1),
    ],
)
def test_pods_see_the_labels_that_nodes_really_have(selector: dict[str, str], placed: int) -> None:
    result = only(agents(**SCALED, nodeLabels={"team": "ml"}), deployment("w", nodeSelector=selector))
    assert result.high.placed == placed
    software = any(key.startswith("nvidia.com") for key in selector)
    assert ("software" in [doubt.kind for doubt in result.doubts]) is software


@for_each(
    ("spec", "asked", "line"),
    [
        ({"nodeLabels": {"team": "ml"}}, {"nodeSelector": {"team": "web"}}, "team: ml"),
        ({}, {"nodeSelector": {"agentpool": "other"}}, "name: gpu"),
        ({}, {"requests": {"memory": "900Gi"}}, "vmSize:"),
        ({"nodeTaints": ["a=b:NoSchedule"]}, {}, "- a=b:NoSchedule"),
        ({"maxCount": 0}, {}, "maxCount: 0"),
        ({"enableAutoScaling": False, "count": 0}, {}, "count: 0"),
        ({"availabilityZones": ["1"]}, {"nodeSelector": {ZONE: "eastus-2"}}, "- '1'"),
    ],
)
def test_a_reason_names_the_line_of_the_pool(spec: Body, asked: Body, line: str) -> None:
    """Each part of a pool that excludes a pod has its own place."""
    bodies = [agents(**{**SCALED, **spec}), deployment("w", **asked)]
    result = only(*bodies)
    text = yaml.safe_dump_all([CLASS, *bodies], sort_keys=False).splitlines()
    assert line in text[result.reasons[0].at.line - 1]


def test_spot_nodes_have_the_taint_of_aks() -> None:
    spot = agents(**SCALED, scaleSetPriority="Spot")
    result = only(spot, deployment("w"))
    assert "kubernetes.azure.com/scalesetpriority=spot:NoSchedule" in result.reasons[0].message
    both = [TOLERATION, {"key": "kubernetes.azure.com/scalesetpriority", "operator": "Exists"}]
    result = only(spot, deployment("w", tolerations=both))
    assert (result.verdict, result.spot, result.high.price, result.certain) == ("schedulable", True, None, False)


def test_zones_of_a_pool_are_those_of_its_nodes() -> None:
    zonal = agents(**SCALED, availabilityZones=["2"])
    wish = {"topology.kubernetes.io/zone": "eastus-2"}
    assert only(zonal, deployment("w", nodeSelector=wish)).zones == ("eastus-2",)
    assert only(agents(**SCALED), deployment("w", nodeSelector=wish)).reasons[0].kind == "label"


def test_zones_that_aks_chooses_are_those_of_the_region() -> None:
    chosen = agents(**SCALED, availabilityZones=["auto"])
    for zone in ("eastus-1", "eastus-2", "eastus-3"):
        wish = {"topology.kubernetes.io/zone": zone}
        assert only(chosen, deployment("w", nodeSelector=wish)).verdict == "schedulable"
    assert only(chosen, deployment("w", nodeSelector={"topology.kubernetes.io/zone": "eastus-auto"})).high.placed == 0
    assert only(chosen, deployment("w")).verdict == only(chosen, deployment("w"), region="").verdict == "schedulable"


def test_allocatable_resources_of_aks_nodes_are_estimates() -> None:
    result = only(agents(**SCALED), deployment("w", requests={"memory": "195Gi"}))
    assert (result.verdict, "near" in [doubt.kind for doubt in result.doubts]) == ("unschedulable", True)


def test_resources_that_software_adds_to_nodes_have_unknown_amounts() -> None:
    for node_pool, resource in (
        (agents(**SCALED), "rdma/ib"),
        (agents(**SCALED, gpuInstanceProfile="MIG1g"), "nvidia.com/mig-1g.10gb"),
        (agents(**SCALED, osType="Windows"), "microsoft.com/directx"),
    ):
        result = only(node_pool, deployment("w", gpus=0, limits={resource: "1"}))
        assert (result.verdict, "fact" in [doubt.kind for doubt in result.doubts]) == ("schedulable", True), resource
    assert only(agents(**SCALED), deployment("w", gpus=0, limits={"nvidia.com/mig-1g.10gb": "1"})).high.placed == 0
    assert only(agents(**SCALED, osType="Windows"), deployment("w")).high.placed == 0


def release(chart: str, **values: object) -> Body:
    """A release of a chart."""
    spec = {"chart": chart, "version": "0.4.1", "sourceRef": {"kind": "HelmRepository", "name": "nvidia"}}
    return {
        "apiVersion": "helm.toolkit.fluxcd.io/v2",
        "kind": "HelmRelease",
        "metadata": {"name": chart, "namespace": "gpu"},
        "spec": {"interval": "1h", "chart": {"spec": spec}, "values": values},
    }


def plugin(**values: object) -> Body:
    """A release of NVIDIA's device plugin."""
    return release("nvidia-device-plugin", **values)


def daemons_plugin(**main: object) -> Body:
    """NVIDIA's device plugin as a DaemonSet."""
    return daemon("plugin", {}, main=main)


CONFIG = {"config": {"map": {"cut": "version: v1\nflags: {migStrategy: mixed}\n"}}}
PART = "nvidia.com/mig-1g.10gb"


@for_each(
    ("beside", "spec", "resource"),
    [
        ([plugin(migStrategy="mixed")], {}, PART),
        ([plugin(migStrategy="single")], {}, "nvidia.com/gpu"),
        ([release("gpu-operator", mig={"strategy": "mixed"})], {}, PART),
        ([release("gpu-operator", mig={"strategy": "single"})], {}, "nvidia.com/gpu"),
        ([plugin(**CONFIG)], {"nodeLabels": {"nvidia.com/device-plugin.config": "cut"}}, PART),
        ([daemons_plugin(env=[{"name": "MIG_STRATEGY", "value": "mixed"}])], {}, PART),
        ([daemons_plugin(args=["--mig-strategy=single"])], {}, "nvidia.com/gpu"),
        ([daemons_plugin(command=["nvidia-device-plugin", "--mig-strategy", "mixed"])], {}, PART),
    ],
)
def test_gpus_that_aks_partitions_are_counted_by_the_resource_of_the_plugin(
    beside: list[Body], spec: Body, resource: str
) -> None:
    cut = agents(**SCALED, vmSize=A100X4, gpuInstanceProfile="MIG1g", **spec)
    result = only(cut, *beside, deployment("w", 29, gpus=0, limits={resource: "1"}))
    assert (result.verdict, result.high.nodes, result.high.gpus, result.high.idle) == ("schedulable", 2, 5, 3)
    assert [doubt.kind for doubt in result.doubts if doubt.decides] == ["empty"]
    other = {PART, "nvidia.com/gpu"} - {resource}
    assert only(cut, *beside, deployment("w", gpus=0, limits={other.pop(): "1"})).high.placed == 0


def test_a_pool_without_a_mode_is_a_user_pool() -> None:
    bare = agents(**SCALED)
    del bare["spec"]["mode"]
    assert only(bare, deployment("w", nodeSelector={"kubernetes.azure.com/mode": "user"})).high.placed == 1


def test_a_node_takes_as_many_pods_as_its_pool_allows() -> None:
    assert only(agents(count=1, vmSize=A100X4, maxPods=2), deployment("w", 4)).high.placed == 2
    assert only(agents(count=1, vmSize=A100X4), deployment("w", 4)).high.placed == 4


def test_a_pool_without_a_size_starts_no_nodes() -> None:
    (reason,) = only(agents(vmSize=None, **SCALED), deployment("w")).reasons
    assert (reason.kind, reason.message) == ("size", "its size is not a known Azure GPU size")


def test_a_layout_that_nothing_defines_leaves_what_aks_partitions_unknown() -> None:
    cut = agents(**SCALED, gpuInstanceProfile="MIG1g", nodeLabels={"nvidia.com/mig.config": "unheard-of"})
    result = only(cut, deployment("w", gpus=0, limits={PART: "1"}))
    assert (result.verdict, "fact" in [doubt.kind for doubt in result.doubts]) == ("schedulable", True)


def test_the_autoscalers_choice_between_pools_is_a_doubt_that_changes_no_verdict() -> None:
    pools = [agents(name, **SCALED) for name in ("first", "second")]
    (doubt,) = (doubt for doubt in only(*pools, deployment("w")).doubts if doubt.kind == "expander")
    words = "the cluster autoscaler chooses between second and first according to its expander"
    assert (doubt.message, doubt.decides) == (words, False)
    assert "expander" not in [doubt.kind for doubt in only(agents(**SCALED), deployment("w")).doubts]


def test_the_settings_of_a_plugin_configured_elsewhere_are_unknown() -> None:
    env = [{"name": "MIG_STRATEGY", "valueFrom": {"configMapKeyRef": {"name": "cut", "key": "strategy"}}}]
    result = only(agents(**SCALED, gpuInstanceProfile="MIG1g"), daemons_plugin(env=env), deployment("w"))
    assert (result.verdict, "fact" in [doubt.kind for doubt in result.doubts]) == ("schedulable", True)


@for_each(("profile", "each"), [("MIG2g", 3), ("MIG3g", 2), ("MIG4g", 1), ("MIG7g", 1)])
def test_every_gpu_is_partitioned_into_one_profile(profile: str, each: int) -> None:
    result = only(agents(count=1, gpuInstanceProfile=profile), plugin(migStrategy="single"), deployment("w", 9))
    assert result.high.placed == each


DRIVER = release("dra-driver-nvidia-gpu", gpuResourcesEnabledOverride=True)
CLAIMS = [{"name": "gpu", "resourceClaimTemplateName": "gpu"}]


def template(**exactly: object) -> Body:
    """A template with one request for GPUs."""
    request = {"name": "gpus", "exactly": {"deviceClassName": "gpu.nvidia.com", **exactly}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "gpu", "namespace": "a"},
        "spec": {"spec": {"devices": {"requests": [request]}}},
    }


def test_gpus_that_are_claimed_count() -> None:
    four = agents(**SCALED, vmSize=A100X4)
    result = only(four, DRIVER, template(count=2), deployment("w", 4, gpus=0, resourceClaims=CLAIMS))
    assert (result.verdict, result.high.nodes, result.high.gpus) == ("schedulable", 2, 8)
    assert [doubt.kind for doubt in result.doubts if doubt.decides] == ["empty"]
    result = only(four, DRIVER, template(count=5), deployment("w", gpus=0, resourceClaims=CLAIMS))
    assert (result.verdict, result.reasons[0].kind) == ("unschedulable", "resource")
    result = only(four, DRIVER, template(count=3), deployment("w", gpus=2, resourceClaims=CLAIMS))
    assert result.verdict == "unschedulable"  # two requested GPUs and three claimed ones are five


@for_each(
    ("beside", "claims"),
    [
        ([DRIVER, template(allocationMode="All")], CLAIMS),
        ([DRIVER, template(selectors=[{"cel": {"expression": "true"}}])], CLAIMS),
        ([DRIVER, template(deviceClassName="mig.nvidia.com")], CLAIMS),
        ([DRIVER], CLAIMS),
        ([DRIVER, template()], [{"name": "gpu", "resourceClaimName": "gpu"}]),
        ([template()], CLAIMS),
    ],
    ids=["all", "selectors", "another class", "no template", "shared", "no driver"],
)
def test_conditions_of_a_claim_beyond_a_count_are_a_doubt(beside: list[Body], claims: list[Body]) -> None:
    result = only(agents(**SCALED), *beside, deployment("w", gpus=0, resourceClaims=claims))
    assert (result.verdict, [doubt.kind for doubt in result.doubts if doubt.decides]) == (
        "schedulable",
        ["claim", "empty"],
    )


EITHER: Body = {
    "affinity": {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [
                    {"matchExpressions": [{"key": key, "operator": "In", "values": [name]}]}
                    for key, name in (("karpenter.sh/nodepool", "karpenter"), ("kubernetes.azure.com/agentpool", "gpu"))
                ]
            }
        }
    }
}


def test_pods_use_the_nodes_of_a_fixed_pool_before_karpenter_starts_any() -> None:
    bodies = (CLASS, pool("karpenter", A100), agents(count=2), deployment("w", 3, **EITHER))
    result = only(*bodies)
    assert (result.verdict, result.high.nodes, result.doubts) == ("schedulable", 3, ())
    assert sorted(result.pools) == ["gpu", "karpenter"]
    assert only(*bodies[:3], deployment("w", 2, **EITHER)).pools == ("gpu",)


def test_it_is_not_known_which_of_two_autoscalers_starts_a_node() -> None:
    result = only(CLASS, pool("karpenter", A100), agents(**{**SCALED, "minCount": 1}), deployment("w", 3, **EITHER))
    [reason] = [doubt.message for doubt in result.doubts if doubt.kind == "expander"]
    assert reason.startswith("Karpenter (karpenter) and the cluster autoscaler (gpu) both react to its pods")
