"""The result of a simulation: where each workload would run, what it would cost, and what prevents it."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from gitgpu.source import Span

HOURS = 730  # per month, as on Azure's price pages
SCHEDULABLE, UNSCHEDULABLE = "schedulable", "unschedulable"


class Reason(NamedTuple):
    """Why a pool gives a workload no node. `at` is what blocks it, `change` the line to change.

    `kind` is closed, class, taint, label, size, resource, offering, minValues, limit, claim, volume, apart, spread,
    pools, queue, gang or refused; `stage` says how far the pod came: the higher, the nearer to a node.
    `node` is the existing node that is closed.
    """

    pool: str
    kind: str
    message: str
    help: str
    at: Span
    change: Span
    stage: int = 0
    node: str = ""


class Doubt(NamedTuple):
    """Something that cannot be known from files. If it `decides`, the opposite answer is possible."""

    kind: str
    message: str
    decides: bool = True


class Share(NamedTuple):
    """How many pods of a workload are on a node, and how many GPU slots they use; `workload` is its number."""

    workload: int
    pods: int
    slots: int


class Node(NamedTuple):
    """A node of the forecast.

    Pods use `used` of its `gpus`. `slots` is the number of units that pods can request: more than `gpus` if GPUs are
    shared or partitioned. `price` is the hourly price, `maximum` the highest possible one; None is unknown. If the node
    `exists`, it adds no cost.
    """

    pool: str
    sku: str
    spot: bool
    zones: tuple[str, ...]
    gpus: int
    used: int
    slots: int
    price: float | None
    maximum: float | None
    shares: tuple[Share, ...]
    exists: bool = False


class Price(NamedTuple):
    """An hourly price, and the highest possible one; None is unknown."""

    exact: float | None
    maximum: float | None


class TeamUse(NamedTuple):
    """What a team may use of a resource of a flavor, and what it uses at maximum replicas.

    A team is a ClusterQueue; with `flavor` "", it has ResourceQuotas in its namespaces. It has `borrowed` a part of
    what it uses, and others use what it has `lent`; None is unknown. `price` is the part of the hourly price of the
    nodes that is for its workloads.
    """

    team: str
    flavor: str
    resource: str
    quota: int
    used: int | None
    borrowed: int | None
    lent: int | None
    price: Price


class Level(NamedTuple):
    """A workload at one number of replicas: how many of them get a node, and on how many nodes.

    It uses `gpus`; `idle` are GPUs of its nodes that no pod requests. `price` is its share of the hourly price of the
    nodes, `maximum` the highest possible share.
    """

    replicas: int
    placed: int
    nodes: int
    gpus: int
    idle: int
    price: float | None
    maximum: float | None


class Verdict(NamedTuple):
    """The answer for one workload on one cluster; `low` and `high` are at minimum and maximum replicas.

    `number` identifies it in nodes; None if the API server would reject it. `pools`, `skus` and `zones` are those of
    its nodes at maximum replicas. `together` is how many nodes Karpenter may start when all replicas come at once, if
    that is more than they need in the end. `labels` are those of its pods and of the object; `team` is its GpuTeam or
    ClusterQueue, "" if it has none.
    """

    kind: str
    namespace: str
    name: str
    place: Span
    high: Level
    low: Level
    pools: tuple[str, ...]
    skus: tuple[str, ...]
    zones: tuple[str, ...]
    spot: bool
    reasons: tuple[Reason, ...]
    doubts: tuple[Doubt, ...]
    together: int | None = None
    number: int | None = None
    labels: Mapping[str, str] = MappingProxyType({})
    team: str = ""

    @property
    def verdict(self) -> str:
        """`schedulable` if all replicas get a node, and none waits for other pods that get none."""
        waits = any(reason.kind == "gang" for reason in self.reasons)
        return SCHEDULABLE if self.high.placed == self.high.replicas and not waits else UNSCHEDULABLE

    @property
    def partly(self) -> bool:
        """Whether some replicas get a node, and others do not."""
        return 0 < self.high.placed < self.high.replicas

    @property
    def certain(self) -> bool:
        """Whether the answer is the same regardless of what is unknown."""
        return not any(doubt.decides for doubt in self.doubts)

    @property
    def title(self) -> str:
        """Its namespace and name."""
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


class Running(NamedTuple):
    """The numbers of existing GPU nodes and of running pods."""

    nodes: int = 0
    pods: int = 0


class Forecast(NamedTuple):
    """The result for one cluster: the verdicts sorted by name, and its nodes at minimum and maximum replicas.

    `skipped` is the number of workloads that are omitted because they need no GPU node; `notes` apply to the whole
    cluster. No other number includes what is `running` already. `priced` is the date of the price list of its region,
    or "" if there is none. `teams` are the quotas of GPUs.
    """

    cluster: str
    region: str
    verdicts: tuple[Verdict, ...]
    low: tuple[Node, ...]
    high: tuple[Node, ...]
    skipped: int
    notes: tuple[str, ...] = ()
    running: Running = Running()
    priced: str = ""
    teams: tuple[TeamUse, ...] = ()


def total(prices: list[float | None]) -> float | None:
    """The sum of the prices; None if one of them is unknown."""
    known_prices = [price for price in prices if price is not None]
    # The prices of the catalog have at most four decimals, and a sum of floats can have more.
    return round(sum(known_prices), 4) if len(known_prices) == len(prices) else None
