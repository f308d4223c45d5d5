"""Each field of upstream's NodePool, AKSNodeClass and agent pool can be set, or is listed here with a reason."""

from base64 import b64decode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.emit.fleets import CLUSTER_ID, SUBNET_ID, T4, Body, cluster, emitted, fleet, pool

CRDS = Path(__file__).parents[3] / "shared" / "crds"
GROUP = CLUSTER_ID.partition("/Microsoft.ContainerService")[0]
OURS = "gitgpu sets it for every GPU pool"
SAME = "another way to name what armId names"
RESOURCES = (
    "capacityReservationGroupReference",
    "creationData.sourceResourceReference",
    "hostGroupReference",
    "networkProfile.applicationSecurityGroupsReferences[]",
    "nodePublicIPPrefixReference",
    "podSubnetReference",
    "proximityPlacementGroupReference",
    "vnetSubnetReference",
)
REASONS = {
    "karpenter.sh_nodepools": {
        "template.spec.taints[].timeAdded": "set by Kubernetes",
        "template.spec.startupTaints[].timeAdded": "set by Kubernetes",
    },
    "karpenter.azure.com_aksnodeclasses": {},
    "containerservice.azure.com_managedclustersagentpools": {
        "gatewayProfile": "for gateway pools, which have no GPUs",
        "operatorSpec": "of Azure Service Operator, not of the pool",
        "orchestratorVersion": "the cluster's version: an upgrade of the cluster must not be undone",
        "owner.name": SAME,
        "powerState": "starting and stopping is an operation, not a configuration",
        "type": "AKS makes a virtual machine scale set",
        "virtualMachineNodesStatus": "a status",
        "virtualMachinesProfile": "of pools of type VirtualMachines, and gitgpu makes scale sets",
        "workloadRuntime": "OCIContainer is the default; WebAssembly has no GPUs",
        **{f"{resource}.{key}": SAME for resource in RESOURCES for key in ("group", "kind", "name")},
    },
}
VERSIONS = {
    "karpenter.sh_nodepools": ("NodePool", "v1"),
    "karpenter.azure.com_aksnodeclasses": ("AKSNodeClass", "v1beta1"),
    "containerservice.azure.com_managedclustersagentpools": ("ManagedClustersAgentPool", "v1api20250801"),
}
DNS = {
    "queryLogging": "Error",
    "protocol": "PreferUDP",
    "forwardPolicy": "Sequential",
    "maxConcurrent": 1000,
    "cacheDuration": "1h",
    "serveStaleDuration": "1h",
    "serveStale": "Verify",
}
OUTSIDE, INSIDE = (
    {"zone": ".", "forwardDestination": "VnetDNS", **DNS},
    {"zone": "cluster.local", "forwardDestination": "ClusterCoreDNS", **DNS},
)
KUBELET = {
    "cpuManagerPolicy": "static",
    "topologyManagerPolicy": "best-effort",
    "imageGCHighThresholdPercent": 85,
    "imageGCLowThresholdPercent": 80,
    "containerLogMaxSize": "50Mi",
    "containerLogMaxFiles": 5,
    "podPidsLimit": 4096,
    "cpuCFSQuota": False,
    "cpuCFSQuotaPeriod": "10ms",
    "failSwapOn": False,
    "allowedUnsafeSysctls": ["net.core.somaxconn"],
}
SYSCTLS = {
    "fsAioMaxNr": 131072,
    "fsFileMax": 4000000,
    "fsInotifyMaxUserWatches": 1048576,
    "fsNrOpen": 4000000,
    "kernelThreadsMax": 200000,
    "netCoreNetdevMaxBacklog": 5000,
    "netCoreOptmemMax": 40960,
    "netCoreRmemDefault": 425984,
    "netCoreRmemMax": 134217728,
    "netCoreSomaxconn": 16384,
    "netCoreWmemDefault": 425984,
    "netCoreWmemMax": 134217728,
    "netIPv4IPLocalPortRange": "20000 60999",
    "netIPv4NeighDefaultGcThresh1": 4096,
    "netIPv4NeighDefaultGcThresh2": 8192,
    "netIPv4NeighDefaultGcThresh3": 16384,
    "netIPv4TCPFinTimeout": 30,
    "netIPv4TCPKeepaliveIntvl": 30,
    "netIPv4TCPKeepaliveProbes": 5,
    "netIPv4TCPKeepaliveTime": 600,
    "netIPv4TCPMaxSynBacklog": 16384,
    "netIPv4TCPMaxTwBuckets": 32768,
    "netIPv4TCPTwReuse": True,
    "netNetfilterNfConntrackBuckets": 131072,
    "netNetfilterNfConntrackMax": 524288,
    "vmMaxMapCount": 262144,
    "vmSwappiness": 0,
    "vmVfsCachePressure": 50,
}
LINUX = {
    "swapFileSize": "2G",
    "transparentHugePageEnabled": "madvise",
    "transparentHugePageDefrag": "defer+madvise",
    "sysctls": SYSCTLS,
}
NODES: Body = {
    "kubelet": KUBELET,
    "linuxOSConfig": LINUX,
    "security": {"encryptionAtHost": True},
    "maxPods": 110,
    "tags": {"cost": "1"},
    "labels": {"contoso.com/team": "a"},
    "zones": ["1"],
    "taints": [{"key": "sku", "value": "gpu", "effect": "NoSchedule"}],
}
BY_KARPENTER: Body = {
    **NODES,
    "annotations": {"contoso.com/owner": "a"},
    "localDNS": {"mode": "Required", "vnetDNSOverrides": [OUTSIDE, INSIDE], "kubeDNSOverrides": [OUTSIDE, INSIDE]},
    "driver": "none",
    "image": {"family": "AzureLinux", "osDiskGB": 256, "fips": True, "artifactStreaming": True},
    "startupTaints": [{"key": "contoso.com/wait", "value": "a", "effect": "NoSchedule"}],
    "weight": 10,
    "nodeRequirements": [
        {"key": "karpenter.azure.com/sku-name", "operator": "Exists", "minValues": 1},
        {"key": "contoso.com/rack", "operator": "In", "values": ["a"]},
    ],
    "disruption": {
        "consolidationPolicy": "WhenEmpty",
        "consolidateAfter": "10m",
        "expireAfter": "720h",
        "terminationGracePeriod": "1h",
        "budgets": [{"nodes": "1", "reasons": ["Drifted"], "schedule": "0 1 * * *", "duration": "2h"}],
    },
}
AGENT_POOL: Body = {
    "mode": "System",
    "scaleDownMode": "Deallocate",
    "upgradeSettings": {
        "maxSurge": "33%",
        "maxUnavailable": "1",
        "drainTimeoutInMinutes": 120,
        "nodeSoakDurationInMinutes": 5,
        "undrainableNodeBehavior": "Cordon",
    },
    "securityProfile": {"enableSecureBoot": True, "enableVTPM": True, "sshAccess": "Disabled"},
    "enableNodePublicIP": True,
    "nodePublicIPPrefixID": f"{GROUP}/Microsoft.Network/publicIPPrefixes/gpu",
    "networkProfile": {
        "allowedHostPorts": [{"portStart": 80, "portEnd": 80, "protocol": "TCP"}],
        "applicationSecurityGroups": [f"{GROUP}/Microsoft.Network/applicationSecurityGroups/gpu"],
        "nodePublicIPTags": [{"ipTagType": "RoutingPreference", "tag": "Internet"}],
    },
    "podSubnetID": SUBNET_ID,
    "podIPAllocationMode": "StaticBlock",
    "proximityPlacementGroupID": f"{GROUP}/Microsoft.Compute/proximityPlacementGroups/gpu",
    "hostGroupID": f"{GROUP}/Microsoft.Compute/hostGroups/gpu",
    "enableUltraSSD": True,
    "kubeletDiskType": "Temporary",
    "messageOfTheDay": "GPU node\n",
    "creationData": {"sourceResourceId": f"{GROUP}/Microsoft.ContainerService/snapshots/gpu"},
}
SPOT: Body = {"spotMaxPrice": 12.5, "scaleSetEvictionPolicy": "Deallocate"}
BY_AKS: Body = {
    **NODES,
    "agentPool": AGENT_POOL,
    "image": {"family": "Ubuntu2204", "osDiskGB": 128, "ephemeralOSDisk": True, "fips": True},
    "capacityReservationGroup": f"{GROUP}/Microsoft.Compute/capacityReservationGroups/gpu",
    "nodes": {"min": 1, "max": 2},
}


