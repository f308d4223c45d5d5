"""What a simulation needs in addition to the objects of the cluster."""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.objects.objects import Identity


class Refused(NamedTuple):
    """An object that the API server would reject, the fault, and the fewest and the most pods that it would have."""

    identity: Identity
    fault: Diagnostic
    low: int = 1
    high: int = 1


class Teams(NamedTuple):
    """The teams of a fleet: of some workloads, by namespace and name, and of namespaces."""

    by_workload: Mapping[tuple[str, str], str] = {}
    by_namespace: Mapping[str, str] = {}

    def of(self, workload: Identity) -> str:
        """The team of a workload; "" if it has none."""
        named = self.by_workload.get((workload.namespace, workload.name), "")
        return named or self.by_namespace.get(workload.namespace, "")


class Setup(NamedTuple):
    """What a simulation needs in addition to the objects of the cluster.

    `spot` are prices of spot nodes by size, `overhead` is what daemons that are not among the objects request on a
    node. `bare` are workloads with only their GPU settings known, `refused` are objects that an API server would
    reject. `karpenter` are the Karpenter releases that the cluster may run; () if they do not matter. With
    `hardened`, nodes reserve more for the system than is known. `teams` are those of a fleet.
    """

    cluster: str
    region: str
    max_pods: int
    spot: Mapping[str, float] = {}
    overhead: Mapping[str, Decimal] = {}
    bare: frozenset[Identity] = frozenset()
    refused: tuple[Refused, ...] = ()
    karpenter: frozenset[str] = frozenset()
    hardened: bool = False
    teams: Teams = Teams()
