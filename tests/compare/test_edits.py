"""The effect of a change of each field on the nodes of a pool."""

from typing import Any

import pytest

from gitgpu.compare import Both, Context, Kind, compare_clusters
from gitgpu.compare.snapshot import clusters, layer_of
from tests.compare.sides import (
    AGENTS,
    CLASS,
    POOL,
    REMOVED,
    TAINT,
    between,
    context,
    edited,
    overlays,
    pool_between,
    pool_of,
)

TEMPLATE = "spec/template/spec"
SIZES = f"{TEMPLATE}/requirements/0/values"
NEW = f"{TEMPLATE}/requirements"
PRESENT = POOL["spec"]["template"]["spec"]["requirements"]
T4 = ["Standard_NC4as_T4_v3", "Standard_NC16as_T4_v3"]
ZONES = {"key": "topology.kubernetes.io/zone", "operator": "In", "values": ["swedencentral-1"]}
SUBNET = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/n"


def asked(key: str, operator: str, *values: str) -> list[Any]:
    """The requirements of the pool and a further one."""
    return [*PRESENT, {"key": key, "operator": operator, **({"values": list(values)} if values else {})}]


POOLS: list[tuple[dict[str, Any], str, str]] = [
    # part of the NodePool's hash
    ({"spec/template/metadata/labels/team": "web"}, "all", "labels.team"),
    ({"spec/template/metadata/labels/new": "x"}, "all", "labels.new"),
    ({"spec/template/metadata/labels": REMOVED}, "all", "labels"),
    ({"spec/template/metadata/annotations": {"a": "b"}}, "all", "annotations"),
    ({"spec/template/metadata/annotations": {}}, "all", "annotations"),
    ({f"{TEMPLATE}/taints": []}, "all", "taints"),
    ({f"{TEMPLATE}/taints": REMOVED}, "all", "taints"),
    ({f"{TEMPLATE}/taints": [TAINT, {"key": "x", "effect": "NoExecute"}]}, "all", "taints[x:NoExecute]"),
    ({f"{TEMPLATE}/taints/0/value": "none"}, "all", "taints[sku:NoSchedule].value"),
    ({f"{TEMPLATE}/startupTaints": [TAINT]}, "all", "startupTaints"),
    ({f"{TEMPLATE}/expireAfter": "Never"}, "all", "expireAfter"),
    ({f"{TEMPLATE}/expireAfter": "721h"}, "all", "expireAfter"),
    ({f"{TEMPLATE}/terminationGracePeriod": "1h"}, "all", "terminationGracePeriod"),
    ({f"{TEMPLATE}/nodeClassRef/name": "q"}, "all", "nodeClassRef.name"),
    # immutable on an existing object
    ({f"{TEMPLATE}/nodeClassRef/group": "karpenter.example.com"}, "none", "create a new pool"),
    ({f"{TEMPLATE}/nodeClassRef/kind": "Other"}, "none", "create a new pool"),
    ({"spec/replicas": 2}, "none", "create a new pool"),
    # not part of the hash
    ({"spec/limits": {"nvidia.com/gpu": "4"}}, "none", "limits"),
    ({"spec/limits": REMOVED}, "none", "limits"),
    ({"spec/limits/nodes": "2"}, "none", "limits.nodes"),
    ({"spec/weight": 10}, "none", "weight"),
    ({"spec/disruption/consolidateAfter": "1h"}, "none", "disruption.consolidateAfter"),
    ({"spec/disruption/consolidationPolicy": "WhenEmptyOrUnderutilized"}, "none", "consolidationPolicy"),
    ({"spec/disruption/budgets": [{"nodes": "0"}]}, "none", "disruption.budgets"),
    ({"metadata/labels": {"a": "b"}}, "none", "metadata.labels"),
    ({"metadata/annotations/x": "y"}, "none", "metadata.annotations.x"),
    # requirements
    ({SIZES: [*T4, "Standard_NC8as_T4_v3"]}, "none", "requirements"),
    ({SIZES: T4[:1]}, "some", "Standard_NC16as_T4_v3"),
    ({SIZES: ["Standard_NC8as_T4_v3"]}, "all", "none of the previously possible sizes"),
    ({f"{TEMPLATE}/requirements/0/minValues": 2}, "none", "minValues"),
    ({f"{TEMPLATE}/requirements/1/values": ["spot"]}, "some", "capacity-type"),
    ({f"{TEMPLATE}/requirements/1": {**PRESENT[1], "values": ["on-demand"]}}, "some", "capacity-type"),
    ({NEW: PRESENT[:1]}, "none", "requirements"),
    ({NEW: PRESENT[1:]}, "none", "requirements"),
    ({NEW: [*PRESENT, ZONES]}, "some", "topology.kubernetes.io/zone"),
    ({NEW: asked("example.com/custom", "In", "a")}, "all", "example.com/custom"),
    ({NEW: asked("example.com/custom", "Exists")}, "all", "example.com/custom"),
    ({NEW: asked("example.com/custom", "NotIn", "a")}, "none", "requirements"),
    ({NEW: asked("example.com/custom", "DoesNotExist")}, "none", "requirements"),
    ({NEW: asked("kubernetes.azure.com/mode", "In", "user")}, "all", "kubernetes.azure.com/mode"),
    ({NEW: asked("karpenter.azure.com/sku-gpu-count", "In", "1")}, "none", "requirements"),
    ({NEW: asked("karpenter.azure.com/sku-gpu-count", "Gt", "1")}, "all", "sku-gpu-count"),
    ({NEW: asked("karpenter.azure.com/sku-cpu", "Lt", "8")}, "some", "Standard_NC16as_T4_v3"),
    ({NEW: asked("kubernetes.io/arch", "In", "arm64")}, "all", "kubernetes.io/arch"),
    ({NEW: asked("kubernetes.io/os", "In", "linux")}, "none", "requirements"),
    ({NEW: asked("topology.kubernetes.io/region", "In", "swedencentral")}, "none", "requirements"),
    ({NEW: asked("topology.kubernetes.io/region", "In", "eastus")}, "all", "region"),
    ({NEW: asked("kubernetes.azure.com/scalesetpriority", "In", "spot")}, "some", "scalesetpriority"),
    ({NEW: asked("kubernetes.azure.com/os-sku", "In", "Ubuntu")}, "none", "requirements"),
    ({NEW: asked("kubernetes.azure.com/os-sku", "In", "AzureLinux")}, "all", "os-sku"),
    ({NEW: asked("kubernetes.azure.com/fips_enabled", "In", "true")}, "all", "fips_enabled"),
    ({NEW: asked("kubernetes.azure.com/sku-cpu", "In", "4", "16")}, "none", "requirements"),
    ({NEW: asked("kubernetes.azure.com/sku-memory", "In", "28672", "112640")}, "none", "requirements"),
    ({NEW: asked("kubernetes.azure.com/sku-memory", "In", "28672")}, "some", "Standard_NC16as_T4_v3"),
    ({NEW: asked("karpenter.azure.com/sku-memory", "Gt", "112640")}, "all", "sku-memory"),
    ({NEW: asked("karpenter.azure.com/sku-memory", "Gt", "112639")}, "some", "Standard_NC4as_T4_v3"),
    ({NEW: asked("node.kubernetes.io/instance-type", "In", *T4)}, "none", "requirements"),
    ({NEW: asked("karpenter.azure.com/placement-scope", "In", "zonal")}, "some", "placement-scope"),
    ({NEW: asked("karpenter.azure.com/placement-scope", "In", "regional")}, "all", "placement-scope"),
    ({NEW: asked("karpenter.azure.com/placement-scope", "In", "zonal", "regional")}, "none", "requirements"),
    ({NEW: asked("topology.kubernetes.io/zone", "In", "0")}, "all", "zone"),
    ({NEW: asked("topology.kubernetes.io/zone", "NotIn", "0")}, "some", "zone"),
    ({NEW: asked("topology.kubernetes.io/zone", "In", "eastus-1")}, "all", "zone"),
    ({NEW: asked("karpenter.azure.com/sku-storage-ultra-ssd", "In", "true")}, "all", "ultra-ssd"),
    ({NEW: asked("karpenter.azure.com/sku-storage-ultra-ssd", "In", "false")}, "none", "requirements"),
    ({NEW: asked("karpenter.azure.com/sku-storage-ultra-ssd", "In", "true", "false")}, "none", "requirements"),
    ({NEW: asked("karpenter.azure.com/sku-storage-ultra-ssd", "NotIn", "false")}, "all", "ultra-ssd"),
    ({NEW: asked("team", "In", "ml")}, "none", "requirements"),
    ({NEW: asked("team", "In", "web")}, "all", "team"),
]
ZONE, SCOPE, SSD = (
    "topology.kubernetes.io/zone",
    "karpenter.azure.com/placement-scope",
    "karpenter.azure.com/sku-storage-ultra-ssd",
)
CUSTOM, CAPACITY = "example.com/custom", "karpenter.sh/capacity-type"
CPUS = "karpenter.azure.com/sku-cpu"
PRIORITY, SHORT_PRIORITY = "kubernetes.azure.com/scalesetpriority", "kubernetes.azure.com/priority"
MODE = "kubernetes.azure.com/mode"
MEMORY, AKS_MEMORY = "karpenter.azure.com/sku-memory", "kubernetes.azure.com/sku-memory"
STEPS: list[tuple[tuple[str, ...], tuple[str, ...], str]] = [  # an existing requirement, and an added one
    ((ZONE, "In", "swedencentral-1", "swedencentral-2"), (SCOPE, "In", "regional"), "all"),
    ((ZONE, "In", "swedencentral-1", "swedencentral-2"), (SCOPE, "In", "zonal"), "none"),
    ((ZONE, "In", "0"), (SCOPE, "In", "regional"), "none"),
    ((ZONE, "In", "0"), (SCOPE, "In", "zonal"), "all"),
    ((ZONE, "In", "swedencentral-1", "0"), (SCOPE, "In", "zonal"), "some"),
    ((ZONE, "NotIn", "0"), (SCOPE, "In", "regional"), "all"),
    ((ZONE, "NotIn", "0"), (SCOPE, "In", "zonal"), "none"),
    ((SCOPE, "In", "regional"), (ZONE, "In", "0"), "none"),
    ((SCOPE, "In", "regional"), (ZONE, "In", "swedencentral-1"), "all"),
    ((SCOPE, "In", "zonal"), (ZONE, "In", "0"), "all"),
    ((SCOPE, "In", "zonal"), (ZONE, "In", *(f"swedencentral-{at}" for at in (1, 2, 3))), "none"),
    ((SCOPE, "In", "zonal"), (ZONE, "In", "swedencentral-1"), "some"),
    ((SSD, "In", "true"), (SSD, "In", "false"), "all"),
    ((SSD, "In", "true"), (SSD, "Exists"), "none"),
    ((SSD, "In", "true", "false"), (SSD, "In", "false"), "none"),
    ((SSD, "In", "true", "false"), (SSD, "In", "true"), "all"),
    ((PRIORITY, "In", "regular"), (CAPACITY, "In", "on-demand", "reserved"), "none"),
    ((PRIORITY, "In", "regular"), (CAPACITY, "In", "spot"), "all"),
    ((AKS_MEMORY, "In", "28672"), (MEMORY, "In", "28672"), "none"),
    ((MEMORY, "In", "28672"), (AKS_MEMORY, "In", "112640"), "all"),
    ((PRIORITY, "In", "spot"), (CAPACITY, "In", "spot"), "none"),
    ((PRIORITY, "In", "spot"), (CAPACITY, "In", "on-demand"), "all"),
    ((SHORT_PRIORITY, "In", "spot"), (CAPACITY, "In", "on-demand"), "all"),
    ((SHORT_PRIORITY, "In", "regular"), (CAPACITY, "In", "on-demand"), "none"),
    ((SHORT_PRIORITY, "In", "regular"), (PRIORITY, "In", "spot"), "all"),
    ((CAPACITY, "In", "spot"), (PRIORITY, "In", "spot"), "none"),
    ((CAPACITY, "In", "spot"), (PRIORITY, "In", "regular"), "all"),
    ((CAPACITY, "In", "on-demand"), (PRIORITY, "In", "regular"), "none"),
    ((CAPACITY, "In", "on-demand"), (PRIORITY, "In", "spot"), "all"),
    ((CAPACITY, "In", "on-demand"), (SHORT_PRIORITY, "In", "spot"), "all"),
    ((CAPACITY, "In", "on-demand"), (SHORT_PRIORITY, "NotIn", "spot"), "none"),
    ((CUSTOM, "In", "a", "b"), (CUSTOM, "In", "a"), "some"),
    ((CUSTOM, "In", "a", "b"), (CUSTOM, "NotIn", "c"), "none"),
    ((CUSTOM, "Exists"), (CUSTOM, "In", "a"), "all"),
    ((CUSTOM, "Exists"), (CUSTOM, "NotIn", "a"), "none"),
    ((CUSTOM, "Exists"), (CUSTOM, "DoesNotExist"), "all"),
    ((CUSTOM, "NotIn", "a"), (CUSTOM, "Exists"), "none"),
    ((CUSTOM, "NotIn", "a"), (CUSTOM, "In", "b"), "all"),
    ((CUSTOM, "DoesNotExist"), (CUSTOM, "Exists"), "all"),
    ((CUSTOM, "Gt", "5"), (CUSTOM, "Gt", "3"), "none"),
    ((CUSTOM, "Gt", "3"), (CUSTOM, "Gt", "5"), "some"),
    ((CUSTOM, "Gt", "5"), (CUSTOM, "Lt", "10"), "some"),
    ((CUSTOM, "Gt", "5"), (CUSTOM, "Lt", "7"), "some"),
    ((CUSTOM, "Gt", "5"), (CUSTOM, "Lt", "6"), "all"),
    ((CUSTOM, "Gt", "5"), (CUSTOM, "In", "7"), "some"),
    ((CUSTOM, "Gt", "5"), (CUSTOM, "In", "5"), "all"),
    ((CUSTOM, "Gt", "5"), (CUSTOM, "NotIn", "7"), "some"),
    ((CUSTOM, "Gt", "5"), (CUSTOM, "NotIn", "5"), "none"),
    ((CUSTOM, "Lt", "5"), (CUSTOM, "Lt", "8"), "none"),
    ((CUSTOM, "Lt", "8"), (CUSTOM, "Lt", "5"), "some"),
    ((CUSTOM, "Lt", "8"), (CUSTOM, "Gt", "-1"), "none"),
    ((CUSTOM, "Lt", "8"), (CUSTOM, "Gt", "0"), "some"),
    ((MODE, "In", "user"), (MODE, "In", "user", "system"), "none"),
    ((MODE, "In", "user"), (MODE, "In", "system"), "all"),
    ((MODE, "In", "user", "system"), (MODE, "In", "user"), "all"),
]
CLASSES: list[tuple[dict[str, Any], str, str]] = [
    ({"spec/tags/a": "c"}, "none", "tags.a"),
    ({"spec/imageFamily": "AzureLinux"}, "all", "imageFamily"),
    ({"spec/imageFamily": REMOVED}, "all", "imageFamily"),
    ({"spec/osDiskSizeGB": 256}, "all", "osDiskSizeGB"),
    ({"spec/maxPods": 50}, "all", "maxPods"),
    ({"spec/vnetSubnetID": SUBNET}, "all", "vnetSubnetID"),
    ({"spec/fipsMode": "FIPS"}, "all", "fipsMode"),
    ({"spec/fipsMode": "Disabled"}, "all", "do not differ"),
    ({"spec/gpu": {"mode": "None"}}, "all", "gpu.mode"),
    ({"spec/gpu": {"mode": "Driver"}}, "all", "do not differ"),
    ({"spec/kubelet": {}}, "all", "do not differ"),
    ({"spec/kubelet": {"cpuManagerPolicy": "static"}}, "all", "kubelet.cpuManagerPolicy"),
    ({"spec/security": {"encryptionAtHost": True}}, "all", "security.encryptionAtHost"),
    ({"spec/security": {"encryptionAtHost": False}}, "all", "do not differ"),
    ({"spec/localDNS": {"mode": "Required"}}, "all", "localDNS.mode"),
    ({"spec/artifactStreaming": {"enabled": True}}, "all", "artifactStreaming.enabled"),
    ({"spec/linuxOSConfig": {"sysctls": {"vmMaxMapCount": 262144}}}, "all", "linuxOSConfig"),
    ({"metadata/labels": {"a": "b"}}, "none", "metadata.labels"),
]
OF_AKS: list[tuple[dict[str, Any], str, str]] = [
    ({"spec/podIPAllocationMode": "StaticBlock"}, "none", "AKS does not allow changing"),
    ({"spec/securityProfile": {"sshAccess": "Disabled"}}, "none", "nodes change when AKS creates or reimages them"),
    ({"spec/securityProfile": {"enableVTPM": True}}, "all", "AKS drains and reimages"),
    ({"spec/upgradeSettings": {"maxSurge": "1"}}, "none", "AKS changes spec.upgradeSettings.maxSurge in place"),
    ({"spec/networkProfile": {"allowedHostPorts": []}}, "none", "in place"),
    ({"spec/messageOfTheDay": "YQ=="}, "some", "the effect of spec.messageOfTheDay is unknown"),
    ({"spec/vmSize": "Standard_NC16as_T4_v3"}, "none", "AKS does not allow changing spec.vmSize"),
    ({"spec/osDiskType": "Ephemeral"}, "none", "AKS does not allow changing"),
    ({"spec/osDiskSizeGB": 256}, "none", "AKS does not allow changing"),
    ({"spec/gpuInstanceProfile": "MIG1g"}, "none", "AKS does not allow changing"),
    ({"spec/gpuProfile": {"driver": "None"}}, "none", "AKS does not allow changing"),
    ({"spec/availabilityZones": ["1"]}, "none", "AKS does not allow changing"),
    ({"spec/scaleSetPriority": "Spot"}, "none", "AKS does not allow changing"),
    ({"spec/maxPods": 50}, "none", "AKS does not allow changing"),
    ({"spec/kubeletConfig": {"cpuManagerPolicy": "static"}}, "none", "AKS does not allow changing"),
    ({"spec/osType": "Linux"}, "none", "no node is replaced"),
    ({"spec/gpuProfile": {"driver": "Install"}}, "none", "no node is replaced"),
    ({"spec/osType": "Windows"}, "none", "AKS does not allow changing"),
    ({"spec/osSKU": "AzureLinux"}, "all", "reimages every node"),
    ({"spec/orchestratorVersion": "1.36"}, "all", "reimages every node"),
    ({"spec/enableFIPS": True}, "all", "reimages every node"),
    ({"spec/maxCount": 8}, "none", "in place"),
    ({"spec/nodeTaints": ["sku=gpu:NoSchedule"]}, "none", "in place"),
    ({"spec/nodeLabels": {"a": "b"}}, "none", "in place"),
    ({"spec/tags": {"a": "b"}}, "none", "in place"),
    ({"spec/upgradeSettings": {"maxSurge": "33%"}}, "none", "in place"),
    ({"spec/workloadRuntime": "KataVmIsolation"}, "some", "unknown"),
]
each = pytest.mark.parametrize


