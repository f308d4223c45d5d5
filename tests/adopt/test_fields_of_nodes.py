"""Each field of a node object has a row: what the spec sets is emitted, and read back as the same key."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from gitgpu.access import reach
from gitgpu.adopt.adoption import GpuNodes
from gitgpu.adopt.node.agent_pool import agent_pool_keys
from gitgpu.adopt.node.node_class import class_keys
from gitgpu.adopt.node.node_pool import Around
from gitgpu.emit.node.agent_pool import node_pool_manifests
from gitgpu.load.spec.shape import fleet_schema
from gitgpu.plan.fields import agent_pool, node_class
from gitgpu.plan.fields.node_settings import KUBELET, LINUX, SYSCTLS, linux_of, linux_os_config
from tests.adopt.clusters import observed
from tests.adopt.test_recorded_imports import CATALOG
from tests.emit.fleets import CLUSTER_ID, SUBNET_ID, Body, cluster, emitted, fleet, plans, pool
from tests.emit.test_upstream_fields import AGENT_POOL, GROUP, INSIDE, OUTSIDE
from tests.emit.test_upstream_fields import KUBELET as KUBELET_VALUES
from tests.emit.test_upstream_fields import LINUX as LINUX_VALUES
from tests.helping.cases import for_each

A100 = "Standard_NC24ads_A100_v4"
RESERVATION = f"{GROUP}/Microsoft.Compute/capacityReservationGroups/gpus"
SIZES = {"containerLogMaxSize": "50M"}  # Azure's API has whole megabytes
SET: dict[str, Body] = {  # by property: keys of a spec, at least the one that sets it
    "vmSize": {},
    "virtualMachinesProfile": {"nodes": {"min": 1, "max": 1}, "agentPool": {"type": "VirtualMachines"}},
    "type": {"nodes": {"min": 1, "max": 1}, "agentPool": {"type": "VirtualMachines"}},
    "osType": {"os": "windows", "driver": "aks"},
    "osSKU": {"image": {"family": "AzureLinux"}},
    "osDiskSizeGB": {"image": {"osDiskGB": 256}},
    "osDiskType": {"image": {"ephemeralOSDisk": False}},
    "artifactStreamingProfile": {"image": {"artifactStreaming": True}},
    "enableFIPS": {"image": {"fips": True}},
    "enableEncryptionAtHost": {"security": {"encryptionAtHost": True}},
    "enableAutoScaling": {"nodes": {"min": 1, "max": 3}},
    "count": {"nodes": {"min": 3, "max": 3}},
    "minCount": {"nodes": {"min": 1, "max": 3}},
    "maxCount": {"nodes": {"min": 1, "max": 3}},
    "scaleSetPriority": {"capacity": ["spot"]},
    "scaleSetEvictionPolicy": {"capacity": ["spot"], "agentPool": {"scaleSetEvictionPolicy": "Deallocate"}},
    "spotMaxPrice": {"capacity": ["spot"], "agentPool": {"spotMaxPrice": 1.5}},
    "gpuProfile": {"driver": "none"},
    "gpuInstanceProfile": {"sku": A100, "partition": {"mig": {"profiles": {"3g.40gb": 2}}}},
    "availabilityZones": {"zones": ["1", "3"]},
    "maxPods": {"maxPods": 110},
    "kubeletConfig": {"kubelet": {**KUBELET_VALUES, **SIZES}},
    "linuxOSConfig": {"linuxOSConfig": {**LINUX_VALUES, "swapFileSize": "2000M"}},
    "nodeLabels": {"labels": {"contoso.com/team": "a"}},
    "nodeTaints": {"taints": [{"key": "sku", "value": "gpu", "effect": "NoSchedule"}]},
    "tags": {"tags": {"cost": "1"}},
    "vnetSubnetID": {"subnet": SUBNET_ID},
    "capacityReservationGroupID": {"capacityReservationGroup": RESERVATION, "zones": ["1"]},
    **{name: {"nodes": {"min": 1, "max": 1}, "agentPool": {name: value}} for name, value in AGENT_POOL.items()},
    "windowsProfile": {"os": "windows", "driver": "aks", "agentPool": {"windowsProfile": {"disableOutboundNat": True}}},
    "podIPAllocationMode": {"agentPool": {name: AGENT_POOL[name] for name in ("podIPAllocationMode", "podSubnetID")}},
    "nodePublicIPPrefixID": {
        "agentPool": {name: AGENT_POOL[name] for name in ("enableNodePublicIP", "nodePublicIPPrefixID")}
    },
}
CLASS_SET: dict[str, Body] = {
    "vnetSubnetID": {"subnet": SUBNET_ID},
    "imageFamily": {"image": {"family": "AzureLinux"}},
    "osDiskSizeGB": {"image": {"osDiskGB": 256}},
    "fipsMode": {"image": {"fips": True}},
    "artifactStreaming": {"image": {"artifactStreaming": True}},
    "maxPods": {"maxPods": 50},
    "kubelet": {"kubelet": {"cpuManagerPolicy": "static", "failSwapOn": False}},
    "linuxOSConfig": {"linuxOSConfig": LINUX_VALUES},
    "localDNS": {
        "localDNS": {"mode": "Required", "vnetDNSOverrides": [OUTSIDE, INSIDE], "kubeDNSOverrides": [OUTSIDE, INSIDE]}
    },
    "security": {"security": {"encryptionAtHost": True}},
    "tags": {"tags": {"cost": "1"}},
}
ROWS = {row.name: row for row in (*agent_pool.PROPERTIES, *agent_pool.SETTINGS.values(), *agent_pool.RESOURCES)}
CLASS_ROWS = {row.name: row for row in (*node_class.FIELDS, *node_class.SETTINGS.values(), node_class.TAGS)}


def node_pool(spec: Body) -> tuple[Mapping[str, Any], Body]:
    """The object of a node pool with these keys, and the whole spec of its GpuPool."""
    made = pool("a", **spec)
    there = cluster(provisioner="cluster-autoscaler", resourceId=CLUSTER_ID)
    (plan,) = plans(fleet(), there, made).values()
    manifests = [*node_pool_manifests(plan, beyond=False), *node_pool_manifests(plan, beyond=True)]
    return manifests[0].body, made["spec"]


def node_class_of(made: Body) -> Body:
    """The AKSNodeClass of a pool."""
    return emitted(fleet(), cluster(), made).one("AKSNodeClass", "a")


@for_each("name", ROWS)
def test_each_property_of_a_node_pool_is_read_back_as_its_key(name: str) -> None:
    body, spec = node_pool(SET[name])
    row = ROWS[name]
    assert agent_pool.name_in_operator(row) in body["spec"]
    sku = CATALOG.sku(spec["sku"])
    assert sku
    keys = agent_pool_keys(GpuNodes("a", observed(body), None, (sku,)), Around("aks", {}), CATALOG)
    assert reach(keys, *row.key) == reach(spec, *row.key)


@for_each("name", [name for name, row in CLASS_ROWS.items() if row.read])
def test_each_field_of_a_node_class_is_read_back_as_its_key(name: str) -> None:
    made = pool("a", **CLASS_SET[name])
    of_class = node_class_of(made)
    keys = class_keys(of_class["spec"], CATALOG.must("edits", "aksnodeclass"))
    row = CLASS_ROWS[name]
    assert name in of_class["spec"]
    assert reach(keys, *row.key) == reach(made["spec"], *row.key)


def test_each_emitted_field_has_a_row() -> None:
    of_pools = {"azureName", "owner", *map(agent_pool.name_in_operator, ROWS.values())}
    for spec in SET.values():
        assert set(node_pool(spec)[0]["spec"]) <= of_pools
    for spec in CLASS_SET.values():
        assert set(node_class_of(pool("a", **spec))["spec"]) <= set(CLASS_ROWS)


def test_each_key_of_agent_pool_has_a_row() -> None:
    keys = part_of_schema("spec", "agentPool")["properties"].keys() - {"gpuInstanceProfile"}  # also of partition.mig
    assert {("agentPool", key) for key in keys} == {row.key for row in ROWS.values() if row.key[0] == "agentPool"}


def part_of_schema(*path: str) -> Any:
    """The schema of a key of a GpuPool."""
    definitions = fleet_schema()["definitions"]
    part = definitions["gpupool"]
    for key in path:
        part = part["properties"][key]
        part = definitions[part["$ref"].rpartition("/")[2]] if "$ref" in part else part
    return part


def test_each_setting_of_nodes_has_the_name_of_azures_api() -> None:
    contract = Path(__file__).parents[2] / "schemas/contracts/containerservice.azure.com_managedclustersagentpool.json"
    fields = yaml.load(contract.read_text(encoding="utf-8"), yaml.CSafeLoader)["properties"]["spec"]["properties"]
    of_linux = fields["linuxOSConfig"]["properties"]
    assert set(KUBELET.values()) <= set(fields["kubeletConfig"]["properties"])
    assert set(LINUX.values()) <= set(of_linux)
    sysctls = linux_os_config({"sysctls": LINUX_VALUES["sysctls"]})["sysctls"]
    assert set(sysctls) == set(of_linux["sysctls"]["properties"])
    assert linux_of({"sysctls": sysctls}) == {"sysctls": LINUX_VALUES["sysctls"]}
    assert set(SYSCTLS) <= set(LINUX_VALUES["sysctls"])