def karpenter() -> list[Body]:
    """The objects of pools with every key that applies to Karpenter."""
    pools = pool("a", **BY_KARPENTER), pool("b", replicas=2, limits={"nodes": 3})
    output = emitted(fleet(), cluster(network={"subnet": SUBNET_ID}), *pools)
    return [*output.every("NodePool"), *output.every("AKSNodeClass")]


def agent_pools() -> list[Body]:
    """The same for AKS node pools. MIG and spot need separate pools."""
    home = cluster(provisioner="cluster-autoscaler", resourceId=CLUSTER_ID, network={"subnet": SUBNET_ID})
    mig = {"mig": {"profiles": {"1g.10gb": 7}}}
    pools = (
        pool("a", **BY_AKS),
        pool("b", "Standard_NC24ads_A100_v4", nodes={"min": 1, "max": 1}, partition=mig),
        pool("c", T4, capacity=["spot"], nodes={"min": 0, "max": 1}, agentPool=SPOT),
        pool(
            "d",
            T4,
            os="windows",
            nodes={"min": 1, "max": 1},
            agentPool={"windowsProfile": {"disableOutboundNat": True}},
        ),
    )
    return emitted(fleet(), home, *pools).every("ManagedClustersAgentPool")


def written(value: Any, path: str = "") -> Iterator[str]:
    """The paths of all fields of an object, with [] for list items."""
    if isinstance(value, Mapping):
        for key, below in value.items():
            here = f"{path}.{key}".lstrip(".")
            yield here
            yield from written(below, here)
    elif isinstance(value, list):
        for item in value:
            yield from written(item, f"{path}[]")