def named(rows: list[tuple[dict[str, Any], str, str]]) -> list[Any]:
    """The rows with names for the test."""
    return [pytest.param(*row, id=f"{at}-{'+'.join(row[0])}") for at, row in enumerate(rows)]


@each(("present", "coming", "replaced"), STEPS)
def test_several_requirements_together(present: tuple[str, ...], coming: tuple[str, ...], replaced: str) -> None:
    first, second = asked(*present), asked(*coming)
    kept = [] if present[0] == coming[0] else first[-1:]
    change = pool_between([edited(POOL, {NEW: first}), CLASS], [edited(POOL, {NEW: [*second, *kept]}), CLASS])
    assert change.replaced == replaced, change.reason


def test_nodes_of_a_region_without_zones_are_regional() -> None:
    for coming, replaced in (("zonal", "all"), ("regional", "none")):
        change = pool_between([POOL, CLASS], [edited(POOL, {NEW: asked(SCOPE, "In", coming)}), CLASS], region="westus")
        assert change.replaced == replaced, change.reason


@each(
    ("spec", "coming", "replaced"),
    [
        ({"imageFamily": "AzureLinux"}, ("kubernetes.azure.com/os-sku", "AzureLinux"), "none"),
        ({"imageFamily": "AzureLinux"}, ("kubernetes.azure.com/os-sku", "Ubuntu"), "all"),
        ({"imageFamily": "Ubuntu2404"}, ("kubernetes.azure.com/os-sku", "Ubuntu"), "none"),
        ({"fipsMode": "FIPS"}, ("kubernetes.azure.com/fips_enabled", "true"), "none"),
        ({"fipsMode": "FIPS"}, ("kubernetes.azure.com/fips_enabled", "false"), "all"),
        ({"fipsMode": "Disabled"}, ("kubernetes.azure.com/fips_enabled", "true"), "all"),
    ],
)
def test_what_the_node_class_writes_on_nodes(spec: dict[str, str], coming: tuple[str, str], replaced: str) -> None:
    owner = edited(CLASS, {f"spec/{key}": value for key, value in spec.items()})
    after = edited(POOL, {NEW: asked(coming[0], "In", coming[1])})
    assert pool_between([POOL, owner], [after, owner]).replaced == replaced


