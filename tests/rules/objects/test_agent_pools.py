"""AKS node pools: what Azure rejects, in separate objects and inside a cluster."""

from tests.helping.cases import for_each
from tests.rules.objects.samples import conformed

POOL = """
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: %s, namespace: fleet}
spec: {owner: {name: contoso}, %s}
"""
CLUSTER = """
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedCluster
metadata: {name: contoso, namespace: fleet}
spec:
  location: eastus
  owner: {name: contoso-rg}
  nodeProvisioningProfile: {mode: Auto}
  agentPoolProfiles: [{name: system, mode: System, vmSize: Standard_D8s_v5, count: 3}, {%s}]
"""
WINDOWS = "osType: Windows, osSKU: Windows2022"
GB300 = "vmSize: Standard_ND128isr_GB300_v6, enableFIPS: true"
ANOTHER_SYSTEM = ("APL009", "/spec/vmSize")  # AKS supports these GPUs on Ubuntu only
CASES = {
    "FIPS on arm64": (GB300, [("APL091", "/spec/enableFIPS")]),
    "FIPS on arm64 with a release of Ubuntu": (f"{GB300}, osSKU: Ubuntu2204", [("APL091", "/spec/enableFIPS")]),
    "FIPS on arm64 with Azure Linux": (f"{GB300}, osSKU: AzureLinux3", [ANOTHER_SYSTEM]),
    "FIPS on arm64 with an osSKU whose architectures are not known": (f"{GB300}, osSKU: CBLMariner", [ANOTHER_SYSTEM]),
    "Trusted Launch on arm64": (
        "vmSize: Standard_ND128isr_GB300_v6, securityProfile: {enableVTPM: true}",
        [("APL091", "/spec/securityProfile/enableVTPM")],
    ),
    "a size in lowercase": ("vmSize: standard_nc24ads_a100_v4", []),
    "a size that the catalog does not have": ("vmSize: Standard_D8s_v5", []),
    "a retired size": ("vmSize: Standard_NC6s_v3", [("APL002", "/spec/vmSize")]),
    "a retired size among machines": (
        "virtualMachinesProfile: {scale: {manual: [{size: Standard_NC24ads_A100_v4}, {size: Standard_NC6s_v3}]}}",
        [("APL002", "/spec/virtualMachinesProfile/scale/manual/1/size")],
    ),
    "AMD without a word": ("vmSize: Standard_NV4ads_V710_v5", [("APL003", "/spec/vmSize")]),
    "AMD with a driver": (
        "vmSize: Standard_NV4ads_V710_v5, gpuProfile: {driver: Install}",
        [("APL003", "/spec/gpuProfile/driver")],
    ),
    "AMD on Azure Linux": (
        "vmSize: Standard_NV4ads_V710_v5, gpuProfile: {driver: None}, osSKU: AzureLinux",
        [("APL009", "/spec/vmSize")],
    ),
    "MIG on Blackwell": (
        "vmSize: Standard_ND128isr_NDR_GB200_v6, gpuInstanceProfile: MIG1g",
        [("APL004", "/spec/gpuInstanceProfile")],
    ),
    "MIG on H200": ("vmSize: Standard_ND96isr_H200_v5, gpuInstanceProfile: MIG1g", []),
    "any spot price": ("vmSize: Standard_NC40ads_H100_v5, scaleSetPriority: Spot, spotMaxPrice: -1", []),
    "a price of six decimals": (
        "vmSize: Standard_NC40ads_H100_v5, scaleSetPriority: Spot, spotMaxPrice: 0.123456",
        [("APL005", "/spec/spotMaxPrice")],
    ),
    "a price without spot": ("spotMaxPrice: 1.5", [("APL005", "/spec/spotMaxPrice")]),
    "limits without autoscaler": ("minCount: 1", [("APL006", "/spec/minCount")]),
    "an autoscaler without limits": ("enableAutoScaling: true", [("APL006", "/spec/enableAutoScaling")]),
    "an empty system pool": ("mode: System, count: 0", [("APL006", "/spec/count")]),
    "zones of a pool of machines": (
        "vmSize: Standard_NC40ads_H100_v5, type: VirtualMachines, availabilityZones: ['1']",
        [("APL011", "/spec/availabilityZones")],
    ),
    "an autoscaled pool whose GPUs AKS manages": (
        "tags: {enableManagedGPUexperience: 'True'}, minCount: 1, maxCount: 2, enableAutoScaling: true",
        [("APL095", "/spec/enableAutoScaling")],
    ),
    "zones that AKS chooses": (
        "vmSize: Standard_NC40ads_H100_v5, type: VirtualMachines, availabilityZones: [auto]",
        [],
    ),
    "an empty user pool": ("mode: User, count: 0", []),
    "a taint without value": ("nodeTaints: ['nvidia.com/gpu:NoSchedule']", []),
    "a taint with two values": (
        "nodeTaints: ['sku=gpu:NoSchedule', 'sku=cpu:NoSchedule']",
        [("APL007", "/spec/nodeTaints/1")],
    ),
    "a label of a node role": ("nodeLabels: {node-role.kubernetes.io/gpu: ''}", []),
    "an AKS label": (
        "nodeLabels: {kubernetes.azure.com/mode: user}",
        [("APL008", "/spec/nodeLabels/kubernetes.azure.com~1mode")],
    ),
    "Windows": (f"mode: User, vmSize: Standard_NC16as_T4_v3, {WINDOWS}", []),
    "Windows and system": (f"mode: System, {WINDOWS}", [("APL009", "/spec/osType")]),
    "Ubuntu on Windows": ("osType: Windows, osSKU: Ubuntu", [("APL009", "/spec/osSKU")]),
    "an old tag in capitals": ("tags: {SKIPGPUDRIVERINSTALL: 'true'}", [("APL010", "/spec/tags/SKIPGPUDRIVERINSTALL")]),
}