def defined(schema: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """The paths of all fields that a schema defines, without those that contain others."""
    for key, part in schema.get("properties", {}).items():
        inner = part.get("items", part)
        here = f"{path}.{key}".lstrip(".")
        if inner.get("properties"):
            yield from defined(inner, here + ("[]" if "items" in part else ""))
        else:
            yield here


@pytest.mark.parametrize("crd", REASONS)
def test_every_field_is_reachable_or_listed_with_its_reason(crd: str) -> None:
    if not CRDS.is_dir():
        pytest.skip("no ../shared/crds here")
    kind, version = VERSIONS[crd]
    definition = yaml.load((CRDS / f"{crd}.yaml").read_text("utf-8"), yaml.CSafeLoader)
    (served,) = (each for each in definition["spec"]["versions"] if each["name"] == version)
    fields = set(defined(served["schema"]["openAPIV3Schema"]["properties"]["spec"]))
    bodies = [body for body in (*karpenter(), *agent_pools()) if body["kind"] == kind]
    reached = {path for body in bodies for path in written(body["spec"])}
    listed = {
        field for field in fields for reason in REASONS[crd] if f"{field}.".startswith((f"{reason}.", f"{reason}[]"))
    }
    assert sorted(fields - reached - listed) == [], "neither reachable nor listed in REASONS"
    stale = [
        reason
        for reason in REASONS[crd]
        if not any(f"{field}.".startswith((f"{reason}.", f"{reason}[]")) for field in fields - reached)
    ]
    assert stale == [], "listed, but reachable or unknown"


def test_settings_have_their_upstream_names() -> None:
    spec = emitted(fleet(), cluster(), pool("a", **BY_KARPENTER)).one("AKSNodeClass", "a")["spec"]
    for key in ("kubelet", "linuxOSConfig", "localDNS", "security"):
        assert spec[key] == BY_KARPENTER[key]
    plain = emitted(fleet(), cluster(), pool("a")).one("AKSNodeClass", "a")
    assert plain.get("spec", {}).keys().isdisjoint(("kubelet", "linuxOSConfig", "localDNS", "security"))


def test_settings_of_a_node_pool_have_the_names_of_azure() -> None:
    spec = next(body["spec"] for body in agent_pools() if body["metadata"]["name"] == "a")
    assert spec["enableEncryptionAtHost"] is True
    assert spec["linuxOSConfig"]["swapFileSizeMB"] == 2000
    assert spec["linuxOSConfig"]["sysctls"]["netIpv4TcpkeepaliveIntvl"] == 30
    assert spec["linuxOSConfig"]["sysctls"]["vmSwappiness"] == 0
    assert spec["kubeletConfig"]["cpuCfsQuota"] is False


def test_defaults_of_the_fleet_reach_the_pools() -> None:
    usual = fleet(pool={"security": {"encryptionAtHost": True}, "linuxOSConfig": {"sysctls": {"vmSwappiness": 10}}})
    own = pool("a", linuxOSConfig={"sysctls": {"vmMaxMapCount": 262144}})
    spec = emitted(usual, cluster(), own).one("AKSNodeClass", "a")["spec"]
    assert spec["security"] == {"encryptionAtHost": True}
    assert spec["linuxOSConfig"] == {"sysctls": {"vmSwappiness": 10, "vmMaxMapCount": 262144}}


def test_own_requirements_are_written_beside_those_of_gitgpu() -> None:
    template = emitted(fleet(), cluster(), pool("a", **BY_KARPENTER)).one("NodePool", "a")["spec"]["template"]
    requirements = template["spec"]["requirements"]
    for wanted in BY_KARPENTER["nodeRequirements"]:
        assert wanted in requirements
    assert {"key": "karpenter.azure.com/sku-name", "operator": "In", "values": [T4]} in requirements


def test_an_agent_pool_has_the_values_of_azure() -> None:
    spec = next(body["spec"] for body in agent_pools() if body["metadata"]["name"] == "a")
    for key in ("mode", "scaleDownMode", "upgradeSettings", "securityProfile", "kubeletDiskType", "enableUltraSSD"):
        assert spec[key] == AGENT_POOL[key]
    assert b64decode(spec["messageOfTheDay"]).decode() == AGENT_POOL["messageOfTheDay"]
    assert spec["hostGroupReference"] == {"armId": AGENT_POOL["hostGroupID"]}
    assert spec["creationData"]["sourceResourceReference"]["armId"].endswith("/snapshots/gpu")
    spot = next(body["spec"] for body in agent_pools() if body["metadata"]["name"] == "c")
    assert (spot["spotMaxPrice"], spot["scaleSetEvictionPolicy"]) == (12.5, "Deallocate")