@each(
    ("coming", "reason"),
    [
        (("In", "swedencentral-1"), "nodes whose topology.kubernetes.io/zone is not swedencentral-1 no longer match"),
        (("NotIn", "swedencentral-1"), "is not other than swedencentral-1 no longer match"),
        (("Gt", "0"), "no node that it could have created meets topology.kubernetes.io/zone"),
        (("In", "0"), "its zonal nodes do not meet topology.kubernetes.io/zone; regional nodes stay"),
    ],
)
def test_the_nodes_that_leave_are_reported(coming: tuple[str, ...], reason: str) -> None:
    change = pool_between([POOL, CLASS], [edited(POOL, {NEW: asked(ZONE, *coming)}), CLASS])
    assert reason in change.reason


def test_a_size_whose_label_is_unknown_may_not_meet_a_requirement() -> None:
    key, name = "karpenter.azure.com/sku-networking-accelerated", "Standard_ND96is_H100_v5"
    pool = edited(POOL, {SIZES: ["Standard_ND96isr_H100_v5", name]})
    wanted = [*pool["spec"]["template"]["spec"]["requirements"], {"key": key, "operator": "In", "values": ["true"]}]
    change = pool_between([pool, CLASS], [edited(pool, {NEW: wanted}), CLASS])
    unknown = f"it is unknown whether {name} meets {key}"
    assert (change.replaced, change.reason) == ("some", unknown)


