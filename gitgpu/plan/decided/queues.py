"""Decisions about the queues of teams: what Kueue, or Kubernetes itself without Kueue, limits for each team."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.model.spec.origin import SpecObject
from gitgpu.model.spec.taint import Taint
from gitgpu.model.spec.team import Team
from gitgpu.plan.decided.charts import Chart
from gitgpu.plan.decided.daemon_placement import Toleration


class Flavor(NamedTuple):
    """The nodes of a pool for Kueue: their labels and taints. `tolerations` are added to the pods that it admits.

    `topology` is the name of the levels in which it places the pods of a workload close to each other, or "".
    """

    name: str
    labels: Mapping[str, str]
    taints: tuple[Taint, ...]
    tolerations: tuple[Toleration, ...]
    topology: str
    origin: SpecObject


class Amount(NamedTuple):
    """How much of a resource a team may use; `borrow` None means without a limit, `lend` None all of it."""

    nominal: int
    borrow: int | None
    lend: int | None


class TeamQueue(NamedTuple):
    """The ClusterQueue of a team, and its LocalQueues: an amount of each resource in each flavor, in order of the spec.

    `provisioned` are the flavors whose nodes the cluster autoscaler must have before a workload starts.
    """

    team: Team
    amounts: Mapping[str, Mapping[str, Amount]]
    provisioned: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the team and of its queues."""
        return self.team.name

    @property
    def resources(self) -> tuple[str, ...]:
        """The resources that the team has a quota of."""
        names: set[str] = set()
        for amounts in self.amounts.values():
            names.update(amounts)
        return tuple(sorted(names))


class Provisioning(NamedTuple):
    """How Kueue asks the cluster autoscaler for nodes: the class of its requests, and the resources they are for."""

    request_class: str
    resources: tuple[str, ...]


class Queues(NamedTuple):
    """The queues of a cluster. `by` is kueue, aks or none; `chart` is None unless gitgpu installs Kueue.

    `configuration` is the default one of the chart, {} if that is used. `others` are what pods request in addition to
    GPUs, which no quota limits. `claimed` are the DeviceClasses that quotas count. `fair` says whether any team has a
    weight.
    """

    by: str = "none"
    chart: Chart | None = None
    flavors: tuple[Flavor, ...] = ()
    topologies: Mapping[str, tuple[str, ...]] = {}
    teams: tuple[TeamQueue, ...] = ()
    provisioning: Provisioning | None = None
    others: tuple[str, ...] = ()
    claimed: tuple[str, ...] = ()
    fair: bool = False
    configuration: Mapping[str, Any] = {}

    @property
    def has_kueue(self) -> bool:
        """Whether the cluster runs Kueue."""
        return self.by != "none"
