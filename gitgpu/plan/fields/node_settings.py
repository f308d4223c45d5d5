"""Settings of the kubelet and the kernel under two names: those of an AKSNodeClass, as in the spec, and of Azure's API.

Azure's API has sizes as a number of megabytes.
"""

from collections.abc import Mapping
from typing import Any

from gitgpu.model.syntax.quantity import quantity

MEGABYTE = 1_000_000  # the kubelet gets "<number>M"
KUBELET: Mapping[str, str] = {  # settings with two names
    "cpuCFSQuota": "cpuCfsQuota",
    "cpuCFSQuotaPeriod": "cpuCfsQuotaPeriod",
    "imageGCHighThresholdPercent": "imageGcHighThreshold",
    "imageGCLowThresholdPercent": "imageGcLowThreshold",
    "containerLogMaxSize": "containerLogMaxSizeMB",
    "podPidsLimit": "podMaxPids",
}
LINUX: Mapping[str, str] = {"swapFileSize": "swapFileSizeMB"}
SYSCTLS: Mapping[str, str] = {
    "netIPv4IPLocalPortRange": "netIpv4IpLocalPortRange",
    "netIPv4NeighDefaultGcThresh1": "netIpv4NeighDefaultGcThresh1",
    "netIPv4NeighDefaultGcThresh2": "netIpv4NeighDefaultGcThresh2",
    "netIPv4NeighDefaultGcThresh3": "netIpv4NeighDefaultGcThresh3",
    "netIPv4TCPFinTimeout": "netIpv4TcpFinTimeout",
    "netIPv4TCPKeepaliveIntvl": "netIpv4TcpkeepaliveIntvl",
    "netIPv4TCPKeepaliveProbes": "netIpv4TcpKeepaliveProbes",
    "netIPv4TCPKeepaliveTime": "netIpv4TcpKeepaliveTime",
    "netIPv4TCPMaxSynBacklog": "netIpv4TcpMaxSynBacklog",
    "netIPv4TCPMaxTwBuckets": "netIpv4TcpMaxTwBuckets",
    "netIPv4TCPTwReuse": "netIpv4TcpTwReuse",
}
_SIZES = ("containerLogMaxSize", "swapFileSize")


def kubelet_config(kubelet: Mapping[str, Any]) -> dict[str, Any]:
    """The kubeletConfig of Azure's API for the `kubelet` of a spec."""
    return _for_azure(kubelet, KUBELET)


def linux_os_config(linux: Mapping[str, Any]) -> dict[str, Any]:
    """The linuxOSConfig of Azure's API for that of a spec."""
    last = {key: linux[key] for key in ("swapFileSize", "sysctls") if key in linux}
    others = {key: value for key, value in linux.items() if key not in last}
    config = _for_azure({**others, **last}, LINUX)  # always in the same order, so that overlays stay the same
    if "sysctls" in config:
        config["sysctls"] = _for_azure(config["sysctls"], SYSCTLS)
    return config


def kubelet_of(config: Mapping[str, Any]) -> dict[str, Any]:
    """The `kubelet` of a spec for the kubeletConfig of Azure's API, without settings that are null."""
    return _for_spec(config, KUBELET)


def linux_of(config: Mapping[str, Any]) -> dict[str, Any]:
    """The `linuxOSConfig` of a spec for that of Azure's API, without settings that are null."""
    linux = _for_spec(config, LINUX)
    if linux.get("sysctls"):
        linux["sysctls"] = _for_spec(linux["sysctls"], SYSCTLS)
    return linux


def _for_azure(settings: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {names.get(key, key): _megabytes(value) if key in _SIZES else value for key, value in settings.items()}


def _for_spec(config: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    spec_names = {azure: key for key, azure in names.items()}
    settings = {}
    for azure, value in config.items():
        key = spec_names.get(azure, azure)
        if value is not None:
            settings[key] = f"{value}M" if key in _SIZES else value
    return settings


def _megabytes(size: str) -> int:
    """A size such as 50Mi in megabytes, at least 1."""
    plain = size.replace("K", "k") if size.endswith("K") else size  # the kubelet's K is the k of a quantity
    return max(1, int(quantity(plain) / MEGABYTE))