def test_a_default_in_a_node_class_changes_its_hash_but_no_node() -> None:
    change = pool_between([POOL, CLASS], [POOL, edited(CLASS, {"spec/fipsMode": "Disabled"})])
    assert change.replaced == "all"
    assert change.reason == ("AKSNodeClass hash changes: fipsMode; the nodes themselves do not differ")


def test_bounds_are_reported() -> None:
    there = asked(CUSTOM, "Gt", "3")
    for coming, words in ((("Gt", "5"), "from 6 to any"), (("Lt", "9"), "from any to 8")):
        after = [*PRESENT, {"key": CUSTOM, "operator": coming[0], "values": [coming[1]]}]
        change = pool_between([edited(POOL, {NEW: there}), CLASS], [edited(POOL, {NEW: after}), CLASS])
        assert f"is not {words} no longer match" in change.reason


def test_a_zone_of_a_region_that_the_catalog_lacks_is_what_the_pool_names() -> None:
    """Without facts about a region, its zones are those that the pool names; otherwise they are unknown."""
    zones = [*PRESENT, {**ZONES, "values": ["elsewhere-1", "elsewhere-2"]}]
    fewer = [*PRESENT, {**ZONES, "values": ["elsewhere-1"]}]
    before, after = edited(POOL, {NEW: zones}), edited(POOL, {NEW: fewer})
    assert pool_between([before, CLASS], [after, CLASS], region="elsewhere").replaced == "some"
    assert pool_between([before, CLASS], [POOL, CLASS], region="elsewhere").replaced == "none"
    assert pool_between([POOL, CLASS], [after, CLASS], region="elsewhere").replaced == "some"
    scoped = edited(POOL, {NEW: [*zones, {"key": SCOPE, "operator": "In", "values": ["zonal"]}]})
    assert pool_between([before, CLASS], [scoped, CLASS], region="elsewhere").replaced == "none"


