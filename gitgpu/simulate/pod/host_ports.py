"""Host ports that pods use, compared as in pkg/scheduling/hostportusage.go of kubernetes-sigs/karpenter."""

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

from gitgpu.objects.workload.pods import Pod

_ANY = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - compared, not bound


class HostPort(NamedTuple):
    """A port of the node, on one of its addresses or on all."""

    port: int
    protocol: str
    address: str

    def conflicts(self, other: "HostPort") -> bool:
        """Whether the two cannot be in use at the same time."""
        if (self.port, self.protocol) != (other.port, other.protocol):
            return False
        return self.address == other.address or bool({self.address, other.address} & _ANY)


def host_ports(pod: Pod) -> frozenset[HostPort]:
    """The host ports that a pod uses. With hostNetwork, every container port is one."""
    uses_host = pod.spec.get("hostNetwork") is True
    ports = set()
    for place, container in pod.containers():
        if place[-2] != "containers":  # as upstream, which looks at spec.containers only, not at initContainers
            continue
        for entry in filter(None, container.get("ports") or ()):
            # The API server sets hostPort to containerPort in a pod on the network of the host.
            port = entry.get("hostPort") or (uses_host and entry.get("containerPort"))
            if port:
                ports.add(HostPort(int(port), str(entry.get("protocol") or "TCP"), str(entry.get("hostIP") or "")))
    return frozenset(ports)


def is_taken(wanted: Iterable[HostPort], used: Iterable[HostPort]) -> bool:
    """Whether one of the wanted ports is in use."""
    return any(port.conflicts(other) for port, other in product(wanted, used))