@for_each(("body", "expected"), CASES.values(), ids=CASES)
def test_rules_about_agent_pools(body: str, expected: list[tuple[str, str]]) -> None:
    assert [(fault.code, fault.pointer) for fault in conformed(POOL % ("gpu", body))] == expected


@for_each(
    ("name", "body", "expected"),
    [
        ("a100", "", []),
        ("twelveletter", "count: 1", []),
        ("thirteenletter", "count: 1", ["/metadata/name"]),
        ("with-dash", "azureName: a100", []),
        ("gpuwin1", "osType: Windows", ["/metadata/name"]),
        ("any", "azureName: gpuwin1, osType: Windows", ["/spec/azureName"]),
    ],
)
def test_rules_about_names_check_the_name_in_azure(name: str, body: str, expected: list[str]) -> None:
    diagnostics = conformed(POOL % (name, body))
    assert [fault.pointer for fault in diagnostics if fault.code == "APL001"] == expected


def test_the_pools_inside_a_cluster_are_checked() -> None:
    (fault,) = conformed(CLUSTER % "name: gpu, vmSize: Standard_NC24s_v3, count: 1")
    assert (fault.code, fault.pointer) == ("APL002", "/spec/agentPoolProfiles/1/vmSize")


def test_a_pool_belongs_to_its_owner() -> None:
    scaled = "enableAutoScaling: true, minCount: 0, maxCount: 3"
    pool = POOL % ("gpu", f"vmSize: Standard_NC40ads_H100_v5, {scaled}")
    cluster = CLUSTER % "name: more, vmSize: Standard_D8s_v5, count: 1"
    assert [fault.code for fault in conformed(f"{cluster}---{pool}")] == ["APL012"]
    assert conformed(f"{cluster}---{pool.replace('name: contoso', 'name: other')}") == []


DAEMON = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: plugin, namespace: fleet}
spec:
  selector: {matchLabels: {app: plugin}}
  template:
    metadata: {labels: {app: plugin}}
    spec:
      nodeSelector: {kubernetes.azure.com/agentpool: t4}
      tolerations: [%s]
      containers: [{name: main, image: "contoso.azurecr.io/plugin:1.0"}]
---
"""
TAINTED = "vmSize: Standard_NC16as_T4_v3, nodeTaints: ['sku=gpu:NoSchedule']"


@for_each(
    ("tolerations", "pools", "expected"),
    [
        ("{key: sku, operator: Equal, value: gpu, effect: NoSchedule}", [("t4", TAINTED)], []),
        ("{key: sku, operator: Equal, value: gpus, effect: NoSchedule}", [("t4", TAINTED)], ["POD022"]),
        ("", [("a100", TAINTED)], []),
        ("", [("t4", f"azureName: t4, {TAINTED}"), ("there", f"azureName: t4, {TAINTED}")], []),
    ],
)
def test_a_daemon_tolerates_the_taints_of_the_node_pools_that_it_names(
    tolerations: str, pools: list[tuple[str, str]], expected: list[str]
) -> None:
    text = DAEMON % tolerations + "---".join(POOL % pool for pool in pools)
    assert [finding.code for finding in conformed(text) if finding.code == "POD022"] == expected