def test_no_node_is_in_a_zone_where_its_size_is_not_sold() -> None:
    sold = edited(POOL, {SIZES: ["Standard_NC24ads_A100_v4"]})
    for zones, replaced in ((("2",), "all"), (("1", "3"), "some"), (("1", "2"), "some")):
        named_zones = [f"southcentralus-{zone}" for zone in zones]
        wanted = [*sold["spec"]["template"]["spec"]["requirements"], {**ZONES, "values": named_zones}]
        after = edited(sold, {NEW: wanted})
        change = pool_between([sold, CLASS], [after, CLASS], region="southcentralus")
        assert change.replaced == replaced, change.reason


@each(("edits", "replaced", "reason"), named(POOLS))
def test_edits_of_a_nodepool(edits: dict[str, Any], replaced: str, reason: str) -> None:
    change = pool_between([POOL, CLASS], [edited(POOL, edits), CLASS])
    assert (change.replaced, reason in change.reason) == (replaced, True), change.reason


@each(("edits", "replaced", "reason"), named(CLASSES))
def test_edits_of_a_node_class(edits: dict[str, Any], replaced: str, reason: str) -> None:
    change = pool_between([POOL, CLASS], [POOL, edited(CLASS, edits)])
    assert (change.replaced, reason in change.reason) == (replaced, True), change.reason


