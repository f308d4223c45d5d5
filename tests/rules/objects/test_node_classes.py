"""AKSNodeClasses: the rules reject what the upstream CRD rejects with CEL, and what fails later."""

import copy
from typing import Any

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.rules.object_findings import object_findings
from tests.helping.cases import for_each
from tests.oracles.cel import needs_crds, upstream_faults
from tests.rules.objects.samples import KUBERNETES, shared_norms, somewhere

FORM = {"queryLogging": "Error", "forwardPolicy": "Sequential", "maxConcurrent": 1000, "cacheDuration": "1h"}


def zone(name: str, to: str = "VnetDNS", **more: Any) -> dict[str, Any]:
    """An override of LocalDNS for one zone."""
    usual = {"protocol": "PreferUDP", "serveStale": "Immediate", "serveStaleDuration": "1h"}
    return {"zone": name, "forwardDestination": to, **FORM, **usual, **more}


OWN = zone("cluster.local", "ClusterCoreDNS")


def dns(of_nodes: list[dict[str, Any]] | None = None, of_pods: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """A spec with LocalDNS."""
    usual = [zone("."), OWN]
    overrides = {"vnetDNSOverrides": of_nodes or usual, "kubeDNSOverrides": of_pods or usual}
    return {"localDNS": {"mode": "Required", **overrides}}


def sysctls(**values: Any) -> dict[str, Any]:
    """A spec with sysctls."""
    return {"linuxOSConfig": {"sysctls": values}}


def swap(**kubelet: Any) -> dict[str, Any]:
    """A spec with a swap file."""
    return {"linuxOSConfig": {"swapFileSize": "2Gi"}, **({"kubelet": kubelet} if kubelet else {})}


def gc(high: int | None = None, low: int | None = None) -> dict[str, Any]:
    """A spec with thresholds of image garbage collection."""
    given = {"imageGCHighThresholdPercent": high, "imageGCLowThresholdPercent": low}
    return {"kubelet": {key: value for key, value in given.items() if value is not None}}


def tags(**values: str) -> dict[str, Any]:
    """A spec with tags."""
    return {"tags": values}


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "FIPS on 22.04": ({"imageFamily": "Ubuntu2204", "fipsMode": "FIPS"}, "ANC001"),
    "FIPS on 24.04": ({"imageFamily": "Ubuntu2404", "fipsMode": "FIPS"}, "ANC001"),
    "FIPS on the default": ({"fipsMode": "FIPS"}, ""),
    "FIPS on Azure Linux": ({"imageFamily": "AzureLinux", "fipsMode": "FIPS"}, ""),
    "no FIPS": ({"imageFamily": "Ubuntu2404", "fipsMode": "Disabled"}, ""),
    "swap alone": (swap(), "ANC002"),
    "swap and a kubelet": (swap(cpuManagerPolicy="static"), "ANC002"),
    "swap refused": (swap(failSwapOn=True), "ANC002"),
    "swap taken": (swap(failSwapOn=False), ""),
    "thresholds crossed": (gc(70, 80), "ANC003"),
    "thresholds equal": (gc(70, 70), "ANC003"),
    "thresholds": (gc(71, 70), ""),
    "receive buffers": (sysctls(netCoreRmemDefault=300000, netCoreRmemMax=299999), "ANC004"),
    "receive buffers equal": (sysctls(netCoreRmemDefault=300000, netCoreRmemMax=300000), ""),
    "one receive buffer": (sysctls(netCoreRmemDefault=300000), ""),
    "send buffers": (sysctls(netCoreWmemDefault=300000, netCoreWmemMax=299999), "ANC004"),
    "neighbours 1 and 2": (sysctls(netIPv4NeighDefaultGcThresh1=600, netIPv4NeighDefaultGcThresh2=599), "ANC004"),
    "neighbours 2 and 3": (sysctls(netIPv4NeighDefaultGcThresh2=1100, netIPv4NeighDefaultGcThresh3=1099), "ANC004"),
    "neighbours": (sysctls(netIPv4NeighDefaultGcThresh1=512, netIPv4NeighDefaultGcThresh2=512), ""),
    "ports": (sysctls(netIPv4IPLocalPortRange="1024 65535"), ""),
    "a first port too low": (sysctls(netIPv4IPLocalPortRange="1023 65535"), "ANC004"),
    "a first port too high": (sysctls(netIPv4IPLocalPortRange="61000 65535"), "ANC004"),
    "a last port too low": (sysctls(netIPv4IPLocalPortRange="1024 32767"), "ANC004"),
    "a last port too high": (sysctls(netIPv4IPLocalPortRange="1024 65536"), "ANC004"),
    "ports crossed": (sysctls(netIPv4IPLocalPortRange="60000 32768"), "ANC004"),
    "a sign in a tag": (tags(**{"cost&center": "1"}), "ANC005"),
    "another sign in a tag": (tags(**{"a\\b": "1"}), "ANC005"),
    "a long tag": (tags(**{"k" * 513: "1"}), "ANC005"),
    "the longest tag": (tags(**{"k" * 512: "v" * 256}), ""),
    "a long value": (tags(a="v" * 257), "ANC005"),
    "a slash in a tag": (tags(**{"a/b": "1"}), ""),
    "LocalDNS": (dns(), ""),
    "no root for nodes": (dns(of_nodes=[OWN]), "ANC006"),
    "no root for pods": (dns(of_pods=[OWN]), "ANC006"),
    "no zone of the cluster": (dns(of_pods=[zone(".")]), "ANC006"),
    "the cluster's zone outward": (dns(of_pods=[zone("."), zone("cluster.local")]), "ANC006"),
    "a part of the cluster's zone outward": (dns(of_pods=[zone("."), OWN, zone("a.cluster.local")]), "ANC006"),
    "the root inward for nodes": (dns(of_nodes=[zone(".", "ClusterCoreDNS"), OWN]), "ANC006"),
    "the root inward for pods": (dns(of_pods=[zone(".", "ClusterCoreDNS"), OWN]), ""),
    "a foreign zone inward for nodes": (dns(of_nodes=[zone("."), OWN, zone("a.example", "ClusterCoreDNS")]), "ANC006"),
    "a foreign zone inward for pods": (dns(of_pods=[zone("."), OWN, zone("a.example", "ClusterCoreDNS")]), ""),
    "stale answers checked over TCP": (
        dns(of_pods=[zone(".", serveStale="Verify", protocol="ForceTCP"), OWN]),
        "ANC006",
    ),
    "stale answers checked over UDP": (dns(of_nodes=[zone(".", serveStale="Verify"), OWN]), ""),
}
LATER: dict[str, tuple[dict[str, Any], list[tuple[str, str]]]] = {
    "one threshold below the other's default": (gc(high=80), [("ANC003", "/spec/kubelet/imageGCHighThresholdPercent")]),
    "one threshold above the other's default": (gc(low=85), [("ANC003", "/spec/kubelet/imageGCLowThresholdPercent")]),
    "one threshold": (gc(high=81), []),
    "47 tags": (tags(**{f"t{at}": "x" for at in range(47)}), [("ANC005", "/spec/tags")]),
    "46 tags": (tags(**{f"t{at}": "x" for at in range(46)}), []),
    "a tag of Karpenter's": (tags(**{f"t{at}": "x" for at in range(45)}, **{"karpenter.sh/nodepool": "x"}), []),
    "one name twice": (tags(a="x", A="y"), [("ANC012", "/spec/tags/a")]),
    "one name twice with a slash": (tags(**{"a/b": "x", "a_b": "y"}), [("ANC012", "/spec/tags/a_b")]),
    "the retired tag": (tags(skipgpudriverinstall="true"), [("ANC007", "/spec/tags/skipgpudriverinstall")]),
    "a period without unit": (
        {"kubelet": {"cpuCFSQuotaPeriod": "100"}},
        [("ANC008", "/spec/kubelet/cpuCFSQuotaPeriod")],
    ),
    "a period of days": ({"kubelet": {"cpuCFSQuotaPeriod": "1d"}}, [("ANC008", "/spec/kubelet/cpuCFSQuotaPeriod")]),
    "a period below zero": (
        {"kubelet": {"cpuCFSQuotaPeriod": "-5ms"}},
        [("ANC008", "/spec/kubelet/cpuCFSQuotaPeriod")],
    ),
    "a period too long": ({"kubelet": {"cpuCFSQuotaPeriod": "1s1ms"}}, [("ANC008", "/spec/kubelet/cpuCFSQuotaPeriod")]),
    "a period too short": (
        {"kubelet": {"cpuCFSQuotaPeriod": "999us"}},
        [("ANC008", "/spec/kubelet/cpuCFSQuotaPeriod")],
    ),
    "the longest period": ({"kubelet": {"cpuCFSQuotaPeriod": "0.5s500ms"}}, []),
    "the shortest period": ({"kubelet": {"cpuCFSQuotaPeriod": "1000us"}}, []),
    "no period": ({"kubelet": {"cpuCFSQuotaPeriod": "0s"}}, []),
    "sysctls of pods": (
        {"kubelet": {"allowedUnsafeSysctls": ["kernel.sem", "kernel.shm*", "net.core.somaxconn", "net/ipv4/tcp_rmem"]}},
        [],
    ),
    "sysctls of the node": (
        {"kubelet": {"allowedUnsafeSysctls": ["kernel.*", "vm.swappiness", "kernel.msg*,net.*"]}},
        [("ANC009", f"/spec/kubelet/allowedUnsafeSysctls/{at}") for at in range(3)],
    ),
}


