"""Settings of a node pool with the names of Azure's API, as options of `az aks nodepool add`.

The options follow the Azure CLI (command_modules/acs/_params.py of Azure/azure-cli at 0088c878b2ee, and
https://github.com/Azure/azure-cli/pull/34003).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_VALUES = {
    "hostGroupID": "--host-group-id",
    "nodePublicIPPrefixID": "--node-public-ip-prefix-id",
    "podIPAllocationMode": "--pod-ip-allocation-mode",
    "podSubnetID": "--pod-subnet-id",
    "proximityPlacementGroupID": "--ppg",
    "scaleDownMode": "--scale-down-mode",
    "sourceResourceId": "--snapshot-id",
    "maxSurge": "--max-surge",
    "maxUnavailable": "--max-unavailable",
    "drainTimeoutInMinutes": "--drain-timeout",
    "nodeSoakDurationInMinutes": "--node-soak-duration",
    "undrainableNodeBehavior": "--undrainable-node-behavior",
}
_SWITCHES = {
    "disableOutboundNat": "--disable-windows-outbound-nat",
    "enableNodePublicIP": "--enable-node-public-ip",
    "enableSecureBoot": "--enable-secure-boot",
    "enableUltraSSD": "--enable-ultra-ssd",
    "enableVTPM": "--enable-vtpm",
}
_WITHOUT = ("kubeletDiskType", "sshAccess")  # settings without a stable option


def setting_options(settings: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    """The options, each with its values, in the order of the settings."""
    for key, value in settings.items():
        if key == "dranet":
            yield ("--enable-managed-dranet",)
        elif isinstance(value, Mapping):
            yield from setting_options(value)
        elif key in _VALUES:
            yield _VALUES[key], str(value)
        elif value is True and key in _SWITCHES:
            yield (_SWITCHES[key],)
        elif key == "applicationSecurityGroups":
            yield "--asg-ids", *value
        elif key == "allowedHostPorts":
            yield "--allowed-host-ports", *map(_ports, value)
        elif key == "nodePublicIPTags":
            yield "--node-public-ip-tags", *(f"{tag['ipTagType']}={tag['tag']}" for tag in value)


def missing_options(settings: Mapping[str, Any]) -> Iterator[str]:
    """The settings that have no option."""
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from missing_options(value)
        elif key in _WITHOUT:
            yield key


def _ports(ports: Mapping[str, Any]) -> str:
    first, last = ports["portStart"], ports["portEnd"]
    return f"{first}/{ports['protocol'].lower()}" if first == last else f"{first}-{last}/{ports['protocol'].lower()}"
