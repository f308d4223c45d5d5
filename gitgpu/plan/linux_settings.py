"""Kernel settings of an AKSNodeClass under the names of Azure's API for node pools."""

from collections.abc import Mapping
from typing import Any

from gitgpu.model.syntax.quantity import quantity

MEGABYTE = 1_000_000  # the kubelet gets "<number>M"
# The API spells these two unlike all others.
IRREGULAR = {
    "netIPv4IPLocalPortRange": "netIpv4IpLocalPortRange",
    "netIPv4TCPKeepaliveIntvl": "netIpv4TcpkeepaliveIntvl",
}


def linux_os_config(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The linuxOSConfig of a node pool from that of an AKSNodeClass; the size of the swap file is in megabytes."""
    result = {key: value for key, value in spec.items() if key not in ("swapFileSize", "sysctls")}
    if "swapFileSize" in spec:
        result["swapFileSizeMB"] = megabytes(spec["swapFileSize"])
    if "sysctls" in spec:
        result["sysctls"] = {_azure_name(key): value for key, value in spec["sysctls"].items()}
    return result


def megabytes(size: str) -> int:
    """A size such as 50Mi in megabytes, at least 1."""
    plain = size.replace("K", "k") if size.endswith("K") else size  # the kubelet's K is the k of a quantity
    return max(1, int(quantity(plain) / MEGABYTE))


def _azure_name(sysctl: str) -> str:
    return IRREGULAR.get(sysctl) or sysctl.replace("IPv4", "Ipv4").replace("TCP", "Tcp")