@each(("edits", "replaced", "reason"), named(OF_AKS))
def test_edits_of_a_pool_of_aks(edits: dict[str, Any], replaced: str, reason: str) -> None:
    change = pool_between([AGENTS], [edited(AGENTS, edits)], "a")
    assert (change.replaced, reason in change.reason) == (replaced, True), change.reason
    assert bool(change.refused) == ("does not allow changing" in reason)


@each(
    "edits",
    [
        {f"{TEMPLATE}/taints": [dict(reversed(TAINT.items()))]},
        {SIZES: T4[::-1]},
        {NEW: PRESENT[::-1]},
        {f"{TEMPLATE}/expireAfter": "43200m"},
        {"spec/limits": {"cpu": 128, "nvidia.com/gpu": 8}},
        {"spec/limits/cpu": "128000m"},
        {"spec/disruption/consolidateAfter": "600s"},
        {"spec/disruption/budgets": [{"nodes": "10%"}]},
        {"spec/weight": None},
    ],
    ids="+".join,
)
def test_what_means_the_same_is_not_a_change(edits: dict[str, Any]) -> None:
    changes = between(overlays([POOL, CLASS]), overlays([edited(POOL, edits), CLASS]))
    assert all(change.count(kind) == 0 for change in changes for kind in Kind)
    assert all(pool.replaced == "none" and pool.kind is None for change in changes for pool in change.pools)