def body(spec: dict[str, Any]) -> dict[str, Any]:
    """An AKSNodeClass."""
    head = {"apiVersion": "karpenter.azure.com/v1beta1", "kind": "AKSNodeClass", "metadata": {"name": "gpu"}}
    return head | {"spec": copy.deepcopy(spec)}


def diagnostics(spec: dict[str, Any]) -> list[Diagnostic]:
    """The findings about an AKSNodeClass."""
    return object_findings(somewhere(body(spec)), KUBERNETES, shared_norms())


@for_each(("spec", "code"), REFUSED.values(), ids=REFUSED)
def test_rules_report_what_the_api_server_rejects(spec: dict[str, Any], code: str) -> None:
    assert {fault.code for fault in diagnostics(spec)} == ({code} if code else set())


@needs_crds
@for_each(("spec", "code"), REFUSED.values(), ids=REFUSED)
def test_the_api_server_rejects_what_rules_report(spec: dict[str, Any], code: str) -> None:
    assert bool(upstream_faults(body(spec))) is bool(code)


@for_each(("spec", "expected"), LATER.values(), ids=LATER)
def test_rules_report_faults_that_the_api_server_accepts(spec: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert [(fault.code, fault.pointer) for fault in diagnostics(spec)] == expected


SUBNET = (
    "/subscriptions/0/resourceGroups/{group}/providers/Microsoft.Network/virtualNetworks/{network}/subnets/{subnet}"
)


@for_each(
    ("group", "network", "subnet", "reported"),
    [
        ("MC_a_b_eastus", "aks-vnet-12345678", "gpu", True),
        ("MC_a_b_eastus", "aks-vnet-12345678", "aks-subnet", False),
        ("network", "aks-vnet-12345678", "gpu", False),
        ("MC_a_b_eastus", "aks-vnet-hub", "gpu", False),
    ],
)
def test_the_network_that_aks_manages(group: str, network: str, subnet: str, reported: bool) -> None:
    faults = diagnostics({"vnetSubnetID": SUBNET.format(group=group, network=network, subnet=subnet)})
    assert [fault.code for fault in faults] == (["ANC010"] if reported else [])
    assert all(fault.severity is Severity.WARNING for fault in faults)


def test_a_setting_is_fixed_unless_the_author_chose_it() -> None:
    (swapping,) = diagnostics(swap(cpuManagerPolicy="static"))
    assert swapping.edit
    assert (swapping.edit.key, swapping.edit.text) == ("failSwapOn", "false")
    (refusing,) = diagnostics(swap(failSwapOn=True))
    assert refusing.edit is None, "it was set on purpose"
    (inward,) = diagnostics(dns(of_nodes=[zone(".", "ClusterCoreDNS"), OWN]))
    assert inward.edit
    assert inward.edit.text == "VnetDNS"