def test_an_added_empty_mapping_is_not_a_written_default() -> None:
    (difference,) = between(overlays([POOL, CLASS]), overlays([POOL, edited(CLASS, {"spec/kubelet": {}})]))
    (change,) = difference.changes
    assert change.written == ()
    assert all(field.path.startswith("spec.kubelet.") for field in change.fields)


def test_a_default_that_is_written_down_is_reported_and_no_change() -> None:
    (difference,) = between(overlays([POOL, CLASS]), overlays([POOL, edited(CLASS, {"spec/osDiskSizeGB": 128})]))
    (change,) = difference.changes
    assert change.is_silent
    assert change.written == ("spec.osDiskSizeGB",)
    assert difference.count(Kind.CHANGED) == 0


def test_a_comparison_with_itself_has_no_changes() -> None:
    side = overlays([POOL, CLASS, AGENTS])
    assert between(side, side) == []
    lines = {path: f"# Generated by gitgpu from fleet.yaml:7.\n{text}" for path, text in side.items()}
    assert between(side, lines) == []
    keys = dict(reversed(side.items()))
    assert between(side, keys) == []


def test_another_catalog_with_the_same_facts_changes_nothing() -> None:
    side = overlays([POOL, CLASS])
    both = Both(side, side, "", {"c": "swedencentral"})
    assert compare_clusters(both, Context(context().catalog, context().contracts, older=context())) == ([], [])


def test_a_list_of_several_types_is_compared_entry_by_entry() -> None:
    before = {
        "apiVersion": "example.com/v1",
        "kind": "Odd",
        "metadata": {"name": "a"},
        "spec": {"rows": ["a", {"b": 1}]},
    }
    (change,) = between(overlays([before]), overlays([edited(before, {"spec/rows/1/b": 2})]))
    [fields] = [each.fields for each in change.changes]
    assert [field.path for field in fields] == ["spec.rows[1].b"]


def test_a_class_that_pools_share_touches_them_all() -> None:
    other = edited(POOL, {"metadata/name": "q"})
    before, after = [POOL, other, CLASS], [POOL, other, edited(CLASS, {"spec/osDiskSizeGB": 256})]
    (change,) = between(overlays(before), overlays(after))
    assert [(pool.name, pool.replaced) for pool in change.pools] == [("p", "all"), ("q", "all")]


def test_two_causes_are_both_reported() -> None:
    change = pool_between(
        [POOL, CLASS], [edited(POOL, {f"{TEMPLATE}/taints": []}), edited(CLASS, {"spec/maxPods": 50})]
    )
    assert "taints" in change.reason
    assert "maxPods" in change.reason
    required = [*PRESENT, *asked("team", "In", "web")[-1:]]
    change = pool_between([POOL, CLASS], [edited(POOL, {f"{TEMPLATE}/taints": [], NEW: required}), CLASS])
    assert "taints" in change.reason
    assert "no node that it could have created meets team" in change.reason


def test_fields_of_a_class_that_are_not_in_its_hash_are_not_named_as_a_cause() -> None:
    more = {"spec/tags": {"a": "c", "EnableManagedGPUExperience": "true"}, "spec/osDiskSizeGB": 256}
    change = pool_between([POOL, CLASS], [POOL, edited(CLASS, more)])
    assert change.reason == "AKSNodeClass hash changes: osDiskSizeGB"


def test_a_class_that_is_not_in_the_overlays_cannot_be_compared() -> None:
    heavy = edited(POOL, {"spec/weight": 5})
    for before, after in (([POOL], [heavy]), ([POOL, CLASS], [heavy]), ([POOL], [heavy, CLASS])):
        assert pool_between(before, after).replaced == "none"


def test_a_label_of_sizes_that_the_catalog_lacks_may_have_any_value() -> None:
    sizes = {SIZES: ["Standard_D4s_v5"]}
    before = edited(POOL, sizes)
    after = edited(POOL, sizes)
    after["spec"]["template"]["spec"]["requirements"].append({"key": CPUS, "operator": "In", "values": ["4"]})
    assert pool_between([before, CLASS], [after, CLASS]).replaced == "some"


def test_what_still_names_the_nodes_of_a_removed_pool_does_not_stop() -> None:
    chosen = {"containers": [{"name": "a", "image": "x:1"}], "nodeSelector": {"karpenter.sh/nodepool": "p"}}
    agent = {
        "apiVersion": "apps/v1",
        "kind": "DaemonSet",
        "metadata": {"name": "agent", "namespace": "a"},
        "spec": {"selector": {"matchLabels": {"a": "b"}}, "template": {"spec": chosen}},
    }
    newer = edited(agent, {"spec/template/spec/containers": [{"name": "a", "image": "x:2"}]})
    elsewhere = edited(agent, {"spec/template/spec/nodeSelector": {"karpenter.sh/nodepool": "q"}})
    assert pool_between([POOL, CLASS, agent], [newer]).stops == ()
    assert pool_between([POOL, CLASS, agent], [elsewhere]).stops == (
        "DaemonSet/a/agent: its pods are removed from these nodes",
    )


def test_at_most_four_causes_are_named() -> None:
    labels = {f"spec/template/metadata/labels/{key}": "x" for key in ("a", "b", "c", "d", "e", "f")}
    change = pool_between([POOL, CLASS], [edited(POOL, labels), CLASS])
    named = ", ".join(f"metadata.labels.{key}" for key in ("a", "b", "c", "d"))
    assert change.reason == f"NodePool template hash changes: {named} and 2 more"


def test_a_pool_that_names_another_class_has_another_template() -> None:
    other = edited(CLASS, {"metadata/name": "r", "spec/osDiskSizeGB": 256})
    change = pool_between([POOL, CLASS, other], [edited(POOL, {f"{TEMPLATE}/nodeClassRef/name": "r"}), CLASS, other])
    assert change.replaced == "all"
    hint = "nodeClass: {name: p} keeps the AKSNodeClass"
    assert change.reason == f"NodePool template hash changes: nodeClassRef.name; {hint}"


def test_a_limit_on_a_resource_that_no_size_has_has_no_effect() -> None:
    limited = edited(POOL, {"spec/limits": {"nvidia.com/gpu": "4", "example.com/dongle": "2"}})
    plain = edited(POOL, {"spec/limits": {"nvidia.com/gpu": "4"}})
    assert pool_of(limited).limits == pool_of(plain).limits
    assert pool_of(plain).limits.nodes == 4


def test_only_manifests_of_clusters_are_compared() -> None:
    assert clusters({"readme.md": "a", "c/kustomization.yaml": "b", "c/nodes/kustomization.yaml": "c"}) == {}
    assert clusters({"c/nodes/x.yaml": "a"}) == {"c": {"c/nodes/x.yaml": "a"}}


def test_what_changes_at_once_and_what_changes_later_are_two_parts() -> None:
    later = "spec.securityProfile.sshAccess: nodes change when AKS creates or reimages them"
    access, tags = {"spec/securityProfile": {"sshAccess": "Disabled"}}, {"spec/tags": {"a": "b"}}
    assert pool_between([AGENTS], [edited(AGENTS, access)], "a").reason == later
    both = pool_between([AGENTS], [edited(AGENTS, {**access, **tags})], "a").reason
    assert both == f"AKS changes spec.tags.a in place; {later}"


def test_a_file_beside_the_folders_of_a_cluster_is_in_no_layer() -> None:
    assert [layer_of(path) for path in ("c/kustomization.yaml", "c/nodes/x.yaml", "c/workloads/w/x.yaml")] == [
        "",
        "nodes",
        "workloads",
    ]
